import type { ThresholdRule } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import type { SegmentationResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { toneOf } from '@domain/thresholds.ts'
import { type JSX, Show } from 'solid-js'
import { formatValue, type Unit } from '../format/unit.ts'
import { formatChange } from '../format/values.ts'
import type { ChartProps } from './chart.ts'
import { TONE_LABELS } from './palette.ts'
import { Sparkline } from './sparkline.tsx'

/** One large number with its tone, its change and a sparkline. */
export function NumberCard(props: {
  readonly label?: string
  readonly value: number
  /** The number of the previous period. */
  readonly previous?: number | undefined
  readonly unit: Unit
  readonly rules: readonly ThresholdRule[]
  readonly values?: readonly number[]
  readonly previousValues?: readonly number[]
}): JSX.Element {
  const tone = () => toneOf(props.value, props.rules)
  return (
    <div class="number-card">
      <div>
        <Show when={props.label}>
          <p class="quiet small">{props.label}</p>
        </Show>
        <p class="row number-line">
          <span class={`kpi tone-${tone() ?? 'none'}`}>{formatValue(props.value, props.unit)}</span>
          <Show when={tone()}>
            {(name) => <span class={`chip tone-${name()}`}>{TONE_LABELS[name()]}</span>}
          </Show>
        </p>
        <Show when={props.previous !== undefined}>
          <p class="quiet small">{describeChange(props.value, props.previous ?? 0, props.unit)}</p>
        </Show>
      </div>
      <Show when={(props.values?.length ?? 0) > 1 && props.values}>
        {(values) => <Sparkline values={values()} previous={props.previousValues ?? []} />}
      </Show>
    </div>
  )
}

/** The change of a number since the previous period, in words. */
export function describeChange(value: number, previous: number, unit: Unit): string {
  const from = `previous period ${formatValue(previous, unit)}`
  return previous === 0 ? from : `${formatChange((value - previous) / Math.abs(previous))}, ${from}`
}

/** The chart of a single number. */
export function SegmentationChart(props: ChartProps<SegmentationResult>): JSX.Element {
  return (
    <NumberCard
      value={props.result.total}
      previous={props.previous?.total}
      unit={props.options.unit}
      rules={props.options.rules}
    />
  )
}
