import { timestampMs } from '@bufbuild/protobuf/wkt'
import { FilterOperator } from '../../src/contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../src/contract/gen/common/v1/property_pb.js'
import type { VisitsServiceListRequest } from '../../src/contract/gen/millrace/web/v1/visits_service_pb.js'
import {
  Dimension,
  type QueryOverviewRequest,
  type QueryTableRequest,
  type WebFilter,
} from '../../src/contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import type { Goal } from '../../src/query/goals/goal-store.ts'
import { bucketIndex, listBucketStarts } from './buckets.ts'
import { compareBytewise, compareEvents } from './bytewise.ts'
import { matchesCohorts } from './cohorts.ts'
import { matchesEventFilter, matchesFilter } from './filters.ts'
import { firstOfUser } from './first-events.ts'
import { hasSession, type MsRange, type ReferenceEvent } from './model.ts'
import { canonicalUser, findProfile } from './users.ts'
import { propertyText, readProperty } from './values.ts'
import { comparedRange } from './web-comparison.ts'
import { matchesPattern, matchesText } from './web-texts.ts'
import type { WebWorld } from './web-world.ts'

/** Measures as plain numbers. */
export interface Measures {
  readonly visitors: number
  readonly visits: number
  readonly pageViews: number
  readonly viewsPerVisit: number
  readonly bounceRate: number
  readonly visitDurationSeconds: number
}

/** A row of a table as plain numbers. */
export interface Row {
  readonly value: string
  readonly goalId: string
  readonly metrics: Measures
  readonly share: number
  readonly conversions: number
  readonly conversionRate: number
  readonly goalValue: number
}

/** A session: all its events by time, then by the text of the id. */
interface Visit {
  readonly events: readonly ReferenceEvent[]
  readonly first: ReferenceEvent
  readonly last: ReferenceEvent
}

type WebRequest = QueryOverviewRequest | QueryTableRequest
type Selected = Pick<WebRequest, 'filters' | 'includeBots' | 'cohorts'>

/** The fields of a listed visit that are properties of its first event. */
const LISTED_PROPERTIES = {
  channel: '$channel',
  referrer: '$referrerDomain',
  utmSource: '$utmSource',
  utmMedium: '$utmMedium',
  utmCampaign: '$utmCampaign',
  country: '$country',
  region: '$region',
  city: '$city',
  browser: '$browser',
  os: '$os',
  deviceType: '$deviceType',
  language: '$language',
} as const

/** The visits of a range one by one, the latest start first. */
export function listVisits(web: WebWorld, request: VisitsServiceListRequest): readonly object[] {
  return selectVisits(web, request, rangeOf(request))
    .filter(({ events }) => events.some((event) => meetsAllFilters(web, event, request)))
    .filter(({ events }) => events.some((event) => isOfPerson(web, event, request)))
    .toSorted(
      (left, right) =>
        right.first.occurMs - left.first.occurMs ||
        compareBytewise(right.first.sessionId, left.first.sessionId),
    )
    .map((visit) => listed(web, visit))
}

/** Whether one event meets the filters on events and those on properties. */
function meetsAllFilters(
  { world }: WebWorld,
  event: ReferenceEvent,
  { filters, propertyFilters }: VisitsServiceListRequest,
): boolean {
  const isMet = propertyFilters.every((filter) => matchesFilter({ event, world }, filter))
  return isMet && meetsEventFilters(event, filters)
}

function isOfPerson(
  { world: { people } }: WebWorld,
  event: ReferenceEvent,
  { distinctId }: VisitsServiceListRequest,
): boolean {
  return distinctId === '' || canonicalUser(people, event.distinctId) === canonicalUser(people, distinctId)
}

