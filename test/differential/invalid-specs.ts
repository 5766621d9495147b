import type { JsonObject, JsonValue } from '@bufbuild/protobuf'

/** A spec that breaks one rule. */
export interface InvalidSpec {
  readonly name: string
  readonly spec: JsonObject
}

const event = { event: { kind: 'a' } }
const NUMERIC = ['SUM', 'AVG', 'MIN', 'MAX'] as const
const aggregationOf = (name: string): string => `AGGREGATION_TYPE_${name}`

/** The least valid spec of each insight type. */
export const VALID_SPECS = {
  TRENDS: {},
  SEGMENTATION: {},
  FUNNEL: { events: [event] },
  RETENTION: { events: [event] },
  USER_FLOW: { userFlow: {} },
  TOP_K: { topK: { dimension: 'DIMENSION_EVENT_KIND' } },
  MAP: { map: {} },
} as const satisfies Record<string, JsonObject>

type Type = keyof typeof VALID_SPECS

const TYPES = ['TRENDS', 'SEGMENTATION', 'FUNNEL', 'RETENTION', 'USER_FLOW', 'TOP_K', 'MAP'] as const

/** Fields that only some types have; a field of another type is rejected. */
const OWNERS: readonly {
  readonly field: string
  readonly value: JsonValue
  readonly types: readonly Type[]
}[] = [
  { field: 'events', value: [event], types: ['TRENDS', 'SEGMENTATION', 'FUNNEL', 'RETENTION'] },
  { field: 'breakdowns', value: [{ property: 'plan' }], types: ['TRENDS', 'FUNNEL', 'RETENTION'] },
  { field: 'conversionWindow', value: '60s', types: ['FUNNEL'] },
  { field: 'includeStepTiming', value: true, types: ['FUNNEL'] },
  { field: 'session', value: { metric: 'SESSION_METRIC_SESSIONS' }, types: ['TRENDS', 'SEGMENTATION'] },
  { field: 'userFlow', value: {}, types: ['USER_FLOW'] },
  { field: 'topK', value: { dimension: 'DIMENSION_EVENT_KIND' }, types: ['TOP_K'] },
  { field: 'map', value: {}, types: ['MAP'] },
]

/** A spec of a type with some fields more. */
export function specOf(type: Type, fields: JsonObject = {}): JsonObject {
  return { insightType: `INSIGHT_TYPE_${type}`, ...VALID_SPECS[type], ...fields }
}

/** Every rule of a spec but those of filters, with a spec that breaks it and no other. */
export function invalidSpecs(): readonly InvalidSpec[] {
  return [
    { name: 'a spec needs a type', spec: {} },
    { name: 'a spec needs a known type', spec: { insightType: 99 } },
    ...foreignFields(),
    ...breakdownRules(),
    ...aggregationRules(),
    ...funnelAndRetentionRules(),
    ...sessionRules(),
    ...userFlowRules(),
    ...topKRules(),
    ...mapRules(),
  ]
}

function foreignFields(): readonly InvalidSpec[] {
  return OWNERS.flatMap(({ field, value, types }) =>
    TYPES.filter((type) => !types.includes(type)).map((type) => ({
      name: `${type} has no ${field}`,
      spec: specOf(type, { [field]: value }),
    })),
  )
}

function breakdownRules(): readonly InvalidSpec[] {
  const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((property) => ({ property }))
  const plan = [{ property: 'plan' }]
  return (['TRENDS', 'FUNNEL', 'RETENTION'] as const).flatMap((type) => [
    { name: `${type} has five breakdowns at most`, spec: specOf(type, { breakdowns: six }) },
    {
      name: `${type} breaks down once by a property`,
      spec: specOf(type, { breakdowns: [...plan, ...plan] }),
    },
    { name: `${type} breaks down by a name`, spec: specOf(type, { breakdowns: [{}] }) },
    {
      name: `${type} breaks down by a valid name`,
      spec: specOf(type, { breakdowns: [{ property: 'a b' }] }),
    },
    { name: `${type} has a limit only with breakdowns`, spec: specOf(type, { breakdownLimit: 1 }) },
    ...[-1, 101].map((breakdownLimit) => ({
      name: `${type} has no limit of ${breakdownLimit}`,
      spec: specOf(type, { breakdowns: plan, breakdownLimit }),
    })),
  ])
}

