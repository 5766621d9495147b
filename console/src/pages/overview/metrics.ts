import type { WebMetrics } from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import type { Unit } from '../../format/unit.ts'
import { formatSeconds } from '../../format/values.ts'
import { currentLocale } from '../../i18n/language.ts'
import type { MessageKey } from '../../i18n/translate.ts'
import type { Change } from '../../ui/change.ts'

interface MetricEntry {
  readonly name: MessageKey & `overview.${string}`
  /** The message with its definition. */
  readonly definition: MessageKey & `overview.${string}`
  readonly unit: Unit
  /** The direction that is good news. */
  readonly better: 'up' | 'down'
  readonly read: (metrics: WebMetrics) => number
  /** Whether it is a count, which is 0 without visits; a rate or a mean has no value then. */
  readonly isCount?: boolean
}

/** The measures of the strip, in its order. */
export const METRICS = {
  visitors: {
    name: 'overview.visitors',
    definition: 'overview.visitorsMeaning',
    unit: 'number',
    better: 'up',
    read: ({ visitors }) => Number(visitors),
    isCount: true,
  },
  visits: {
    name: 'overview.visits',
    definition: 'overview.visitsMeaning',
    unit: 'number',
    better: 'up',
    read: ({ visits }) => Number(visits),
    isCount: true,
  },
  views: {
    name: 'overview.pageViews',
    definition: 'overview.pageViewsMeaning',
    unit: 'number',
    better: 'up',
    read: ({ pageViews }) => Number(pageViews),
    isCount: true,
  },
  'per-visit': {
    name: 'overview.viewsPerVisit',
    definition: 'overview.viewsPerVisitMeaning',
    unit: 'number',
    better: 'up',
    read: ({ viewsPerVisit }) => viewsPerVisit,
  },
  bounce: {
    name: 'overview.bounceRate',
    definition: 'overview.bounceRateMeaning',
    unit: 'percent',
    better: 'down',
    read: ({ bounceRate }) => bounceRate,
  },
  duration: {
    name: 'overview.visitDuration',
    definition: 'overview.visitDurationMeaning',
    unit: 'seconds',
    better: 'up',
    read: ({ visitDurationSeconds }) => visitDurationSeconds,
  },
} as const satisfies Readonly<Record<string, MetricEntry>>

/** A measure of visits, as in addresses. */
export type MetricName = keyof typeof METRICS

/** The measures in the order of the strip. */
export const METRIC_NAMES = Object.keys(METRICS) as MetricName[]

/** Whether a text names a measure. */
export function isMetric(text: string): text is MetricName {
  return Object.hasOwn(METRICS, text)
}

const whole = new Intl.NumberFormat(currentLocale, { maximumFractionDigits: 0 })
const two = new Intl.NumberFormat(currentLocale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const percent = new Intl.NumberFormat(currentLocale, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** The least share that one decimal shows. */
const SHARE_MIN = 0.1

/** A count in full. */
export function writeCount(count: bigint | number): string {
  return whole.format(count)
}

/** A percentage, 0 to 100, with one decimal. */
export function writePercent(value: number): string {
  if (value > 0 && value < SHARE_MIN) return `<${percent.format(SHARE_MIN / 100)}`
  return percent.format(value / 100)
}

/** Whether a measure has a value: a bounce rate or a mean of no visits is unknown. */
export function isKnown(name: MetricName, { visits }: WebMetrics): boolean {
  const entry: MetricEntry = METRICS[name]
  return visits > 0n || entry.isCount === true
}

/** A value of a measure in full. */
export function writeMetric(name: MetricName, metrics: WebMetrics): string {
  return writeValue(name, METRICS[name].read(metrics))
}

/** A number as the value of a measure. */
export function writeValue(name: MetricName, value: number): string {
  if (name === 'bounce') return writePercent(value)
  if (name === 'duration') return formatSeconds(Math.round(value))
  return name === 'per-visit' ? two.format(value) : whole.format(value)
}

/** The change of a measure since another range; a rate changes by percentage points. */
export function changeOfMetric(name: MetricName, now: WebMetrics, before: WebMetrics): Change {
  const { read, better } = METRICS[name]
  return changeOfValue(read(now), read(before), name === 'bounce' ? { unit: 'pp', better } : { better })
}

/** The change of a value; `unit: 'pp'` for percentages from 0 to 100. */
export function changeOfValue(
  now: number,
  before: number,
  { unit = 'percent', better = 'up' }: Pick<Change, 'unit' | 'better'> = {},
): Change {
  if (unit === 'pp') return { by: (now - before) / 100, unit, better }
  if (before === 0) return { by: now === 0 ? 0 : 'new', better }
  return { by: (now - before) / before, better }
}
