import { create, type JsonObject, type MessageInitShape } from '@bufbuild/protobuf'
import {
  type PathAnchor,
  PathAnchorSchema,
} from '../../src/contract/gen/millrace/insights/v1/path_options_pb.js'
import type { QueryResponse } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type {
  UserFlowResult,
  UserFlowResultSchema,
} from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import {
  type UserFlowQuery,
  UserFlowQuery_GroupBy,
  UserFlowQuery_NodeKind,
} from '../../src/contract/gen/shared/insights/v1/user_flow_query_pb.js'
import type { Prng } from '../../src/kernel/prng.ts'
import { compareBytewise, compareEvents } from './bytewise.ts'
import { matchesEventFilter } from './filters.ts'
import { generateEventFilter } from './generate-filters.ts'
import type { GeneratedWorld } from './generate-world.ts'
import type { InsightTypeEntry, Spec } from './insight-type.ts'
import { hasSession, type ReferenceEvent } from './model.ts'
import { pointOf, type ReferencePoint } from './points.ts'
import { eventsInQuery, type Query, subjectOf } from './query.ts'
import { OTHERS } from './ranking.ts'
import { eventsOfPersons } from './users.ts'
import { propertyText } from './values.ts'
import { KINDS, NODE_NAMES } from './vocabulary.ts'

type PathAnchorInit = Exclude<MessageInitShape<typeof PathAnchorSchema>, { $typeName: string }>

/** A node of the graph. */
export interface FlowNode {
  readonly depth: number
  readonly label: string
  readonly isOthers: boolean
}

interface FlowLink {
  readonly source: FlowNode
  readonly target: FlowNode
  readonly value: number
}

/** Rules that mean the same in JavaScript: values lose their ends, change, join or vanish. */
const RULES = [
  { pattern: '[0-9]+', replacement: '#' },
  { pattern: '^([A-Za-z])[a-z]+', replacement: '\\1\\\\\\0' },
  { pattern: '(?:lpha|eta)', replacement: '' },
  { pattern: '^(A|a)$', replacement: 'first' },
  { pattern: '[.-](?:1|2)$|_x', replacement: '' },
  { pattern: '^[^bd][^~]*', replacement: '' },
  { pattern: '^free$', replacement: 'none' },
  { pattern: 'a', replacement: '\\0\\0' },
  { pattern: 'b*|$', replacement: '\\0~' },
  { pattern: '^$', replacement: 'nothing' },
] as const

const PATTERNS = ['(', 'a**', '(?=a)', '[b-a]', '\\', '(a)\\2', 'a{1001}', '\\p{Klingon}'] as const
const REPLACEMENTS = ['\\2', '\\x', 'a\\'] as const

type Broken = readonly [name: string, userFlow: JsonObject]

const BROKEN: readonly Broken[] = [
  ['needs a node property for property nodes', { nodeKind: 'NODE_KIND_PROPERTY' }],
  ['needs a valid node property', { nodeKind: 'NODE_KIND_PROPERTY', nodeProperty: 'a b' }],
  ['needs a known node kind', { nodeKind: 99 }],
  ['needs a known grouping', { groupBy: 99 }],
  ...[-1, 11].map((maxHops) => [`has no ${maxHops} hops`, { maxHops }] as const),
  ...[-1, 1, 51].map((maxNodes) => [`has no ${maxNodes} nodes`, { maxNodes }] as const),
  ...[-1, 501].map((maxLinks) => [`has no ${maxLinks} links`, { maxLinks }] as const),
  ...['startAt', 'endAt'].flatMap((anchor): Broken[] => [
    [`has no ${anchor} without an event or a node`, { [anchor]: {} }],
    [`has no ${anchor} of an empty node`, { [anchor]: { node: '' } }],
    [`has no ${anchor} of a long node`, { [anchor]: { node: 'a'.repeat(2001) } }],
    [`has no ${anchor} with an empty filter`, { [anchor]: { event: { filters: [{}] } } }],
    [
      `has no ${anchor} with a comparison to nothing`,
      { [anchor]: { event: { filters: [{ property: 'plan', operator: 'FILTER_OPERATOR_EQUALS' }] } } },
    ],
  ]),
  ...PATTERNS.map((pattern): Broken => [`has no pattern ${pattern}`, { pathRules: [{ pattern }] }]),
  ...REPLACEMENTS.map(
    (replacement): Broken => [
      `has no replacement ${replacement}`,
      { pathRules: [{ pattern: '(a)', replacement }] },
    ],
  ),
  ['needs a pattern', { pathRules: [{ replacement: 'a' }] }],
  ['has no long pattern', { pathRules: [{ pattern: 'a'.repeat(501) }] }],
  ['has no long replacement', { pathRules: [{ pattern: 'a', replacement: 'a'.repeat(501) }] }],
  ['has twenty rules at most', { pathRules: Array.from({ length: 21 }, () => ({ pattern: 'a' })) }],
]

