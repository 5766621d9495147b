import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { QueryResponse } from '@contract/shared/insights/v1/insights_service_pb.js'
import type { TrendsResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { For, type JSX, lazy, Match, Show, Suspense, Switch } from 'solid-js'
import { formatCountry, formatNumber } from '../app/format.ts'
import { Funnel } from '../charts/funnel.tsx'
import { RankedBars } from '../charts/ranked-bars.tsx'
import { RetentionMatrix } from '../charts/retention-matrix.tsx'
import { type SeriesLook, TimeSeries } from '../charts/time-series.tsx'
import { Empty, Skeleton } from '../ui/async.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { labelOf, rowLabel, tabulate } from './table.ts'
import type { View } from './view.ts'

const Sankey = lazy(async () => ({ default: (await import('../charts/sankey.tsx')).Sankey }))

type Result = QueryResponse['result']

type Values = { readonly [R in Exclude<Result, { case: undefined }> as R['case']]: R['value'] }

/** What an answer of one case holds; `undefined` for the others. */
function readCase<C extends keyof Values>(result: Result, name: C): Values[C] | undefined {
  return result.case === name ? (result.value as Values[C]) : undefined
}

/** The answer to an insight, drawn. */
export function Answer(props: {
  readonly result: Result
  readonly view: View
  readonly timeZone: string
  /** True for countries, whose values are codes. */
  readonly isMap?: boolean
  readonly height?: number
}): JSX.Element {
  const isEmpty = (): boolean => tabulate(props.result).rows.length === 0
  return (
    <Switch>
      <Match when={isEmpty()}>
        <Empty title="No events match">Try a longer time range or fewer filters.</Empty>
      </Match>
      <Match when={props.view === 'table'}>
        <DataTable table={tabulate(props.result)} label="Answer" />
      </Match>
      <Match when={readCase(props.result, 'trends')}>
        {(trends) => (
          <Trends
            trends={trends()}
            view={props.view}
            timeZone={props.timeZone}
            {...(props.height !== undefined && { height: props.height })}
          />
        )}
      </Match>
      <Match when={readCase(props.result, 'segmentation')}>
        {(answer) => <p class="kpi">{formatNumber(answer().total)}</p>}
      </Match>
      <Match when={readCase(props.result, 'funnel')}>{(funnel) => <Funnel funnel={funnel()} />}</Match>
      <Match when={readCase(props.result, 'retention')}>
        {(retention) => <RetentionMatrix retention={retention()} timeZone={props.timeZone} />}
      </Match>
      <Match when={readCase(props.result, 'userFlow')}>
        {(flow) => (
          <Suspense fallback={<Skeleton lines={8} />}>
            <Sankey flow={flow()} />
          </Suspense>
        )}
      </Match>
      <Match when={readCase(props.result, 'topK')}>
        {(top) => (
          <RankedBars
            rows={top().rows.map((row) => ({
              label: props.isMap ? formatCountry(row.dimensionValue) : rowLabel(row),
              value: row.value,
            }))}
          />
        )}
      </Match>
    </Switch>
  )
}

function Trends(props: {
  readonly trends: TrendsResult
  readonly view: View
  readonly timeZone: string
  readonly height?: number
}): JSX.Element {
  const times = (): number[] =>
    (props.trends.series[0]?.points ?? []).map(({ time }) => (time ? timestampMs(time) : 0))
  const series = () =>
    props.trends.series.map((line) => ({
      label: labelOf(line),
      values: line.points.map(({ value }) => value),
    }))
  const look = (): SeriesLook => (props.view === 'area' || props.view === 'bars' ? props.view : 'line')
  const chart = (height?: number): JSX.Element => (
    <TimeSeries
      times={times()}
      series={series()}
      look={look()}
      timeZone={props.timeZone}
      {...(height !== undefined && { height })}
    />
  )
  return (
    <Show when={props.view === 'kpi'} fallback={chart(props.height)}>
      <For each={series()}>
        {({ label, values }) => (
          <div>
            <p class="quiet small">{label}, newest bucket</p>
            <p class="kpi">{formatNumber(values.at(-1) ?? 0)}</p>
          </div>
        )}
      </For>
      {chart(140)}
    </Show>
  )
}
