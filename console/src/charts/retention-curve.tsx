import './messages.ts'
import { createUniqueId, For, type JSX } from 'solid-js'
import { formatShortShare } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { namePeriod } from './buckets.ts'
import type { RetentionModel } from './retention-model.ts'
import { areaPath, curvePath, HEIGHT, yOf } from './retention-path.ts'

const LEVELS = [0, 25, 50, 75, 100] as const

/** The average retention by period. Its points stand over the columns of the heat map. */
export function RetentionCurve(props: {
  readonly model: RetentionModel
  readonly cell: number
}): JSX.Element {
  const width = (): number => props.cell * props.model.averages.length
  const line = (percents: readonly (number | undefined)[]): string => curvePath(percents, props.cell)
  const gradient = createUniqueId()
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
        <linearGradient id={gradient} x2="0" y2="1">
          <stop class="curve-top" />
          <stop class="curve-bottom" offset="1" />
        </linearGradient>
        <path fill={`url(#${gradient})`} d={areaPath(props.model.averages, props.cell)} />
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

function describe({ averages, width }: RetentionModel): string {
  const known = averages.flatMap((percent, period) =>
    percent === undefined || period === 0
      ? []
      : [`${namePeriod(width, period)}: ${formatShortShare(percent / 100)}`],
  )
  return t('peopleCharts.retentionSummary', { periods: known.slice(0, 12).join(', ') })
}
