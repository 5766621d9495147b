import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { TrendsResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { createMemo, For, type JSX, Match, Switch } from 'solid-js'
import { NumberCard } from '../charts/number-card.tsx'
import { type ChartSeries, type SeriesLook, TimeSeries } from '../charts/time-series.tsx'
import type { Looks } from './looks.ts'
import { newestBucket } from './newest-bucket.ts'
import { labelOf } from './table.ts'
import { TrendsPie } from './trends-pie.tsx'
import type { View } from './view.ts'

const LOOKS: Readonly<Partial<Record<View, SeriesLook>>> = { area: 'area', bars: 'bars', grouped: 'grouped' }

/** Values over time, those of the newest whole bucket as numbers, or all of them as parts of a whole. */
export function TrendsAnswer(props: {
  readonly trends: TrendsResult
  readonly before: TrendsResult | undefined
  readonly view: View
  readonly timeZone: string
  readonly looks: Looks
  readonly height?: number
}): JSX.Element {
  const times = (): number[] =>
    (props.trends.series[0]?.points ?? []).map(({ time }) => (time ? timestampMs(time) : 0))
  const series = () => seriesOf(props.trends)
  const before = () => (props.before ? seriesOf(props.before) : [])
  const newest = createMemo(() => newestBucket(times(), { nowMs: Date.now(), timeZone: props.timeZone }))
  const until = (values: readonly number[]): readonly number[] => values.slice(0, newest().at + 1)
  return (
    <Switch
      fallback={
        <TimeSeries
          times={times()}
          series={series()}
          before={before()}
          look={LOOKS[props.view] ?? 'line'}
          timeZone={props.timeZone}
          unit={props.looks.unit}
          rules={props.looks.rules}
          scale={props.looks.scale}
          legend={props.looks.legend}
          {...(props.height !== undefined && { height: props.height })}
        />
      }
    >
      <Match when={props.view === 'pie'}>
        <TrendsPie series={series()} looks={props.looks} />
      </Match>
      <Match when={props.view === 'kpi'}>
        <div class="number-cards">
          <For each={series()}>
            {({ label, values }) => {
              const same = () => before().find((other) => other.label === label)
              return (
                <NumberCard
                  label={series().length > 1 ? `${label}, ${newest().label}` : newest().label}
                  value={values[newest().at] ?? 0}
                  before={same()?.values[newest().at]}
                  unit={props.looks.unit}
                  rules={props.looks.rules}
                  {...(props.looks.sparkline === 'shown' && {
                    values: until(values),
                    valuesBefore: until(same()?.values ?? []),
                  })}
                />
              )
            }}
          </For>
        </div>
      </Match>
    </Switch>
  )
}

function seriesOf(trends: TrendsResult): ChartSeries[] {
  return trends.series.map((line) => ({
    label: labelOf(line),
    values: line.points.map(({ value }) => value),
  }))
}
