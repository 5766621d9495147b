import type { TopKResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { toneOf } from '@domain/thresholds.ts'
import { type JSX, lazy, Show } from 'solid-js'
import { rowLabel } from '../format/labels.ts'
import { formatValue } from '../format/unit.ts'
import { formatCountry } from '../format/values.ts'
import type { ChartProps } from './chart.ts'
import { describeChange } from './number-card.tsx'
import { Pie } from './pie.tsx'
import { RankedBars, type RankedRow } from './ranked-bars.tsx'

const WorldMap = lazy(async () => ({ default: (await import('./world-map.tsx')).WorldMap }))

type RankingProps = ChartProps<TopKResult>

/** A ranking of values as bars or a pie. */
export function RankingChart(props: RankingProps): JSX.Element {
  return <Ranking {...props} nameOf={(label) => label} />
}

/** Countries as a map or a pie. */
export function CountryChart(props: RankingProps): JSX.Element {
  return (
    <Show when={props.view === 'pie'} fallback={<WorldMap {...props} />}>
      <Ranking {...props} nameOf={formatCountry} />
    </Show>
  )
}

function Ranking(props: RankingProps & { readonly nameOf: (label: string) => string }): JSX.Element {
  const noteOf = (dimensionValue: string, value: number): string | undefined => {
    if (!props.previous) return undefined
    const previous = props.previous.rows.find((row) => row.dimensionValue === dimensionValue)?.value
    // The previous answer has only the highest ranks: the value of a lower one is unknown.
    return previous === undefined ? 'not ranked before' : describeChange(value, previous, props.options.unit)
  }
  const rows = (): RankedRow[] =>
    props.result.rows.map((row) => ({
      label: props.nameOf(rowLabel(row)),
      value: row.value,
      text: formatValue(row.value, props.options.unit),
      tone: toneOf(row.value, props.options.rules),
      note: noteOf(row.dimensionValue, row.value),
    }))
  return (
    <Show when={props.view === 'pie'} fallback={<RankedBars rows={rows()} />}>
      <Pie rows={rows()} labels={props.options.pieLabels} />
    </Show>
  )
}
