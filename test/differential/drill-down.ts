import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  FunnelPoint_Outcome,
  type PointSchema,
  RetentionPoint_Outcome,
} from '../../src/contract/gen/millrace/people/v1/actors_service_pb.js'
import { AggregationType } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import { InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryResponse } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { bucketIndex } from './buckets.ts'
import { compareBytewise } from './bytewise.ts'
import { listParts } from './cohort-parts.ts'
import { breakDownAttempts } from './funnel.ts'
import { rankCountries } from './map.ts'
import type { People, ReferenceEvent } from './model.ts'
import { bucketsOf, type Query } from './query.ts'
import type { BrokenDown } from './ranking.ts'
import { breakDownMembers } from './retention.ts'
import { breakDownSessions } from './session-metrics.ts'
import { rankEvents } from './top-k.ts'
import { breakDownEntry, eventsOfEntry, listEntries } from './trends.ts'
import { type FlowNode, listFlowPaths } from './user-flow.ts'
import { canonicalUser, shownUser } from './users.ts'

type PointInit = Exclude<MessageInitShape<typeof PointSchema>, { $typeName: string }>

/** A point of an answer with the events that it counts. */
export interface ReferencePoint {
  readonly point: PointInit
  readonly events: readonly ReferenceEvent[]
  /** The number that the answer shows there, when it counts users. */
  readonly users?: number | undefined
}

/** A user behind a point. */
export interface ReferenceActor {
  readonly id: string
  readonly events: number
  readonly firstMs: number
  readonly lastMs: number
  /** The latest first, ties by id; all of them. */
  readonly sessions: readonly string[]
}

/** Lists the points of an answer. */
export type ListPoints = (query: Query, response: QueryResponse) => readonly ReferencePoint[]

const POINTS: Readonly<Record<Exclude<InsightType, InsightType.UNSPECIFIED>, ListPoints>> = {
  [InsightType.TRENDS]: (query, response) =>
    query.spec.session ? sessionPoints(query) : trendsPoints(query, response),
  [InsightType.SEGMENTATION]: segmentationPoints,
  [InsightType.FUNNEL]: funnelPoints,
  [InsightType.RETENTION]: retentionPoints,
  [InsightType.USER_FLOW]: flowPoints,
  [InsightType.TOP_K]: topKPoints,
  [InsightType.MAP]: mapPoints,
}

/** Every point of the answer to a query; ids of nodes are those of the answer. */
export function listPoints(query: Query, response: QueryResponse): readonly ReferencePoint[] {
  const { insightType } = query.spec
  if (insightType === InsightType.UNSPECIFIED) throw new RangeError('a query without an insight type')
  return listParts(query, response, POINTS[insightType])
}

/** The number of users behind events, and those who are listed, ascending. */
export function listActors(
  { events }: ReferencePoint,
  people: People,
): { readonly total: number; readonly actors: readonly ReferenceActor[] } {
  const byUser = Map.groupBy(events, ({ distinctId }) => canonicalUser(people, distinctId))
  const persons = [...byUser.values()].filter((list) => list.some(({ cookieless }) => !cookieless))
  const actors = persons.map((list): ReferenceActor => {
    const times = list.map(({ occurMs }) => occurMs)
    return {
      id: shownUser(people, list[0]?.distinctId ?? ''),
      events: list.length,
      firstMs: Math.min(...times),
      lastMs: Math.max(...times),
      sessions: sessionsOf(list),
    }
  })
  return { total: byUser.size, actors: actors.sort((a, b) => compareBytewise(a.id, b.id)) }
}

function sessionsOf(events: readonly ReferenceEvent[]): readonly string[] {
  const latest = [...Map.groupBy(events, ({ sessionId }) => sessionId)].map(
    ([id, list]) => [id, Math.max(...list.map(({ occurMs }) => occurMs))] as const,
  )
  return latest.sort((a, b) => b[1] - a[1] || compareBytewise(a[0], b[0])).map(([id]) => id)
}

/** How a point names a series. */
function nameOf({ breakdown, isOthers }: BrokenDown<unknown>): {
  readonly breakdown: Record<string, string>
  readonly others: boolean
} {
  return isOthers ? { breakdown: {}, others: true } : { breakdown, others: false }
}

function trendsPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const starts = bucketsOf(query)
  const answered = result.case === 'trends' ? result.value.series : []
  let position = 0
  return listEntries(query).flatMap((entry, series) =>
    breakDownEntry(query, entry).flatMap((group) => {
      const points = answered[position++]?.points
      const countsUsers = entry.metric.aggregation === AggregationType.UNIQUE_USERS
      const name = { series, ...nameOf(group) }
      const buckets = starts.map((startMs, index) => ({
        point: point('trends', { ...name, bucket: timestampFromMs(startMs) }),
        events: group.items.filter(({ occurMs }) => bucketIndex(starts, occurMs) === index),
        users: countsUsers ? points?.[index]?.value : undefined,
      }))
      return [{ point: point('trends', name), events: group.items }, ...buckets]
    }),
  )
}