/** User flows in the differential tests. */
export const USER_FLOW: InsightTypeEntry = {
  answer: (query) => ({ case: 'userFlow', value: answerUserFlow(query) }),
  points: flowPoints,
  generate: generateUserFlow,
  smallest: { userFlow: {} },
  fields: { userFlow: {} },
  broken: [
    { name: 'a user flow needs its settings', fields: { userFlow: null } },
    ...BROKEN.map(([name, userFlow]) => ({ name: `a user flow ${name}`, fields: { userFlow } })),
  ],
  normalise: (result) => (result.case === 'userFlow' ? normaliseFlow(result.value) : undefined),
}

function generateUserFlow(rng: Prng, generated: GeneratedWorld): Spec {
  const nodes = rng.chance(0.5)
    ? { nodeKind: UserFlowQuery_NodeKind.PROPERTY, nodeProperty: rng.pick(NODE_NAMES) }
    : { nodeKind: rng.pick([UserFlowQuery_NodeKind.UNSPECIFIED, UserFlowQuery_NodeKind.EVENT_KIND]) }
  return {
    userFlow: {
      ...nodes,
      groupBy: rng.pick([UserFlowQuery_GroupBy.UNSPECIFIED, UserFlowQuery_GroupBy.SESSION]),
      maxHops: rng.pick([0, 1, 2, 3, 10]),
      maxNodes: rng.pick([0, 2, 3, 5, 50]),
      maxLinks: rng.pick([0, 1, 3, 10, 500]),
      ...(rng.chance(0.5) ? { scope: pathScope(rng, generated) } : {}),
      ...(rng.chance(0.12)
        ? { startAt: create(PathAnchorSchema, { match: anchorMatch(rng, generated) }) }
        : {}),
      ...(rng.chance(0.12)
        ? { endAt: create(PathAnchorSchema, { match: anchorMatch(rng, generated) }) }
        : {}),
      ...(rng.chance(0.3)
        ? { pathRules: rng.chance(0.5) ? [rng.pick(RULES)] : [rng.pick(RULES), rng.pick(RULES)] }
        : {}),
    },
  }
}

/** An anchor at a kind, at an event with conditions, or at a value that nodes may have. */
function anchorMatch(rng: Prng, generated: GeneratedWorld): NonNullable<PathAnchorInit['match']> {
  if (rng.chance(0.6)) return { case: 'event', value: { kind: rng.pick(KINDS) } }
  if (rng.chance(0.3)) return { case: 'event', value: generateEventFilter(rng, generated) }
  return { case: 'node', value: rng.pick([...KINDS, 'free', 'pro', '1', 'none', 'g']) }
}

/** A scope of one kind leaves no path between kinds, so that most have none. */
function pathScope(rng: Prng, generated: GeneratedWorld): ReturnType<typeof generateEventFilter> {
  const scope = generateEventFilter(rng, generated)
  return rng.chance(0.8) ? { ...scope, kind: '', mergedKinds: [] } : scope
}

