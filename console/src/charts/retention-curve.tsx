import { For, type JSX } from 'solid-js'
import { formatShortShare } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { namePeriod } from './buckets.ts'
import type { RetentionModel } from './retention-model.ts'

const HEIGHT = 190
const MARGIN = 8
const LEVELS = [0, 25, 50, 75, 100] as const

/** The average retention by period. Its points stand over the columns of the heat map. */
export function RetentionCurve(props: {
  readonly model: RetentionModel
  readonly cell: number
}): JSX.Element {
  const width = (): number => props.cell * props.model.averages.length
  const line = (percents: readonly (number | undefined)[]): string => curvePath(percents, props.cell)
  const last = (): number => props.model.averages.findLastIndex((percent) => percent !== undefined)
  const area = (): string =>
    `${line(props.model.averages)}L${xOf(last(), props.cell)} ${yOf(0)}L${xOf(0, props.cell)} ${yOf(0)}Z`
  const cohorts = () =>
    props.model.rows.map(({ cells }) =>
      cells.filter(({ isComplete }) => isComplete).map(({ percent }) => percent),
    )
  return (
    <div class="retention-curve" role="img" aria-label={describe(props.model)}>
      <svg width={width()} height={HEIGHT} viewBox={`0 0 ${width()} ${HEIGHT}`} aria-hidden="true">
        <For each={LEVELS}>
          {(level) => (
            <path class={level === 0 ? 'curve-base' : 'curve-grid'} d={`M0 ${yOf(level)}H${width()}`} />
          )}
        </For>
        <path class="curve-area" d={area()} />
        <For each={cohorts()}>{(percents) => <path class="curve-cohort" d={line(percents)} />}</For>
        <path class="curve-line" d={line(props.model.averages)} />
      </svg>
      <For each={LEVELS}>
        {(level) => (
          <span class="curve-level" style={{ top: `${yOf(level)}px` }}>
            {formatShortShare(level / 100)}
          </span>
        )}
      </For>
    </div>
  )
}

function xOf(period: number, cell: number): number {
  return (period + 0.5) * cell
}

function yOf(percent: number): number {
  return MARGIN + (1 - percent / 100) * (HEIGHT - 2 * MARGIN)
}

/** A path through known percentages. */
export function curvePath(percents: readonly (number | undefined)[], cell: number): string {
  return percents
    .map((percent, period) => {
      if (percent === undefined) return ''
      const isStart = period === 0 || percents[period - 1] === undefined
      return `${isStart ? 'M' : 'L'}${xOf(period, cell)} ${yOf(percent).toFixed(1)}`
    })
    .join('')
}

function describe({ averages, width }: RetentionModel): string {
  const known = averages.flatMap((percent, period) =>
    percent === undefined || period === 0
      ? []
      : [`${namePeriod(width, period)}: ${formatShortShare(percent / 100)}`],
  )
  return t('chart.retentionSummary', { periods: known.slice(0, 12).join(', ') })
}
