import { timestampMs } from '@bufbuild/protobuf/wkt'
import { LifecycleState } from '@contract/millrace/insights/v1/lifecycle_pb.js'
import type { LifecycleResult } from '@contract/shared/insights/v1/lifecycle_result_pb.js'
import type { ChartSeries } from '@domain/charts/time-model.ts'
import type { JSX } from 'solid-js'
import { stateLabel } from '../format/labels.ts'
import type { ChartProps, LegendPosition } from './chart.ts'
import { TimeSeries } from './time-series.tsx'

/** The active people of each bucket as a stack by state, and below 0 those who stayed away. */
export function LifecycleChart(props: ChartProps<LifecycleResult>): JSX.Element {
  return (
    <TimeSeries
      times={timesOf(props.result)}
      series={seriesOf(props.result)}
      style="bars"
      timeZone={props.timeZone}
      unit={props.options.unit}
      rules={props.options.rules}
      legend={legendOf(props.options.legend)}
      onPoint={props.onOpen && ((point) => props.onOpen?.({ kind: 'point', ...point }))}
      openedMs={props.opened?.kind === 'point' ? props.opened.startMs : undefined}
      {...(props.height !== undefined && { height: props.height })}
    />
  )
}

/** States have no value over the range, which a table shows. */
function legendOf(legend: LegendPosition): LegendPosition {
  return legend === 'table' ? 'above' : legend
}

function timesOf({ series }: LifecycleResult): number[] {
  return (series[0]?.points ?? []).map(({ time }) => (time ? timestampMs(time) : 0))
}

function seriesOf({ series }: LifecycleResult): ChartSeries[] {
  return series.map(({ state, points }) => ({
    label: stateLabel(state),
    values: points.map(({ value }) => value),
    ...(state === LifecycleState.DORMANT && { isBelow: true }),
  }))
}