function answerUserFlow(query: Query): MessageInitShape<typeof UserFlowResultSchema> {
  const settings = query.spec.userFlow
  if (settings === undefined) throw new RangeError('a user flow query without its settings')
  const paths = listPaths(query, settings)
  const named = new Set(rankLabels(paths).slice(0, settings.maxNodes || 20))
  const layered = paths.map((path) => path.map((label, depth) => layNode({ label, depth, named })))
  const links = countLinks(layered).slice(0, settings.maxLinks || 250)
  const ends = links.flatMap(({ source, target }) => [source, target])
  const nodes = [...new Map(ends.map((node) => [idOf(node), node])).values()].sort(compareNodes)
  return {
    nodes: nodes.map((node) => ({ id: idOf(node), ...node })),
    links: links.map(({ source, target, value }) => ({
      source: idOf(source),
      target: idOf(target),
      value: BigInt(value),
    })),
  }
}

/** The labels that each session passes: equal neighbours are one, and the end is cut. */
function listPaths(query: Query, settings: UserFlowQuery): readonly (readonly string[])[] {
  return listRuns(query, settings).map((runs) => runs.map(({ label }) => label))
}

/** A stretch of equal neighbours of a session. */
interface Run {
  readonly label: string
  readonly events: readonly ReferenceEvent[]
}

function listRuns(query: Query, settings: UserFlowQuery): readonly (readonly Run[])[] {
  const eligible = eventsOfPersons(eventsInQuery(query), query.spec).filter(
    (event) => matchesEventFilter(subjectOf(query, event), settings.scope) && labelOf(event, settings) !== '',
  )
  const bySession = Map.groupBy(eligible.filter(hasSession), ({ sessionId }) => sessionId)
  return [...bySession.values()].map((events) => {
    const runs: Run[] = []
    for (const event of anchorEvents(events.toSorted(compareEvents), { query, settings })) {
      const label = labelOf(event, settings)
      const last = runs.at(-1)
      if (last?.label === label) runs[runs.length - 1] = { label, events: [...last.events, event] }
      else runs.push({ label, events: [event] })
    }
    return runs.slice(0, (settings.maxHops || 5) + 1)
  })
}

/** A session's way through the graph: its nodes, and the events that form each. */
export type FlowPath = readonly { readonly node: FlowNode; readonly events: readonly ReferenceEvent[] }[]

/** The ways of all sessions through the graph. */
function listFlowPaths(query: Query, settings: UserFlowQuery): readonly FlowPath[] {
  const named = new Set(rankLabels(listPaths(query, settings)).slice(0, settings.maxNodes || 20))
  return listRuns(query, settings).map((runs) =>
    runs.map(({ label, events }, depth) => ({ node: layNode({ label, depth, named }), events })),
  )
}

/** The events of a session between its anchors, in the direction of the path. */
function anchorEvents(
  events: readonly ReferenceEvent[],
  { query, settings }: { readonly query: Query; readonly settings: UserFlowQuery },
): readonly ReferenceEvent[] {
  const { startAt, endAt } = settings
  const isAt = (anchor: PathAnchor, event: ReferenceEvent): boolean =>
    anchor.match.case === 'node'
      ? labelOf(event, settings) === anchor.match.value
      : matchesEventFilter(subjectOf(query, event), anchor.match.value)
  if (startAt === undefined) {
    if (endAt === undefined) return events
    const last = events.findLastIndex((event) => isAt(endAt, event))
    return events.slice(0, last + 1).toReversed()
  }
  const first = events.findIndex((event) => isAt(startAt, event))
  if (first < 0) return []
  if (endAt === undefined) return events.slice(first)
  const last = events.findIndex((event, index) => index > first && isAt(endAt, event))
  return last < 0 ? [] : events.slice(first, last + 1)
}

function labelOf(event: ReferenceEvent, { nodeKind, nodeProperty, pathRules }: UserFlowQuery): string {
  const value = nodeKind === UserFlowQuery_NodeKind.PROPERTY ? propertyText(event, nodeProperty) : event.kind
  // Rules rewrite values: they give none to an event without one.
  if (value === '') return ''
  return pathRules.reduce(
    (text, { pattern, replacement }) =>
      text.replaceAll(new RegExp(pattern, 'gu'), (...matched) => fillIn(replacement, matched)),
    value,
  )
}

