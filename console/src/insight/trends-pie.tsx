import { type JSX, Show } from 'solid-js'
import { Pie } from '../charts/pie.tsx'
import type { RankedRow } from '../charts/ranked-bars.tsx'
import type { ChartSeries } from '../charts/time-series.tsx'
import { formatValue } from '../charts/unit.ts'
import { Empty } from '../ui/async.tsx'
import type { Looks } from './looks.ts'

/** The sums of series over all of the time as parts of their sum. */
export function TrendsPie(props: {
  readonly series: readonly ChartSeries[]
  readonly looks: Looks
}): JSX.Element {
  const rows = (): RankedRow[] =>
    props.series.map(({ label, values }) => {
      const value = values.reduce((sum, one) => sum + one, 0)
      return { label, value, text: formatValue(value, props.looks.unit) }
    })
  return (
    <Show
      when={rows().every(({ value }) => value >= 0)}
      fallback={
        <Empty title="No parts of a whole">Some sums are below zero: choose lines, bars or the table.</Empty>
      }
    >
      <Show
        when={rows().some(({ value }) => value > 0)}
        fallback={<Empty title="No events match">Try a longer time range or fewer filters.</Empty>}
      >
        <Pie rows={rows()} labels={props.looks.pieLabels} />
      </Show>
    </Show>
  )
}