function aggregationRules(): readonly InvalidSpec[] {
  return (['TRENDS', 'SEGMENTATION'] as const).flatMap((type) => [
    ...NUMERIC.map((name) => ({
      name: `${name} in ${type} needs a property`,
      spec: specOf(type, { events: [{ ...event, aggregation: aggregationOf(name) }] }),
    })),
    {
      name: `SUM in ${type} needs a valid name`,
      spec: specOf(type, {
        events: [{ ...event, aggregation: aggregationOf('SUM'), aggregationProperty: 'a b' }],
      }),
    },
    {
      name: `${type} needs a known aggregation`,
      spec: specOf(type, { events: [{ ...event, aggregation: 99 }] }),
    },
  ])
}

function funnelAndRetentionRules(): readonly InvalidSpec[] {
  const many = (count: number): JsonObject[] => Array.from({ length: count }, () => event)
  const numeric = (name: string): JsonObject => ({
    events: [{ ...event, aggregation: aggregationOf(name), aggregationProperty: 'n' }],
  })
  return [
    { name: 'a funnel needs a step', spec: specOf('FUNNEL', { events: [] }) },
    { name: 'a funnel has twenty steps at most', spec: specOf('FUNNEL', { events: many(21) }) },
    { name: 'retention needs a start event', spec: specOf('RETENTION', { events: [] }) },
    { name: 'retention has two events at most', spec: specOf('RETENTION', { events: many(3) }) },
    ...(['FUNNEL', 'RETENTION'] as const).flatMap((type) =>
      NUMERIC.map((name) => ({ name: `${type} does not take ${name}`, spec: specOf(type, numeric(name)) })),
    ),
    {
      name: 'FUNNEL does not take PER_USER_AVG',
      spec: specOf('FUNNEL', { events: [{ ...event, aggregation: aggregationOf('PER_USER_AVG') }] }),
    },
    ...['0s', '0.5s', '1.5s', '-1s', '60.000000001s'].map((conversionWindow) => ({
      name: `a conversion window is not ${conversionWindow}`,
      spec: specOf('FUNNEL', { conversionWindow }),
    })),
  ]
}

function sessionRules(): readonly InvalidSpec[] {
  const sessionOf = (metric: string): JsonObject => ({ session: { metric: `SESSION_METRIC_${metric}` } })
  const two = [{ property: 'a' }, { property: 'b' }]
  return [
    ...(['TRENDS', 'SEGMENTATION'] as const).flatMap((type) => [
      { name: `a session in ${type} needs a metric`, spec: specOf(type, { session: {} }) },
      { name: `a session in ${type} needs a known metric`, spec: specOf(type, { session: { metric: 99 } }) },
      {
        name: `${type} has sessions or events`,
        spec: specOf(type, { ...sessionOf('SESSIONS'), events: [event] }),
      },
    ]),
    ...['ENTRY', 'EXIT'].flatMap((metric) => [
      { name: `${metric} is not for segmentation`, spec: specOf('SEGMENTATION', sessionOf(metric)) },
      { name: `${metric} needs a breakdown`, spec: specOf('TRENDS', sessionOf(metric)) },
      {
        name: `${metric} takes one breakdown`,
        spec: specOf('TRENDS', { ...sessionOf(metric), breakdowns: two }),
      },
    ]),
  ]
}