/** A replacement with the match and its groups in their places. */
function fillIn(replacement: string, groups: readonly unknown[]): string {
  return replacement.replaceAll(/\\(.)/g, (_, escaped: string) =>
    escaped === '\\' ? '\\' : String(groups[Number(escaped)] ?? ''),
  )
}

/** All labels, those on the paths of most sessions first. */
function rankLabels(paths: readonly (readonly string[])[]): readonly string[] {
  const labels = [...new Set(paths.flat())]
  const sessionCount = (label: string): number => paths.filter((path) => path.includes(label)).length
  return labels.sort(
    (left, right) => sessionCount(right) - sessionCount(left) || compareBytewise(left, right),
  )
}

function layNode(place: {
  readonly label: string
  readonly depth: number
  readonly named: ReadonlySet<string>
}): FlowNode {
  const { label, depth, named } = place
  return named.has(label) ? { depth, label, isOthers: false } : { depth, label: OTHERS, isOthers: true }
}

/** A session passes each depth once, so that it crosses a link once at most. */
function countLinks(paths: readonly (readonly FlowNode[])[]): readonly FlowLink[] {
  const crossings = paths.flatMap((path) =>
    path.slice(1).map((target, index) => ({ source: path[index] ?? target, target })),
  )
  const byEnds = Map.groupBy(crossings, ({ source, target }) => `${idOf(source)}\n${idOf(target)}`)
  const links = [...byEnds.values()].flatMap((list) =>
    list.slice(0, 1).map(({ source, target }) => ({ source, target, value: list.length })),
  )
  return links.sort(
    (left, right) =>
      right.value - left.value ||
      compareNodes(left.source, right.source) ||
      compareNodes(left.target, right.target),
  )
}

function compareNodes(...[left, right]: readonly [FlowNode, FlowNode]): number {
  return (
    left.depth - right.depth ||
    compareBytewise(left.label, right.label) ||
    Number(left.isOthers) - Number(right.isOthers)
  )
}

/** A property value may read `$others` too, and is another node then. */
function idOf({ depth, label, isOthers }: FlowNode): string {
  return JSON.stringify([depth, label, isOthers])
}

/** Writes places instead of ids; an id without a node or of two nodes is written as it is. */
function normaliseFlow({ nodes, links }: UserFlowResult): unknown {
  const byId = Map.groupBy(nodes, ({ id }) => id)
  const placeOf = (id: string): string => {
    const [node, ...more] = byId.get(id) ?? []
    if (node === undefined || more.length > 0)
      return `id ${id} of ${more.length === 0 ? 'no node' : 'several nodes'}`
    return `${node.depth} ${node.isOthers ? 'others' : 'label'} ${node.label}`
  }
  return {
    nodes: nodes.map(({ id }) => placeOf(id)).sort(compareBytewise),
    links: links.map(({ source, target, value }) => ({
      source: placeOf(source),
      target: placeOf(target),
      value,
    })),
  }
}

function flowPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const { userFlow } = query.spec
  if (!userFlow || result.case !== 'userFlow') return []
  const { nodes, links } = result.value
  const paths = listFlowPaths(query, userFlow)
  const isSame = (id: string, { depth, label, isOthers }: FlowNode): boolean =>
    nodes.some(
      (node) => node.id === id && node.depth === depth && node.label === label && node.isOthers === isOthers,
    )
  const ofNodes = nodes.map(({ id }) => ({
    point: pointOf('userFlow', { kind: { case: 'node', value: id } }),
    events: paths.flatMap((path) =>
      path.filter(({ node }) => isSame(id, node)).flatMap(({ events }) => events),
    ),
  }))
  const ofLinks = links.map(({ source, target }) => ({
    point: pointOf('userFlow', { kind: { case: 'link', value: { source, target } } }),
    events: paths.flatMap((path) =>
      path.flatMap((from, index) => {
        const to = path[index + 1]
        return to && isSame(source, from.node) && isSame(target, to.node)
          ? [...from.events, ...to.events]
          : []
      }),
    ),
  }))
  return [...ofNodes, ...ofLinks]
}
