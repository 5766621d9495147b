import type { ThresholdRule } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import type { SegmentationResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { toneOf } from '@domain/thresholds.ts'
import { type JSX, Show } from 'solid-js'
import { changeOf, type GoodDirection } from '../format/change.ts'
import { formatValue, type Unit } from '../format/unit.ts'
import { t } from '../i18n/translate.ts'
import { ChangeMark } from './change-mark.tsx'
import type { ChartProps } from './chart.ts'
import { TONE_NAMES } from './palette.ts'
import { Sparkline, type SparklineValues } from './sparkline.tsx'
import { peopleFoot } from './tooltip.tsx'

/** One large number with its tone, its change and a sparkline. */
export function NumberCard(props: {
  readonly label?: string
  readonly value: number
  /** The number of the previous period. */
  readonly previous?: number | undefined
  readonly unit: Unit
  readonly good: GoodDirection
  readonly rules: readonly ThresholdRule[]
  readonly values?: SparklineValues
  readonly previousValues?: SparklineValues
  /** The index of the value whose bucket is not over. */
  readonly incomplete?: number | undefined
  /** Lists the people behind the number. */
  readonly onOpen?: (() => void) | undefined
}): JSX.Element {
  const tone = () => toneOf(props.value, props.rules)
  return (
    <div class="number-card">
      <div>
        <Show when={props.label}>
          <p class="quiet small">{props.label}</p>
        </Show>
        <p class="row number-line">
          <Show
            when={props.onOpen}
            fallback={
              <span class={`kpi tone-${tone() ?? 'none'}`}>{formatValue(props.value, props.unit)}</span>
            }
          >
            {(open) => (
              <button
                type="button"
                class={`kpi kpi-open tone-${tone() ?? 'none'}`}
                data-tip={peopleFoot(open()).foot}
                onClick={() => open()()}
              >
                {formatValue(props.value, props.unit)}
              </button>
            )}
          </Show>
          <Show when={tone()}>
            {(name) => <span class={`chip tone-${name()}`}>{t(TONE_NAMES[name()])}</span>}
          </Show>
        </p>
        <Show when={props.previous !== undefined}>
          <Compared value={props.value} previous={props.previous ?? 0} unit={props.unit} good={props.good} />
        </Show>
      </div>
      <Show when={(props.values?.length ?? 0) > 1 && props.values}>
        {(values) => (
          <Sparkline
            values={values()}
            previous={props.previousValues ?? []}
            incomplete={props.incomplete}
            area
          />
        )}
      </Show>
    </div>
  )
}

/** The change of a number, and the number of the previous period. */
export function Compared(props: {
  readonly value: number
  readonly previous: number
  readonly unit: Unit
  readonly good: GoodDirection
}): JSX.Element {
  return (
    <p class="small compared">
      <ChangeMark change={changeOf(props.value, props.previous, props)} />
      <span class="quiet">{t('chart.versus', { value: formatValue(props.previous, props.unit) })}</span>
    </p>
  )
}

/** The chart of a single number. */
export function SegmentationChart(props: ChartProps<SegmentationResult>): JSX.Element {
  return (
    <NumberCard
      value={props.result.total}
      onOpen={props.onOpen && (() => props.onOpen?.({ kind: 'total', series: 0 }))}
      previous={props.previous?.total}
      unit={props.options.unit}
      good={props.options.good}
      rules={props.options.rules}
    />
  )
}
