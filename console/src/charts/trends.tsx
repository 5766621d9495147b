import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { TrendSeries, TrendsResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { findIncomplete, widthOfBuckets } from '@domain/charts/buckets.ts'
import type { ChartSeries, SeriesStyle } from '@domain/charts/time-model.ts'
import { createMemo, For, type JSX, Match, Show, Switch } from 'solid-js'
import { seriesLabel } from '../format/labels.ts'
import { formatValue } from '../format/unit.ts'
import { t } from '../i18n/translate.ts'
import { EmptyState } from '../ui/states.tsx'
import { describeBucket } from './buckets.ts'
import type { ChartProps, View } from './chart.ts'
import { findFormulaParts } from './formula-parts.ts'
import { NumberCard } from './number-card.tsx'
import { Pie } from './pie.tsx'
import type { RankedRow } from './ranked-rows.ts'
import { TimeSeries } from './time-series.tsx'

const STYLES: Readonly<Partial<Record<View, SeriesStyle>>> = {
  area: 'area',
  bars: 'bars',
  grouped: 'grouped',
}

type TrendsProps = ChartProps<TrendsResult>

/** Values over time, over the whole range as numbers, or the totals as a pie. */
export function TrendsChart(props: TrendsProps): JSX.Element {
  return (
    <Switch fallback={<TrendsLines {...props} />}>
      <Match when={props.view === 'pie'}>
        <TrendsPie {...props} />
      </Match>
      <Match when={props.view === 'kpi'}>
        <TrendsNumbers {...props} />
      </Match>
    </Switch>
  )
}

function TrendsLines(props: TrendsProps): JSX.Element {
  return (
    <TimeSeries
      times={timesOf(props.result)}
      series={seriesOf(props.result, props.spec)}
      previous={props.previous ? seriesOf(props.previous, props.spec) : []}
      previousTimes={props.previous ? timesOf(props.previous) : []}
      totals={props.totals}
      good={props.options.good}
      style={STYLES[props.view] ?? 'line'}
      timeZone={props.timeZone}
      unit={props.options.unit}
      rules={props.options.rules}
      scale={props.options.scale}
      legend={props.options.legend}
      onPoint={props.onOpen && ((point) => props.onOpen?.({ kind: 'point', ...point }))}
      openedMs={props.opened?.kind === 'point' ? props.opened.startMs : undefined}
      {...(props.height !== undefined && { height: props.height })}
    />
  )
}

/**
 * The values over the range, of formulas without those that they are computed from. Where one is unknown, the newest complete
 * bucket stands for it, with its name.
 */
function TrendsNumbers(props: TrendsProps): JSX.Element {
  const series = createMemo(() => seriesOf(props.result, props.spec))
  const shown = createMemo(() => series().flatMap((one, at) => (one.isHidden ? [] : [{ ...one, at }])))
  const previous = createMemo(() => (props.previous ? seriesOf(props.previous, props.spec) : []))
  const scale = createMemo(() => ({ width: widthOfBuckets(timesOf(props.result)), timeZone: props.timeZone }))
  const incomplete = createMemo(() =>
    findIncomplete(timesOf(props.result), { ...scale(), nowMs: Date.now() }),
  )
  const newest = (): number => Math.max(0, (incomplete() ?? timesOf(props.result).length) - 1)
  const previousOf = (label: string): ChartSeries['values'] | undefined =>
    previous().find((other) => other.label === label)?.values
  const numberOf = ({ label, values, at }: ChartSeries & { readonly at: number }) => {
    const total = props.totals?.[at]
    if (total?.value !== undefined) return { names: [label], value: total.value, previous: total.previous }
    const names = [label, describeBucket(timesOf(props.result)[newest()] ?? 0, scale())]
    return { names, value: values[newest()] ?? 0, previous: previousOf(label)?.[newest()] ?? undefined }
  }
  // A number that stands for one bucket only is not that of the whole range.
  const openerOf = (at: number): (() => void) | undefined =>
    props.onOpen && props.totals?.[at]?.value !== undefined
      ? () => props.onOpen?.({ kind: 'total', series: at })
      : undefined
  return (
    <div class="number-cards">
      <For each={shown()}>
        {(one) => (
          <NumberCard
            label={numberOf(one)
              .names.slice(series().length > 1 ? 0 : 1)
              .join(', ')}
            value={numberOf(one).value}
            onOpen={openerOf(one.at)}
            previous={numberOf(one).previous}
            unit={props.options.unit}
            good={props.options.good}
            rules={props.options.rules}
            {...(props.options.sparkline === 'shown' && {
              values: one.values,
              previousValues: previousOf(one.label) ?? [],
              incomplete: incomplete(),
            })}
          />
        )}
      </For>
    </div>
  )
}

/** The totals of the series over the whole range as parts of their sum. */
function TrendsPie(props: TrendsProps): JSX.Element {
  const rows = (): RankedRow[] =>
    seriesOf(props.result, props.spec).map(({ label, values }, at) => {
      const value = values.reduce<number>((sum, one) => sum + (one ?? 0), 0)
      return {
        label,
        value,
        text: formatValue(value, props.options.unit),
        isOther: isRest(props.result.series[at]),
      }
    })
  return (
    <Show
      when={rows().every(({ value }) => value >= 0)}
      fallback={<EmptyState title={t('chart.noParts')} text={t('chart.noPartsText')} />}
    >
      <Show
        when={rows().some(({ value }) => value > 0)}
        fallback={<EmptyState title={t('chart.noEvents')} text={t('chart.noEventsText')} />}
      >
        <Pie
          rows={rows()}
          labels={props.options.pieLabels}
          writeValue={(value) => formatValue(value, props.options.unit)}
        />
      </Show>
    </Show>
  )
}

/** Whether a series stands for all values of a breakdown beyond the largest. */
function isRest(series: TrendSeries | undefined): boolean {
  return Object.values(series?.breakdown ?? {}).includes('$others')
}

function timesOf({ series }: TrendsResult): number[] {
  return (series[0]?.points ?? []).map(({ time }) => (time ? timestampMs(time) : 0))
}

function seriesOf({ series }: TrendsResult, spec: TrendsProps['spec']): ChartSeries[] {
  const hidden = findFormulaParts(series, spec)
  const isOneEvent = spec?.events.length === 1 && spec.formulas.length === 0
  return series.map((one, at) => ({
    // Where values split one event, its name would repeat in every label.
    label: seriesLabel(isOneEvent && hasValues(one) ? { breakdown: one.breakdown } : one),
    isHidden: hidden.has(at),
    // A formula that divides by zero leaves a gap.
    values: one.points.map(({ value, isUndefined }) => (isUndefined ? null : value)),
  }))
}

function hasValues({ breakdown }: TrendSeries): boolean {
  return Object.keys(breakdown).length > 0
}
