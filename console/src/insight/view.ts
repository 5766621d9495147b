import type { InsightType } from './draft.ts'

/** How an answer is shown. */
export type View = 'line' | 'area' | 'bars' | 'grouped' | 'kpi' | 'chart' | 'pie' | 'table'

export const VIEW_NAMES = {
  line: 'Lines',
  area: 'Areas',
  bars: 'Stacked',
  grouped: 'Grouped',
  kpi: 'Number',
  chart: 'Chart',
  pie: 'Pie',
  table: 'Table',
} as const satisfies Record<View, string>

/** The views of each type; the first is the one that is meant when none is. */
export const VIEWS = {
  INSIGHT_TYPE_TRENDS: ['line', 'area', 'bars', 'grouped', 'kpi', 'table'],
  INSIGHT_TYPE_SEGMENTATION: ['kpi', 'table'],
  INSIGHT_TYPE_FUNNEL: ['chart', 'table'],
  INSIGHT_TYPE_RETENTION: ['chart', 'table'],
  INSIGHT_TYPE_USER_FLOW: ['chart', 'table'],
  INSIGHT_TYPE_TOP_K: ['chart', 'pie', 'table'],
  INSIGHT_TYPE_MAP: ['chart', 'pie', 'table'],
} as const satisfies Record<InsightType, readonly [View, ...View[]]>

/** The view that a text names, if the type has it; else the first of the type. */
export function chooseView(type: InsightType, name: string | null): View {
  return VIEWS[type].find((view) => view === name) ?? VIEWS[type][0]
}