function listed({ world }: WebWorld, visit: Visit): object {
  const { events, first, last } = visit
  const profile = findProfile(world.people, first.distinctId)
  const properties = Object.entries(LISTED_PROPERTIES).map(([field, name]) => [
    field,
    propertyText(first, name),
  ])
  return {
    sessionId: first.sessionId,
    startMs: first.occurMs,
    endMs: last.occurMs,
    events: events.length,
    pageViews: events.filter(({ kind }) => kind === 'page_view').length,
    bounced: events.length === 1,
    isBot: events.some(isBot),
    entryPage: attributeOf(visit, Dimension.ENTRY_PAGE),
    exitPage: attributeOf(visit, Dimension.EXIT_PAGE),
    ...Object.fromEntries(properties),
    visitor: {
      id: profile?.externalId ?? first.distinctId,
      profileId: profile?.profileId ?? '',
      isCookieless: first.cookieless,
    },
  }
}

/** The ids of a session's events, the first event first. */
export function eventIdsOf({ world }: WebWorld, sessionId: string): readonly string[] {
  const events = world.events.filter((event) => event.sessionId === sessionId)
  return events.toSorted(compareEvents).map(({ eventId }) => eventId)
}

/** The properties of dimensions of a visit's first event. */
export const FIRST_EVENT: ReadonlyMap<Dimension, string> = new Map([
  [Dimension.CHANNEL, '$channel'],
  [Dimension.REFERRER, '$referrerDomain'],
  [Dimension.UTM_SOURCE, '$utmSource'],
  [Dimension.UTM_MEDIUM, '$utmMedium'],
  [Dimension.UTM_CAMPAIGN, '$utmCampaign'],
  [Dimension.UTM_TERM, '$utmTerm'],
  [Dimension.UTM_CONTENT, '$utmContent'],
  [Dimension.COUNTRY, '$country'],
  [Dimension.REGION, '$region'],
  [Dimension.CITY, '$city'],
  [Dimension.BROWSER, '$browser'],
  [Dimension.OS, '$os'],
  [Dimension.DEVICE_TYPE, '$deviceType'],
  [Dimension.LANGUAGE, '$language'],
])

const ON_EVENTS: readonly Dimension[] = [Dimension.PAGE, Dimension.HOSTNAME, Dimension.EVENT_KIND]

/** The totals and the points of an overview, and those of the range to compare with. */
export function answerOverview(web: WebWorld, request: QueryOverviewRequest): unknown {
  const main = rangeOf(request)
  const compared = comparedRange(request, main, zoneOf(web, request))
  const measureRange = (range: MsRange): { totals: Measures; points: unknown[] } => {
    const visits = selectVisits(web, request, range)
    const calendar = { granularity: request.granularity, timeZone: zoneOf(web, request) }
    const starts = range.fromMs < range.toMs ? listBucketStarts(range, calendar) : []
    const points = starts.map((start, index) => {
      const own = visits.filter(({ first }) => bucketIndex(starts, first.occurMs) === index)
      return { time: start, metrics: measure(web, request, own) }
    })
    return { totals: measure(web, request, visits), points }
  }
  const own = measureRange(main)
  const other = compared && measureRange(compared)
  return {
    ...own,
    ...(other ? { comparisonTotals: other.totals, comparisonPoints: other.points } : {}),
  }
}

/** A page of the rows of a table, each with the row of its value in the range to compare with. */
export function answerTable(
  web: WebWorld,
  request: QueryTableRequest,
): { readonly rows: readonly object[]; readonly totalRows: number } {
  const main = rangeOf(request)
  const compared = comparedRange(request, main, zoneOf(web, request))
  const rows = listRows(web, request, main)
    .filter(({ value }) => value.toLowerCase().includes(request.search.toLowerCase()))
    .sort(
      (left, right) =>
        right.metrics.visitors - left.metrics.visitors ||
        compareBytewise(left.value, right.value) ||
        compareBytewise(left.goalId, right.goalId),
    )
  const others = compared && listRows(web, request, compared)
  const shown = rows.slice(request.offset, request.offset + (request.limit || 10))
  const withOther = (row: Row): object => {
    if (!others) return row
    const other = others.find(({ value, goalId }) => value === row.value && goalId === row.goalId)
    return { ...row, comparison: other ?? { ...NO_ROW, value: row.value, goalId: row.goalId } }
  }
  return { rows: shown.map(withOther), totalRows: rows.length }
}

