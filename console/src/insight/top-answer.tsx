import type { TopKResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { toneOf } from '@domain/thresholds.ts'
import { type JSX, lazy, Show } from 'solid-js'
import { formatCountry } from '../app/format.ts'
import { describeChange } from '../charts/number-card.tsx'
import { Pie } from '../charts/pie.tsx'
import { RankedBars, type RankedRow } from '../charts/ranked-bars.tsx'
import { formatValue } from '../charts/unit.ts'
import type { Looks } from './looks.ts'
import { rowLabel } from './table.ts'
import type { View } from './view.ts'

const WorldMap = lazy(async () => ({ default: (await import('../charts/world-map.tsx')).WorldMap }))

interface TopProps {
  readonly top: TopKResult
  readonly before: TopKResult | undefined
  readonly looks: Looks
  readonly view: View
  /** True for countries, whose values are codes. */
  readonly isMap: boolean
}

/** A ranking as bars or a pie, and countries as a map. */
export function TopAnswer(props: TopProps): JSX.Element {
  return (
    <Show when={props.isMap && props.view !== 'pie'} fallback={<Ranking {...props} />}>
      <WorldMap top={props.top} before={props.before} looks={props.looks} />
    </Show>
  )
}

function Ranking(props: TopProps): JSX.Element {
  const noteOf = (dimensionValue: string, value: number): string | undefined => {
    if (!props.before) return undefined
    const was = props.before.rows.find((row) => row.dimensionValue === dimensionValue)?.value
    // Below the last rank that was asked for: how much it was is not known.
    return was === undefined ? 'not ranked before' : describeChange(value, was, props.looks.unit)
  }
  const rows = (): RankedRow[] =>
    props.top.rows.map((row) => ({
      label: props.isMap ? formatCountry(rowLabel(row)) : rowLabel(row),
      value: row.value,
      text: formatValue(row.value, props.looks.unit),
      tone: toneOf(row.value, props.looks.rules),
      note: noteOf(row.dimensionValue, row.value),
    }))
  return (
    <Show when={props.view === 'pie'} fallback={<RankedBars rows={rows()} />}>
      <Pie rows={rows()} labels={props.looks.pieLabels} />
    </Show>
  )
}
