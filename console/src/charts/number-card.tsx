import type { ThresholdRule } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { toneOf } from '@domain/thresholds.ts'
import { type JSX, Show } from 'solid-js'
import { formatChange } from '../app/format.ts'
import { TONE_LABELS } from './palette.ts'
import { Sparkline } from './sparkline.tsx'
import { formatValue, type Unit } from './unit.ts'

/** One large number, what it means, how it changed, and how it came to be. */
export function NumberCard(props: {
  readonly label?: string
  readonly value: number
  /** The same number of the time before. */
  readonly before?: number | undefined
  readonly unit: Unit
  readonly rules: readonly ThresholdRule[]
  readonly values?: readonly number[]
  readonly valuesBefore?: readonly number[]
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
        <Show when={props.before !== undefined}>
          <p class="quiet small">{describeChange(props.value, props.before ?? 0, props.unit)}</p>
        </Show>
      </div>
      <Show when={(props.values?.length ?? 0) > 1 && props.values}>
        {(values) => <Sparkline values={values()} before={props.valuesBefore ?? []} />}
      </Show>
    </div>
  )
}

/** How a number changed, in words. */
export function describeChange(value: number, before: number, unit: Unit): string {
  const was = `${formatValue(before, unit)} before`
  return before === 0 ? was : `${formatChange((value - before) / Math.abs(before))}, ${was}`
}