const NO_ROW: Row = {
  value: '',
  goalId: '',
  metrics: {
    visitors: 0,
    visits: 0,
    pageViews: 0,
    viewsPerVisit: 0,
    bounceRate: 0,
    visitDurationSeconds: 0,
  },
  share: 0,
  conversions: 0,
  conversionRate: 0,
  goalValue: 0,
}

function listRows(web: WebWorld, request: QueryTableRequest, range: MsRange): readonly Row[] {
  const visits = selectVisits(web, request, range)
  const visitorsOfAll = measure(web, request, visits).visitors
  const share = (metrics: Measures): number => percent(metrics.visitors, visitorsOfAll)
  if (request.dimension === Dimension.GOAL) {
    return web.goals.map((goal) => {
      const completed = visits.filter((visit) => conversionsOf(web, visit, goal).length > 0)
      const conversions = completed.flatMap((visit) => conversionsOf(web, visit, goal))
      const metrics = measure(web, request, completed)
      const goalValue = conversions.reduce((sum, event) => sum + amountOf(event, goal), 0)
      return {
        value: goal.name,
        goalId: goal.id,
        metrics,
        share: share(metrics),
        conversions: conversions.length,
        conversionRate: share(metrics),
        goalValue,
      }
    })
  }
  const values = new Set(visits.flatMap((visit) => valuesOf(visit, request)))
  return [...values].map((value) => {
    const own = visits.filter((visit) => valuesOf(visit, request).includes(value))
    const metrics = measure(web, request, own, value)
    return { ...NO_ROW, value, metrics, share: share(metrics) }
  })
}

/** The values by which a visit is in rows of a table. */
function valuesOf(visit: Visit, { dimension, filters }: QueryTableRequest): readonly string[] {
  if (!ON_EVENTS.includes(dimension)) return [attributeOf(visit, dimension)]
  return visit.events
    .filter((event) => dimension !== Dimension.PAGE || event.kind === 'page_view')
    .filter((event) => meetsEventFilters(event, filters))
    .map((event) => eventText(event, dimension))
}

function eventText(event: ReferenceEvent, dimension: Dimension): string {
  if (dimension === Dimension.EVENT_KIND) return event.kind
  return propertyText(event, dimension === Dimension.PAGE ? '$pathname' : '$hostname')
}

/** The attribute of a visit; missing is the empty text. */
function attributeOf({ events, first }: Visit, dimension: Dimension): string {
  const views = events.filter(({ kind }) => kind === 'page_view')
  if (dimension === Dimension.ENTRY_PAGE) return views[0] ? propertyText(views[0], '$pathname') : ''
  if (dimension === Dimension.EXIT_PAGE) {
    const last = views.at(-1)
    return last ? propertyText(last, '$pathname') : ''
  }
  const name = FIRST_EVENT.get(dimension)
  if (name === undefined) throw new RangeError(`dimension ${dimension} is no attribute`)
  return propertyText(first, name)
}

/** The visits of a range that all numbers of an answer are of. */
function selectVisits(web: WebWorld, request: Selected, { fromMs, toMs }: MsRange): readonly Visit[] {
  const { world } = web
  const taking = world.events
    .filter(hasSession)
    .filter((event) => matchesCohorts({ event, world }, request.cohorts))
  const sessions = Map.groupBy(taking, ({ sessionId }) => sessionId)
  return [...sessions.values()]
    .map((events): Visit => {
      const sorted = events.toSorted(compareEvents)
      const [first, last] = [sorted[0], sorted.at(-1)]
      if (first === undefined || last === undefined) throw new RangeError('a session without events')
      return { events: sorted, first, last }
    })
    .filter(({ first }) => first.occurMs >= fromMs && first.occurMs < toMs)
    .filter(({ events }) => request.includeBots || !events.some(isBot))
    .filter(({ events }) => events.some((event) => meetsEventFilters(event, request.filters)))
    .filter((visit) => request.filters.every((filter) => meetsVisitFilter(web, visit, filter)))
}