function userFlowRules(): readonly InvalidSpec[] {
  const broken: readonly (readonly [name: string, userFlow: JsonObject])[] = [
    ['needs a node property for property nodes', { nodeKind: 'NODE_KIND_PROPERTY' }],
    ['needs a valid node property', { nodeKind: 'NODE_KIND_PROPERTY', nodeProperty: 'a b' }],
    ['needs a known node kind', { nodeKind: 99 }],
    ['needs a known grouping', { groupBy: 99 }],
    ...[-1, 11].map((maxHops) => [`has no ${maxHops} hops`, { maxHops }] as const),
    ...[-1, 1, 51].map((maxNodes) => [`has no ${maxNodes} nodes`, { maxNodes }] as const),
    ...[-1, 501].map((maxLinks) => [`has no ${maxLinks} links`, { maxLinks }] as const),
  ]
  return [
    { name: 'a user flow needs its settings', spec: { insightType: 'INSIGHT_TYPE_USER_FLOW' } },
    ...broken.map(([name, userFlow]) => ({
      name: `a user flow ${name}`,
      spec: specOf('USER_FLOW', { userFlow }),
    })),
  ]
}

function topKRules(): readonly InvalidSpec[] {
  const byKind = { dimension: 'DIMENSION_EVENT_KIND' }
  const byUser = { dimension: 'DIMENSION_USER' }
  const broken: readonly (readonly [name: string, topK: JsonObject])[] = [
    ['needs a dimension', {}],
    ['needs a known dimension', { dimension: 99 }],
    ['by property needs a property', { dimension: 'DIMENSION_PROPERTY' }],
    ['by property needs a valid name', { dimension: 'DIMENSION_PROPERTY', property: 'a b' }],
    ['by kind has no property', { ...byKind, property: 'plan' }],
    ['by user has no property', { ...byUser, property: 'plan' }],
    ['needs a known metric', { ...byKind, metric: 99 }],
    ...['UNIQUE_USERS', 'PER_USER_AVG'].map(
      (name) => [`by user does not take ${name}`, { ...byUser, metric: aggregationOf(name) }] as const,
    ),
    ...NUMERIC.map(
      (name) => [`by ${name} needs a property`, { ...byKind, metric: aggregationOf(name) }] as const,
    ),
    ['by SUM needs a valid name', { ...byKind, metric: aggregationOf('SUM'), metricProperty: 'a b' }],
    ...[-1, 101].map((limit) => [`has no ${limit} rows`, { ...byKind, limit }] as const),
  ]
  return [
    { name: 'a ranking needs its settings', spec: { insightType: 'INSIGHT_TYPE_TOP_K' } },
    {
      name: 'a ranking has no breakdown limit',
      spec: specOf('TOP_K', { breakdownLimit: 1 }),
    },
    ...broken.map(([name, topK]) => ({ name: `a ranking ${name}`, spec: specOf('TOP_K', { topK }) })),
  ]
}

function mapRules(): readonly InvalidSpec[] {
  const counting = ['UNSPECIFIED', 'TOTAL', 'UNIQUE_USERS', 'PER_USER_AVG']
  return [
    { name: 'a map needs its settings', spec: { insightType: 'INSIGHT_TYPE_MAP' } },
    { name: 'a map has no breakdown limit', spec: specOf('MAP', { breakdownLimit: 1 }) },
    { name: 'a map needs a known metric', spec: specOf('MAP', { map: { metric: 99 } }) },
    ...NUMERIC.map((name) => ({
      name: `a map of ${name} needs a property`,
      spec: specOf('MAP', { map: { metric: aggregationOf(name) } }),
    })),
    {
      name: 'a map of SUM needs a valid name',
      spec: specOf('MAP', { map: { metric: aggregationOf('SUM'), metricProperty: 'a b' } }),
    },
    ...counting.map((name) => ({
      name: `a map of ${name} has no property`,
      spec: specOf('MAP', { map: { metric: aggregationOf(name), metricProperty: 'n' } }),
    })),
  ]
}
