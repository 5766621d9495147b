import type { JsonObject } from '@bufbuild/protobuf'
import { INVALID_PROPERTY_NAMES, invalidFilters } from './invalid-filters.ts'
import { aggregationOf, WINDOWED } from './invalid-parts.ts'
import { invalidSpecs, specOf } from './invalid-specs.ts'

/** Methods of `InsightsService` that have rules. */
export type InsightMethod = 'Query' | 'SegmentUsers' | 'GetPropertyValues'

/** A request in proto JSON that has to end in `invalid_argument`, named by the rule that it breaks. */
export interface InvalidRequest {
  readonly name: string
  readonly method: InsightMethod
  readonly request: JsonObject
}

const from = '2024-03-31T00:00:00Z'
const timeRange = { from, to: '2024-04-01T00:00:00Z' }
const event = { event: { kind: 'a' } }

/** Valid requests: each invalid one differs from one of these by the rule in its name. */
export const VALID_REQUESTS = {
  Query: { spec: specOf('TRENDS'), timeRange, granularity: 'GRANULARITY_DAY' },
  SegmentUsers: { timeRange, events: [event] },
  GetPropertyValues: { propertyKey: 'plan', source: 'PROPERTY_SOURCE_CUSTOM' },
} as const satisfies Record<InsightMethod, JsonObject>

/** Ranges one millisecond over the longest. */
const TOO_LONG = [
  ['MINUTE', '2024-03-31T06:00:00.001Z'],
  ['HOUR', '2024-04-14T00:00:00.001Z'],
  ['DAY', '2025-03-31T00:00:00.001Z'],
  ['WEEK', '2028-03-31T00:00:00.001Z'],
  ['MONTH', '2034-03-31T00:00:00.001Z'],
] as const

const COMPARISONS: readonly (readonly [name: string, compareTo: JsonObject])[] = [
  ['is with something', {}],
  ['is not with no previous period', { previousPeriod: false }],
  ['by a shift needs a unit', { shift: { count: 1 } }],
  ['by a shift needs a known unit', { shift: { unit: 99, count: 1 } }],
  ...[-1, 0, 401].map(
    (count) => [`is not ${count} days earlier`, { shift: { unit: 'CALENDAR_UNIT_DAY', count } }] as const,
  ),
]

/** Every rule of a request to `InsightsService`, with a request that breaks it. */
export function invalidRequests(): readonly InvalidRequest[] {
  return [...queryRules(), ...filterRules(), ...segmentRules(), ...propertyValueRules()]
}

function queryRules(): readonly InvalidRequest[] {
  const { spec, granularity } = VALID_REQUESTS.Query
  const query = (name: string, request: JsonObject): InvalidRequest => ({ name, method: 'Query', request })
  return [
    query('a query needs a spec', { timeRange, granularity }),
    query('a query needs a range', { spec, granularity }),
    query('a query needs a granularity', { spec, timeRange }),
    query('a query needs a known granularity', { spec, timeRange, granularity: 99 }),
    ...rangeRules().map(({ name, timeRange: range }) => query(name, { spec, granularity, timeRange: range })),
    ...TOO_LONG.map(([name, to]) =>
      query(`a range by ${name} has an end`, {
        spec,
        granularity: `GRANULARITY_${name}`,
        timeRange: { from, to },
      }),
    ),
    ...WINDOWED.flatMap((name) =>
      ['MINUTE', 'HOUR'].map((width) =>
        query(`${name} has no buckets of a ${width}`, {
          spec: specOf('TRENDS', { events: [{ ...event, aggregation: aggregationOf(name) }] }),
          granularity: `GRANULARITY_${width}`,
          timeRange: { from, to: '2024-03-31T01:00:00Z' },
        }),
      ),
    ),
    ...COMPARISONS.map(([name, compareTo]) =>
      query(`a comparison ${name}`, { ...VALID_REQUESTS.Query, compareTo }),
    ),
    query('the cap of a range holds without a time axis too', {
      spec: specOf('TOP_K'),
      granularity: 'GRANULARITY_MINUTE',
      timeRange,
    }),
    ...['MINUTE', 'HOUR'].map((name) =>
      query(`a lifecycle has no buckets of a ${name}`, {
        spec: specOf('LIFECYCLE'),
        granularity: `GRANULARITY_${name}`,
        timeRange: { from, to: '2024-03-31T06:00:00Z' },
      }),
    ),
    ...['Mars/Olympus', 'Europe', '\u{1f600}', "UTC'", ' '].map((timezone) =>
      query(`${JSON.stringify(timezone)} is no time zone`, { ...VALID_REQUESTS.Query, timezone }),
    ),
    ...['MINUTE', 'MONTH'].map((name) =>
      query(`elapsed periods are not of a ${name}`, {
        spec: specOf('RETENTION', { retention: { periods: 'PERIODS_ELAPSED' } }),
        granularity: `GRANULARITY_${name}`,
        timeRange: { from, to: '2024-03-31T06:00:00Z' },
      }),
    ),
    ...invalidSpecs().map((broken) => query(broken.name, { ...VALID_REQUESTS.Query, spec: broken.spec })),
  ]
}

