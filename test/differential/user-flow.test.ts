import type { MessageInitShape } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { FilterOperator } from '../../src/contract/gen/common/v1/filter_pb.js'
import { InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  UserFlowQuery_NodeKind,
  type UserFlowQuerySchema,
} from '../../src/contract/gen/shared/insights/v1/user_flow_query_pb.js'
import { answerSample, type EventSample, resultOf, sampleWorld } from './sample.ts'

/** One session per text, one event per letter, a minute apart. */
function sessions(...paths: readonly string[]): readonly EventSample[] {
  return paths.flatMap((path, session) =>
    [...path].map((kind, minute) => ({
      kind,
      at: `10:${String(minute).padStart(2, '0')}`,
      session: session + 1,
      properties: { page: kind === 'x' ? '' : kind },
    })),
  )
}

/** Links as `depth source > target: value`, then nodes as `depth label`; others are in brackets. */
function flow(
  events: readonly EventSample[],
  userFlow: MessageInitShape<typeof UserFlowQuerySchema> = {},
): { links: readonly string[]; nodes: readonly string[] } {
  const spec = { insightType: InsightType.USER_FLOW, userFlow }
  const { nodes, links } = resultOf(answerSample(sampleWorld(events), spec), 'userFlow')
  const byId = new Map(
    nodes.map(({ id, depth, label, isOthers }) => [id, `${depth} ${isOthers ? `(${label})` : label}`]),
  )
  return {
    nodes: [...byId.values()],
    links: links.map(({ source, target, value }) => `${byId.get(source)} > ${byId.get(target)}: ${value}`),
  }
}

test('links count sessions, and equal neighbours are one node', () => {
  expect(flow(sessions('abc', 'aabbb', 'ac'))).toEqual({
    links: ['0 a > 1 b: 2', '0 a > 1 c: 1', '1 b > 2 c: 1'],
    nodes: ['0 a', '1 b', '1 c', '2 c'],
  })
})

test('a label may recur at another depth', () => {
  expect(flow(sessions('aba')).links).toEqual(['0 a > 1 b: 1', '1 b > 2 a: 1'])
})

test('a session of one node has no link but counts for the rank of its label', () => {
  expect(flow(sessions('z')).links).toEqual([])
  const { links } = flow(sessions('az', 'bz', 'a', 'c'), { maxNodes: 2 })
  expect(links).toEqual(['0 ($others) > 1 z: 1', '0 a > 1 z: 1'])
})

test('the end of a path is cut after its hops, before labels are ranked', () => {
  expect(flow(sessions('abcdefgh')).links).toHaveLength(5)
  expect(flow(sessions('abc', 'xbc'), { maxHops: 1, maxNodes: 2 }).links).toEqual([
    '0 ($others) > 1 b: 1',
    '0 a > 1 b: 1',
  ])
})

test('others stay linked to others', () => {
  expect(flow(sessions('ab', 'ab', 'cd', 'ce'), { maxNodes: 2 }).links).toEqual([
    '0 ($others) > 1 ($others): 2',
    '0 a > 1 b: 2',
  ])
})

test('the weakest links are cut with their nodes', () => {
  expect(flow(sessions('ab', 'ab', 'cd'), { maxLinks: 1 })).toEqual({
    links: ['0 a > 1 b: 2'],
    nodes: ['0 a', '1 b'],
  })
})

test('property nodes leave out events without a value', () => {
  const userFlow = { nodeKind: UserFlowQuery_NodeKind.PROPERTY, nodeProperty: 'page' }
  expect(flow(sessions('axa', 'axb'), userFlow).links).toEqual(['0 a > 1 b: 1'])
})

test('a scope leaves out events before neighbours collapse', () => {
  const notX = { property: 'page', operator: FilterOperator.IS_SET }
  expect(flow(sessions('axaxb'), { scope: { filters: [notX] } }).links).toEqual(['0 a > 1 b: 1'])
})

test('events at one instant go by event id', () => {
  const events = [
    { kind: 'b', at: '10:00', id: 2, by: 'bob' },
    { kind: 'a', at: '10:00', id: 1, by: 'anna' },
    { kind: 'c', at: '10:00', id: 3, by: 'cookieless-x' },
  ]
  expect(flow(events).links).toEqual(['0 a > 1 b: 1'])
})

const kindIs = (kind: string) => ({ match: { case: 'event', value: { kind } } }) as const
const nodeIs = (value: string) => ({ match: { case: 'node', value } }) as const

test('paths start at the first match, and sessions without one have no path', () => {
  const { links } = flow(sessions('abcab', 'xbd', 'ac'), { startAt: kindIs('b') })
  expect(links).toEqual(['0 b > 1 c: 1', '0 b > 1 d: 1', '1 c > 2 a: 1', '2 a > 3 b: 1'])
})

test('paths to an end are read backwards from its last match', () => {
  const { links } = flow(sessions('abcbd', 'ac', 'cbx'), { endAt: kindIs('b') })
  expect(links).toEqual(['0 b > 1 c: 2', '1 c > 2 b: 1', '2 b > 3 a: 1'])
})

test('paths from a start lead to the first end that is strictly after it', () => {
  const userFlow = { startAt: kindIs('a'), endAt: nodeIs('b') }
  expect(flow(sessions('bacbxb', 'ba', 'cb'), userFlow).links).toEqual(['0 a > 1 c: 1', '1 c > 2 b: 1'])
  const same = { startAt: kindIs('a'), endAt: kindIs('a') }
  expect(flow(sessions('aba', 'abc'), same).links).toEqual(['0 a > 1 b: 1', '1 b > 2 a: 1'])
})

test('an anchor is looked for before neighbours are merged, and paths are cut from it', () => {
  const big = { property: 'page', operator: FilterOperator.IS_NOT_SET }
  const match = { case: 'event' as const, value: { filters: [big] } }
  const events = sessions('aab').map((event, index) => (index === 1 ? { ...event, properties: {} } : event))
  expect(flow(events, { startAt: { match } }).links).toEqual(['0 a > 1 b: 1'])
  expect(flow(events, { endAt: { match } }).links).toEqual([])
  expect(flow(sessions('abcd'), { endAt: kindIs('d'), maxHops: 1 }).links).toEqual(['0 d > 1 c: 1'])
})

test('rules rewrite values in order, before anchors are looked for', () => {
  const pathRules = [
    { pattern: '^(.)$', replacement: '/\\1\\\\' },
    { pattern: '^/[xyz]\\\\$', replacement: 'end' },
  ]
  expect(flow(sessions('abx', 'aby'), { pathRules }).links).toEqual([
    '0 /a\\ > 1 /b\\: 2',
    '1 /b\\ > 2 end: 2',
  ])
  const userFlow = { pathRules, startAt: nodeIs('/b\\') }
  expect(flow(sessions('abx', 'ay'), userFlow).links).toEqual(['0 /b\\ > 1 end: 1'])
})

test('every match in a value is replaced, and an event whose value becomes empty has no node', () => {
  const pathRules = [
    { pattern: 'x', replacement: '' },
    { pattern: 'b', replacement: 'cc' },
    { pattern: 'c', replacement: '\\0d' },
  ]
  expect(flow(sessions('axbc'), { pathRules }).links).toEqual(['0 a > 1 cdcd: 1', '1 cdcd > 2 cd: 1'])
})