function sessionPoints(query: Query): readonly ReferencePoint[] {
  const { session } = query.spec
  if (!session) return []
  const starts = bucketsOf(query)
  return breakDownSessions(query, session).flatMap((group) => {
    const name = nameOf(group)
    const buckets = starts.map((startMs, index) => ({
      point: point('trends', { ...name, bucket: timestampFromMs(startMs) }),
      events: group.items
        .filter(({ first }) => bucketIndex(starts, first.occurMs) === index)
        .flatMap(({ events }) => events),
    }))
    return [{ point: point('trends', name), events: group.items.flatMap(({ events }) => events) }, ...buckets]
  })
}

function segmentationPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const { session } = query.spec
  if (session) {
    const events = breakDownSessions(query, session).flatMap(({ items }) =>
      items.flatMap((each) => each.events),
    )
    return [{ point: point('segmentation', {}), events }]
  }
  const values = result.case === 'segmentation' ? result.value.values : []
  return listEntries(query).map((entry, series) => ({
    point: point('segmentation', { series }),
    events: eventsOfEntry(query, entry),
    users: entry.metric.aggregation === AggregationType.UNIQUE_USERS ? values[series] : undefined,
  }))
}

function funnelPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const answered = result.case === 'funnel' ? result.value.series : []
  return breakDownAttempts(query).flatMap((group, position) =>
    query.spec.events.flatMap((_, index) => {
      const name = { step: index + 1, ...nameOf(group) }
      const totals = answered[position]?.steps.map(({ total }) => total) ?? []
      const of = (isOf: (length: number) => boolean): readonly ReferenceEvent[] =>
        group.items.filter(({ length }) => isOf(length)).flat()
      const reached = {
        point: point('funnel', { ...name, outcome: FunnelPoint_Outcome.REACHED }),
        events: of((length) => length > index),
        users: totals[index],
      }
      if (index === 0) return [reached]
      const dropped = {
        point: point('funnel', { ...name, outcome: FunnelPoint_Outcome.DROPPED }),
        events: of((length) => length === index),
        users: (totals[index - 1] ?? 0) - (totals[index] ?? 0),
      }
      return [reached, dropped]
    }),
  )
}

function retentionPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const starts = bucketsOf(query)
  const answered = result.case === 'retention' ? result.value.series : []
  return breakDownMembers(query).flatMap((group, position) =>
    starts.flatMap((startMs, cohort) => {
      const members = group.items.filter((member) => member.cohort === cohort)
      const shown = answered[position]?.cohorts[cohort]
      const within = (events: readonly ReferenceEvent[], bucket: number): readonly ReferenceEvent[] =>
        events.filter(({ occurMs }) => bucketIndex(starts, occurMs) === bucket)
      return starts.slice(cohort).flatMap((_, period) => {
        const name = { cohort: timestampFromMs(startMs), period, ...nameOf(group) }
        const bucket = cohort + period
        const [back, away] = [
          members.filter(({ returns }) => returns.has(bucket)),
          members.filter(({ returns }) => !returns.has(bucket)),
        ]
        const size = shown?.cohortSize ?? 0
        const returned = Math.round(((shown?.points[period]?.value ?? 0) * size) / 100)
        return [
          {
            point: point('retention', { ...name, outcome: RetentionPoint_Outcome.RETURNED }),
            events: back.flatMap((member) => within(member.returned, bucket)),
            users: returned,
          },
          {
            point: point('retention', { ...name, outcome: RetentionPoint_Outcome.DID_NOT_RETURN }),
            events: away.flatMap((member) => within(member.started, cohort)),
            users: size - returned,
          },
        ]
      })
    }),
  )
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
    point: point('userFlow', { kind: { case: 'node', value: id } }),
    events: paths.flatMap((path) =>
      path.filter(({ node }) => isSame(id, node)).flatMap(({ events }) => events),
    ),
  }))
  const ofLinks = links.map(({ source, target }) => ({
    point: point('userFlow', { kind: { case: 'link', value: { source, target } } }),
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

function topKPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const { topK } = query.spec
  if (!topK || result.case !== 'topK') return []
  const { top, rest } = rankEvents(query, topK)
  const values =
    topK.metric === AggregationType.UNIQUE_USERS ? result.value.rows.map(({ value }) => value) : []
  const rows = top.map(({ values: [value = ''], items }, index) => ({
    point: point('row', { value }),
    events: items,
    users: values[index],
  }))
  if (topK.omitOthers || rest.length === 0) return rows
  return [...rows, { point: point('row', { others: true }), events: rest, users: values[top.length] }]
}

function mapPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const { map } = query.spec
  if (!map || result.case !== 'topK') return []
  const values =
    map.metric === AggregationType.UNIQUE_USERS ? result.value.rows.map(({ value }) => value) : []
  return rankCountries(query, map).map(({ values: [value = ''], items }, index) => ({
    point: point('row', { value }),
    events: items,
    users: values[index],
  }))
}

type Kind = Exclude<NonNullable<PointInit['kind']>, { case: undefined }>

function point<Case extends Kind['case']>(
  name: Case,
  value: Extract<Kind, { case: Case }>['value'],
): PointInit {
  return { kind: { case: name, value } as Kind }
}