function rangeRules(): readonly { readonly name: string; readonly timeRange: JsonObject }[] {
  return [
    { name: 'a range needs a start', timeRange: { to: timeRange.to } },
    { name: 'a range needs an end', timeRange: { from } },
    { name: 'a range is not empty', timeRange: { from, to: from } },
    { name: 'a range does not end before it starts', timeRange: { from: timeRange.to, to: from } },
  ]
}

/** Each place where a condition may stand. */
const PLACES: readonly { readonly place: string; readonly specWith: (filter: JsonObject) => JsonObject }[] = [
  {
    place: 'in a group',
    specWith: (filter) => specOf('SEGMENTATION', { filterGroups: [{ filters: [filter] }] }),
  },
  {
    place: 'in a series',
    specWith: (filter) => specOf('TRENDS', { events: [{ event: { filters: [filter] } }] }),
  },
  {
    place: 'in a step',
    specWith: (filter) => specOf('FUNNEL', { events: [event, { event: { filters: [filter] } }] }),
  },
  {
    place: 'in a lifecycle',
    specWith: (filter) => specOf('LIFECYCLE', { events: [{ event: { filters: [filter] } }] }),
  },
  {
    place: 'in a series of stickiness',
    specWith: (filter) => specOf('STICKINESS', { events: [event, { event: { filters: [filter] } }] }),
  },
  {
    place: 'in a scope of sessions',
    specWith: (filter) =>
      specOf('TRENDS', { session: { metric: 'SESSION_METRIC_SESSIONS', scope: { filters: [filter] } } }),
  },
  {
    place: 'in a scope of paths',
    specWith: (filter) => specOf('USER_FLOW', { userFlow: { scope: { filters: [filter] } } }),
  },
  {
    place: 'in a scope of a ranking',
    specWith: (filter) =>
      specOf('TOP_K', { topK: { dimension: 'DIMENSION_USER', scope: { filters: [filter] } } }),
  },
  {
    place: 'in a scope of a map',
    specWith: (filter) => specOf('MAP', { map: { scope: { filters: [filter] } } }),
  },
]

/** All rules of a condition at one place, and at every other place two rules: one of the schema and one of meaning. */
function filterRules(): readonly InvalidRequest[] {
  const all = invalidFilters()
  const few = all.filter(({ name }) =>
    /^(a filter needs an operator|BETWEEN needs its values in order)$/.test(name),
  )
  const broken = PLACES.flatMap(({ place, specWith }, index) =>
    (index === 0 ? all : few).map(({ name, filter }) => ({
      name: `${place}: ${name}`,
      spec: specWith(filter),
    })),
  )
  const filter = { property: 'plan', operator: 'FILTER_OPERATOR_IS_SET' }
  return [
    ...broken,
    { name: 'a group is not empty', spec: specOf('TRENDS', { filterGroups: [{}] }) },
    {
      name: 'a group needs a known operator',
      spec: specOf('TRENDS', { filterGroups: [{ filters: [filter], operator: 99 }] }),
    },
    {
      name: 'groups need a known operator',
      spec: specOf('TRENDS', { filterGroups: [{ filters: [filter] }], filterGroupsOperator: 99 }),
    },
  ].map(({ name, spec }) => ({ name, method: 'Query', request: { ...VALID_REQUESTS.Query, spec } }))
}

function segmentRules(): readonly InvalidRequest[] {
  const valid = VALID_REQUESTS.SegmentUsers
  const broken: readonly (readonly [name: string, request: JsonObject])[] = [
    ['a cohort of a segment needs an id', { ...valid, cohorts: [{}] }],
    ['a cohort of an event of a segment needs an id', { ...valid, events: [{ ...event, cohorts: [{}] }] }],
    ['a segment needs a range', { events: valid.events }],
    ['a segment needs events', { timeRange }],
    ...[-1, 1001].map((pageSize) => [`a page has no ${pageSize} users`, { ...valid, pageSize }] as const),
    ['a page token comes from an answer', { ...valid, pageToken: 'made up' }],
    ['a segment has no empty group', { ...valid, filterGroups: [{}] }],
    [
      'a segment has no filter without an operator',
      { ...valid, filterGroups: [{ filters: [{ property: 'a' }] }] },
    ],
    ...rangeRules().map(
      ({ name, timeRange: range }) => [`a segment: ${name}`, { ...valid, timeRange: range }] as const,
    ),
  ]
  return broken.map(([name, request]) => ({ name, method: 'SegmentUsers', request }))
}

function propertyValueRules(): readonly InvalidRequest[] {
  const valid = VALID_REQUESTS.GetPropertyValues
  const broken: readonly (readonly [name: string, request: JsonObject])[] = [
    ['property values need a name', { source: valid.source }],
    ['property values need a source', { propertyKey: valid.propertyKey }],
    ['property values need a known source', { ...valid, source: 99 }],
    ['property values of an auto property need a $', { ...valid, source: 'PROPERTY_SOURCE_AUTO' }],
    ...INVALID_PROPERTY_NAMES.filter((name) => name !== '').map(
      (name) =>
        [`property values are not of ${JSON.stringify(name)}`, { ...valid, propertyKey: name }] as const,
    ),
  ]
  return broken.map(([name, request]) => ({ name, method: 'GetPropertyValues', request }))
}
