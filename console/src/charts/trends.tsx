import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { TrendsResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { createMemo, For, type JSX, Match, Show, Switch } from 'solid-js'
import { seriesLabel } from '../format/labels.ts'
import { formatValue } from '../format/unit.ts'
import { Empty } from '../ui/async.tsx'
import type { ChartProps, View } from './chart.ts'
import { newestBucket } from './newest-bucket.ts'
import { NumberCard } from './number-card.tsx'
import { Pie } from './pie.tsx'
import type { RankedRow } from './ranked-bars.tsx'
import { type ChartSeries, type SeriesStyle, TimeSeries } from './time-series.tsx'

const STYLES: Readonly<Partial<Record<View, SeriesStyle>>> = {
  area: 'area',
  bars: 'bars',
  grouped: 'grouped',
}

type TrendsProps = ChartProps<TrendsResult>

/** Values over time, the newest complete bucket as numbers, or the totals as a pie. */
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
      series={seriesOf(props.result)}
      previous={props.previous ? seriesOf(props.previous) : []}
      style={STYLES[props.view] ?? 'line'}
      timeZone={props.timeZone}
      unit={props.options.unit}
      rules={props.options.rules}
      scale={props.options.scale}
      legend={props.options.legend}
      {...(props.height !== undefined && { height: props.height })}
    />
  )
}

function TrendsNumbers(props: TrendsProps): JSX.Element {
  const series = () => seriesOf(props.result)
  const newest = createMemo(() =>
    newestBucket(timesOf(props.result), { nowMs: Date.now(), timeZone: props.timeZone }),
  )
  const previousOf = (label: string): readonly number[] | undefined =>
    (props.previous ? seriesOf(props.previous) : []).find((other) => other.label === label)?.values
  const until = (values: readonly number[]): readonly number[] => values.slice(0, newest().index + 1)
  return (
    <div class="number-cards">
      <For each={series()}>
        {({ label, values }) => (
          <NumberCard
            label={series().length > 1 ? `${label}, ${newest().label}` : newest().label}
            value={values[newest().index] ?? 0}
            previous={previousOf(label)?.[newest().index]}
            unit={props.options.unit}
            rules={props.options.rules}
            {...(props.options.sparkline === 'shown' && {
              values: until(values),
              previousValues: until(previousOf(label) ?? []),
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
    seriesOf(props.result).map(({ label, values }) => {
      const value = values.reduce((sum, one) => sum + one, 0)
      return { label, value, text: formatValue(value, props.options.unit) }
    })
  return (
    <Show
      when={rows().every(({ value }) => value >= 0)}
      fallback={
        <Empty title="No parts of a whole">Some totals are negative: choose lines, bars or the table.</Empty>
      }
    >
      <Show
        when={rows().some(({ value }) => value > 0)}
        fallback={<Empty title="No events match">Try a longer time range or fewer filters.</Empty>}
      >
        <Pie rows={rows()} labels={props.options.pieLabels} />
      </Show>
    </Show>
  )
}

function timesOf({ series }: TrendsResult): number[] {
  return (series[0]?.points ?? []).map(({ time }) => (time ? timestampMs(time) : 0))
}

function seriesOf({ series }: TrendsResult): ChartSeries[] {
  return series.map((one) => ({ label: seriesLabel(one), values: one.points.map(({ value }) => value) }))
}
