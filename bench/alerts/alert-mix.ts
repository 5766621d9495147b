import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { Prng } from '../../src/kernel/prng.ts'
import { counted, step } from '../insights/queries/create-request.ts'

/** Alerts of a project, its limit. */
export const ALERTS = 1000

/** One number that people watch: a query and the points of its answer that alerts are on. */
interface Watched {
  readonly spec: JsonObject
  readonly points: readonly [JsonObject, ...JsonObject[]]
  /** Hours that the query covers, where it has no time axis. */
  readonly rangeUnits?: number
}

const SEED = 20261020

const KINDS = [
  'page_view',
  'click',
  'search',
  'add_to_cart',
  'login',
  'video_play',
  'checkout',
  'purchase',
  'signup',
  'share',
] as const

const FILTERS: readonly (readonly [property: string, value: string] | undefined)[] = [
  undefined,
  ['$deviceType', 'mobile'],
  ['$deviceType', 'desktop'],
  ['$channel', 'Direct'],
  ['$channel', 'Organic Search'],
  ['$channel', 'Paid Search'],
  ['$browser', 'Safari'],
  ['$os', 'iOS'],
  ['$country', 'AA'],
  ['$language', 'de-DE'],
  ['plan', 'pro'],
  ['plan', 'team'],
]

const BREAKDOWNS = {
  $country: ['AA', 'BA', 'CB', 'DB'],
  $deviceType: ['desktop', 'mobile'],
  $browser: ['Chrome', 'Safari', 'Firefox', 'Edge'],
  $channel: ['Direct', 'Organic Search', 'Paid Search'],
  $utmCampaign: ['campaign-1', 'campaign-2', 'campaign-3'],
  plan: ['free', 'pro', 'team'],
} as const

const RANKED = { $country: 'AA', $browser: 'Chrome', $os: 'Windows', $language: 'en-US' } as const

const SUBJECTS = ['VALUE', 'VALUE', 'CHANGE_PERCENT', 'WEEKLY_CHANGE_PERCENT'] as const

/** Pairs of different kinds, for rates and funnels. */
const PAIRS = KINDS.flatMap((from, index) => KINDS.slice(index + 1).map((to) => [from, to] as const)).slice(
  0,
  40,
)

const FIRST_SERIES = { series: { series: 0 } }

/** The queries behind the alerts: 300, most of them counts over time, some with a breakdown, and rates, funnels, amounts and rankings. */
const WATCHED: readonly Watched[] = [
  ...KINDS.flatMap((kind) => FILTERS.map((filter, index) => countOf(kind, filter, index))),
  ...KINDS.flatMap((kind) =>
    Object.entries(BREAKDOWNS).map(([property, values]) => valuesOf(kind, property, values)),
  ),
  ...PAIRS.map(rateOf),
  ...PAIRS.map(funnelOf),
  ...['add_to_cart', 'checkout', 'purchase'].flatMap(amountsOf),
  ...['page_view', 'click', 'login', 'search'].flatMap((kind) =>
    Object.entries(RANKED).map(([property, value]) => rowOf(kind, property, value)),
  ),
]

/** The contents of the alerts, in proto JSON: each query has one, and the others are drawn among all queries. */
export function alertContents(): readonly JsonObject[] {
  const prng = new Prng(SEED)
  return Array.from({ length: ALERTS }, (_, index) => {
    const { spec, points, rangeUnits = 0 } = WATCHED[index] ?? prng.pick(WATCHED)
    return {
      name: `Alert ${index}`,
      spec,
      rangeUnits,
      point: prng.pick(points),
      condition: {
        subject: `SUBJECT_${prng.pick(SUBJECTS)}`,
        operator: prng.chance(0.5) ? 'OPERATOR_ABOVE' : 'OPERATOR_BELOW',
        threshold: 10 + prng.below(90),
      },
      cadence: 'ALERT_CADENCE_HOURLY',
    }
  })
}

function specOf(type: string, fields: Readonly<Record<string, JsonValue>>): JsonObject {
  return { insightType: `INSIGHT_TYPE_${type}`, ...fields }
}

function countOf(kind: string, filter: (typeof FILTERS)[number], index: number): Watched {
  const filters =
    filter === undefined
      ? []
      : [{ property: filter[0], operator: 'FILTER_OPERATOR_EQUALS', value: filter[1] }]
  const aggregation = `AGGREGATION_TYPE_${index % 3 === 0 ? 'UNIQUE_USERS' : 'TOTAL'}`
  const spec = specOf('TRENDS', { events: [{ event: { kind, filters }, aggregation }] })
  return { spec, points: [FIRST_SERIES] }
}

function valuesOf(kind: string, property: string, values: readonly string[]): Watched {
  const spec = specOf('TRENDS', { events: [counted(kind, 'TOTAL')], breakdowns: [{ property }] })
  const [first, ...others] = values.map((value) => ({
    series: { series: 0, breakdown: { [property]: value } },
  }))
  if (!first) throw new Error(`${property} has no values`)
  return { spec, points: [first, ...others] }
}

function rateOf([from, to]: readonly [string, string]): Watched {
  const events = [counted(from, 'TOTAL'), counted(to, 'TOTAL')]
  const spec = specOf('TRENDS', { events, formulas: [{ expression: '100 * B / A' }] })
  return { spec, points: [{ series: { series: 2 } }] }
}

function funnelOf([from, to]: readonly [string, string]): Watched {
  const spec = specOf('FUNNEL', { events: [step(from), step(to)], conversionWindow: '3600s' })
  return { spec, points: [{ funnel: { step: 2, measure: 'MEASURE_RATE_FROM_FIRST' } }], rangeUnits: 24 }
}

function amountsOf(kind: string): readonly Watched[] {
  return ['amount', 'items'].flatMap((property) =>
    ['SUM', 'AVG', 'MEDIAN', 'P90'].map((aggregation) => ({
      spec: specOf('TRENDS', { events: [counted(kind, aggregation, property)] }),
      points: [FIRST_SERIES] as const,
    })),
  )
}

function rowOf(kind: string, property: string, value: string): Watched {
  const topK = { dimension: 'DIMENSION_PROPERTY', property, scope: { kind } }
  return { spec: specOf('TOP_K', { topK }), points: [{ row: { value } }], rangeUnits: 24 }
}
