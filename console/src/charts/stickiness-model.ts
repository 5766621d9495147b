import type { StickinessResult } from '@contract/millrace/insights/v1/stickiness_pb.js'
import { valueTicks } from '@domain/charts/value-axis.ts'
import { eventLabel } from '../format/labels.ts'

/** People of one series with one number of active buckets. */
export interface ActivityBar {
  readonly series: number
  readonly label: string
  readonly buckets: number
  /** With exactly that many, and with that many or more. */
  readonly people: number
  readonly orMore: number
  /** Of the height of the chart. */
  readonly share: number
  readonly orMoreShare: number
}

/** Bars and lines of stickiness, ready to be drawn. */
export interface StickinessModel {
  readonly labels: readonly string[]
  /** By number of active buckets, from 1: a bar for each series. */
  readonly columns: readonly (readonly ActivityBar[])[]
  /** Values of the axis with their share of its height, ascending. */
  readonly ticks: readonly { readonly value: number; readonly share: number }[]
}

const STEPS_MAX = 4
const LABELS_MAX = 12

/** Prepares stickiness for drawing. */
export function stickinessModel({ series }: StickinessResult): StickinessModel {
  const max = Math.max(0, ...series.map(({ points }) => Number(points[0]?.cumulative ?? 0n)))
  const ticks = valueTicks({ min: 0, max, stepsMax: STEPS_MAX, unit: 'number', isWhole: true })
  const top = ticks.at(-1) ?? 1
  const labels = series.map(({ eventKind }) => eventLabel(eventKind))
  const columns = (series[0]?.points ?? []).map(({ buckets }, at) =>
    series.map(({ points }, index): ActivityBar => {
      const [people, orMore] = [Number(points[at]?.users ?? 0n), Number(points[at]?.cumulative ?? 0n)]
      return {
        series: index,
        label: labels[index] ?? '',
        buckets,
        people,
        orMore,
        share: people / top,
        orMoreShare: orMore / top,
      }
    }),
  )
  return { labels, columns, ticks: ticks.map((value) => ({ value, share: value / top })) }
}

/** The line of the people with that many buckets or more, in a box one wide for each column and 1 high. */
export function activityLine({ columns }: StickinessModel, series: number): string {
  const points = columns.map((bars, at) => `${at + 0.5} ${1 - (bars[series]?.orMoreShare ?? 0)}`)
  return points.length === 0 ? '' : `M${points.join('L')}`
}

/** Every how many columns a number stands below, so that a dozen have room. */
export function labelStep(count: number): number {
  return Math.max(1, Math.ceil(count / LABELS_MAX))
}
