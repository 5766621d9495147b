import ChartArea from 'lucide-solid/icons/chart-area'
import ChartColumn from 'lucide-solid/icons/chart-column'
import ChartColumnStacked from 'lucide-solid/icons/chart-column-stacked'
import ChartLine from 'lucide-solid/icons/chart-line'
import ChartPie from 'lucide-solid/icons/chart-pie'
import Hash from 'lucide-solid/icons/hash'
import Table2 from 'lucide-solid/icons/table-2'
import type { Component, JSX } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { View } from '../../charts/chart.ts'

const ICONS = {
  line: ChartLine,
  area: ChartArea,
  bars: ChartColumnStacked,
  grouped: ChartColumn,
  kpi: Hash,
  chart: ChartColumn,
  pie: ChartPie,
  table: Table2,
} as const satisfies Record<View, Component>

/** The icon of a view. */
export function ViewIcon(props: { readonly view: View }): JSX.Element {
  return <Dynamic component={ICONS[props.view]} />
}
