import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
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
import type { ReferenceEvent } from './model.ts'
import { pointOf, type ReferencePoint } from './points.ts'
import { eventsInQuery, type Query, subjectOf } from './query.ts'
import { OTHERS } from './ranking.ts'
import { eventsOfPersons } from './users.ts'
import { propertyText } from './values.ts'
import { NODE_NAMES } from './vocabulary.ts'

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

const BROKEN: readonly (readonly [name: string, userFlow: JsonObject])[] = [
  ['needs a node property for property nodes', { nodeKind: 'NODE_KIND_PROPERTY' }],
  ['needs a valid node property', { nodeKind: 'NODE_KIND_PROPERTY', nodeProperty: 'a b' }],
  ['needs a known node kind', { nodeKind: 99 }],
  ['needs a known grouping', { groupBy: 99 }],
  ...[-1, 11].map((maxHops) => [`has no ${maxHops} hops`, { maxHops }] as const),
  ...[-1, 1, 51].map((maxNodes) => [`has no ${maxNodes} nodes`, { maxNodes }] as const),
  ...[-1, 501].map((maxLinks) => [`has no ${maxLinks} links`, { maxLinks }] as const),
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
    },
  }
}

/** A scope of one kind leaves no path between kinds, so that most have none. */
function pathScope(rng: Prng, generated: GeneratedWorld): ReturnType<typeof generateEventFilter> {
  const scope = generateEventFilter(rng, generated)
  return rng.chance(0.8) ? { ...scope, kind: '' } : scope
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
  const bySession = Map.groupBy(eligible, ({ sessionId }) => sessionId)
  return [...bySession.values()].map((events) => {
    const runs: Run[] = []
    for (const event of events.toSorted(compareEvents)) {
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
export function listFlowPaths(query: Query, settings: UserFlowQuery): readonly FlowPath[] {
  const named = new Set(rankLabels(listPaths(query, settings)).slice(0, settings.maxNodes || 20))
  return listRuns(query, settings).map((runs) =>
    runs.map(({ label, events }, depth) => ({ node: layNode({ label, depth, named }), events })),
  )
}

function labelOf(event: ReferenceEvent, { nodeKind, nodeProperty }: UserFlowQuery): string {
  return nodeKind === UserFlowQuery_NodeKind.PROPERTY ? propertyText(event, nodeProperty) : event.kind
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
