import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { QueryResponseSchema } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { compareResponses } from './compare.ts'

type Init = MessageInitShape<typeof QueryResponseSchema>

function differences(expected: Init, actual: Init): readonly string[] {
  return compareResponses({
    expected: create(QueryResponseSchema, expected),
    actual: create(QueryResponseSchema, actual),
  })
}

const total = (value: number): Init => ({ result: { case: 'segmentation', value: { total: value } } })
const trend = (breakdown: Record<string, string>, ...values: readonly number[]): Init => ({
  result: { case: 'trends', value: { series: [{ breakdown, points: values.map((value) => ({ value })) }] } },
})
const avg = (nanos: number): Init => ({
  result: { case: 'funnel', value: { series: [{ steps: [{ timing: { avg: { seconds: 1n, nanos } } }] }] } },
})
const cohort = (start: string): Init => ({
  result: { case: 'retention', value: { series: [{ cohorts: [{ cohort: start }] }] } },
})
const flow = (...nodes: readonly (readonly [id: string, label: string, isOthers?: boolean])[]): Init => ({
  result: {
    case: 'userFlow',
    value: {
      nodes: nodes.map(([id, label, isOthers = false]) => ({ id, label, isOthers })),
      links: [{ source: nodes[0]?.[0] ?? '', target: 'x', value: 1n }],
    },
  },
})

test.each<[title: string, expected: Init, actual: Init]>([
  ['noise of doubles', total(1 / 3), total(1 / 3 + 1e-12)],
  ['zero of either sign', total(0), total(-0)],
  ['durations within a microsecond', avg(500_000), avg(501_000)],
  ['forms of an instant', cohort('2026-01-05T00:00:00Z'), cohort('2026-01-05T01:00:00.000+01:00')],
  ['ids and order of nodes', flow(['x', 'a'], ['y', 'b']), flow(['x', 'a'], ['z', 'b'])],
])('%s make no difference', (_title, expected, actual) => {
  expect(differences(expected, actual)).toEqual([])
})

test.each<[title: string, expected: Init, actual: Init, difference: string]>([
  ['a number', total(1), total(1.000001), 'segmentation.total: expected 1, got 1.000001'],
  ['a tiny number', total(1e-7), total(0), 'segmentation.total: expected 1e-7, got 0'],
  ['a case', total(1), {}, 'segmentation: expected {"total":1,"values":[],"series":[]}, got nothing'],
  ['a text', trend({ a: 'x' }), trend({ a: 'y' }), 'trends.series[0].breakdown.a: expected "x", got "y"'],
  ['a key', trend({ a: '' }), trend({}), 'trends.series[0].breakdown.a: expected "", got nothing'],
  ['a length', trend({}, 1), trend({}, 1, 2), 'trends.series[0].points.length: expected 1, got 2'],
  [
    'a duration',
    avg(0),
    avg(1001),
    'funnel.series[0].steps[0].timing.avg: expected {"seconds":"1n","nanos":0}, got {"seconds":"1n","nanos":1001}',
  ],
  [
    'an instant',
    cohort('2026-01-05T00:00:00Z'),
    cohort('2026-01-05T00:00:01Z'),
    'retention.series[0].cohorts[0].cohort: expected "2026-01-05T00:00:00.000Z", got "2026-01-05T00:00:01.000Z"',
  ],
  [
    'what is no instant',
    cohort('2026-01-05T00:00:00Z'),
    cohort('2026-01-05'),
    'retention.series[0].cohorts[0].cohort: expected "2026-01-05T00:00:00.000Z", got "2026-01-05"',
  ],
  [
    'an others node',
    flow(['x', 'a']),
    flow(['x', 'a', true]),
    'userFlow.nodes[0]: expected "0 label a", got "0 others a"',
  ],
  [
    'a link to no node',
    flow(['x', 'a']),
    flow(['y', 'a']),
    'userFlow.links[0].target: expected "0 label a", got "id x of no node"',
  ],
])('%s makes a difference', (_title, expected, actual, difference) => {
  expect(differences(expected, actual)[0]).toBe(difference)
})

test('a long list of differences is cut', () => {
  const many = Array.from({ length: 100 }, (_, index) => index + 1)
  expect(differences(trend({}, ...many), trend({}, ...many.map((value) => value * 2)))).toHaveLength(20)
})