function isBot({ properties }: ReferenceEvent): boolean {
  const mark = properties.get('$bot')
  return mark?.type === 'bool' && mark.value
}

/** Whether one event meets all filters on events. */
function meetsEventFilters(event: ReferenceEvent, filters: readonly WebFilter[]): boolean {
  return filters
    .filter(({ dimension }) => ON_EVENTS.includes(dimension))
    .every((filter) => matchesText(eventText(event, filter.dimension), filter))
}

function meetsVisitFilter(web: WebWorld, visit: Visit, filter: WebFilter): boolean {
  if (ON_EVENTS.includes(filter.dimension)) return true
  if (filter.source === PropertySource.FIRST_TOUCH) {
    const name = FIRST_EVENT.get(filter.dimension) ?? ''
    return matchesText(propertyText(firstOfUser(web.world, visit.first), name), filter)
  }
  if (filter.dimension !== Dimension.GOAL) return matchesText(attributeOf(visit, filter.dimension), filter)
  const goal = web.goals.find(({ id }) => id === filter.goalId)
  if (goal === undefined) throw new RangeError('a filter on a goal that does not exist')
  const isCompleted = conversionsOf(web, visit, goal).length > 0
  return filter.operator === FilterOperator.EQUALS ? isCompleted : !isCompleted
}

function conversionsOf(web: WebWorld, visit: Visit, { target }: Goal): readonly ReferenceEvent[] {
  return visit.events.filter((event) => {
    if (target.case === 'event') return matchesEventFilter({ event, world: web.world }, target.value)
    return event.kind === 'page_view' && matchesPattern(propertyText(event, '$pathname'), target.value)
  })
}

function amountOf(event: ReferenceEvent, { valueProperty }: Goal): number {
  return valueProperty === '' ? 0 : (readProperty(event, valueProperty)?.number ?? 0)
}

/** The measures of visits; for a value of events, its page views only. */
function measure(
  { world }: WebWorld,
  request: WebRequest,
  visits: readonly Visit[],
  value?: string,
): Measures {
  const ofValue = 'dimension' in request && value !== undefined && ON_EVENTS.includes(request.dimension)
  const views = visits
    .flatMap(({ events }) => events)
    .filter(({ kind }) => kind === 'page_view')
    .filter((event) => meetsEventFilters(event, request.filters))
    .filter((event) => !ofValue || eventText(event, request.dimension) === value)
  const users = visits.flatMap(({ events }) =>
    events.map(({ distinctId }) => canonicalUser(world.people, distinctId)),
  )
  const seconds = visits.reduce((sum, { first, last }) => sum + (last.occurMs - first.occurMs) / 1000, 0)
  const bounces = visits.filter(({ events }) => events.length === 1)
  return {
    visitors: new Set(users).size,
    visits: visits.length,
    pageViews: views.length,
    viewsPerVisit: visits.length === 0 ? 0 : views.length / visits.length,
    bounceRate: percent(bounces.length, visits.length),
    visitDurationSeconds: visits.length === 0 ? 0 : seconds / visits.length,
  }
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : (part / whole) * 100
}

function zoneOf({ world }: WebWorld, { timezone }: WebRequest): string {
  return timezone || world.timeZone || 'UTC'
}

function rangeOf({ timeRange }: Pick<WebRequest, 'timeRange'>): MsRange {
  if (!timeRange?.from || !timeRange.to) throw new RangeError('a request without a range')
  return { fromMs: timestampMs(timeRange.from), toMs: timestampMs(timeRange.to) }
}
