import type { Draft, InsightType } from './draft.ts'
import { addsUp, areParts } from './parts.ts'

/** How an answer is shown. */
export type View = 'line' | 'area' | 'bars' | 'grouped' | 'kpi' | 'chart' | 'pie' | 'table'

/** At least one; the first is the one that is meant when none is. */
export type Views = readonly [View, ...View[]]

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

/** The views of each type, whatever is asked. */
export const VIEWS = {
  INSIGHT_TYPE_TRENDS: ['line', 'area', 'bars', 'grouped', 'kpi', 'table'],
  INSIGHT_TYPE_SEGMENTATION: ['kpi', 'table'],
  INSIGHT_TYPE_FUNNEL: ['chart', 'table'],
  INSIGHT_TYPE_RETENTION: ['chart', 'table'],
  INSIGHT_TYPE_USER_FLOW: ['chart', 'table'],
  INSIGHT_TYPE_TOP_K: ['chart', 'table'],
  INSIGHT_TYPE_MAP: ['chart', 'table'],
} as const satisfies Record<InsightType, Views>

/** The views of trends whose series are parts of a whole. */
export const VIEWS_OF_PARTS: Views = ['line', 'area', 'bars', 'grouped', 'kpi', 'pie', 'table']

/** The views of rankings whose rows are parts of a whole. */
export const RANKED_VIEWS_OF_PARTS: Views = ['chart', 'pie', 'table']

/** The views of the answer to a question. */
export function viewsOf(draft: Draft): Views {
  if (draft.type === 'INSIGHT_TYPE_TOP_K' || draft.type === 'INSIGHT_TYPE_MAP') {
    return addsUp(draft.scope.aggregation) ? RANKED_VIEWS_OF_PARTS : VIEWS[draft.type]
  }
  const isSeveral =
    draft.breakdowns.some((name) => name !== '') || (draft.measure === 'events' && draft.events.length > 1)
  const isOfParts = draft.type === 'INSIGHT_TYPE_TRENDS' && isSeveral && areParts(draft)
  return isOfParts ? VIEWS_OF_PARTS : VIEWS[draft.type]
}

/** The view that a text names, if there is such a one; else the first. */
export function chooseView(views: Views, name: string | null): View {
  return views.find((view) => view === name) ?? views[0]
}
