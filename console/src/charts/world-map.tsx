import type { TopKResult } from '@contract/shared/insights/v1/query_result_pb.js'
import type { JSX } from 'solid-js'
import { formatCountry } from '../app/format.ts'
import { rowLabel } from '../insight/table.ts'
import { RankedBars } from './ranked-bars.tsx'
import { formatValue, type Unit } from './unit.ts'

/** Countries. */
export function WorldMap(props: {
  readonly top: TopKResult
  readonly before: TopKResult | undefined
  readonly unit: Unit
}): JSX.Element {
  return (
    <RankedBars
      rows={props.top.rows.map((row) => ({
        label: formatCountry(rowLabel(row)),
        value: row.value,
        text: formatValue(row.value, props.unit),
      }))}
    />
  )
}
