import type { TopKResult } from '@contract/shared/insights/v1/query_result_pb.js'
import type { ChartTarget } from '../../charts/chart.ts'
import { rowLabel } from '../../format/labels.ts'
import { plain, type Table } from '../../format/table.ts'
import { t } from '../../i18n/translate.ts'
import { addsUp } from './additive.ts'
import type { SeriesDraft } from './draft.ts'
import type { PointKind } from './points.ts'
import type { Views } from './views.ts'

const VIEWS: Views = ['chart', 'table']
const VIEWS_OF_PARTS: Views = ['chart', 'pie', 'table']

/** The views of a ranking: a pie needs values that add up. */
export function rankingViews({ series }: { readonly series: SeriesDraft }): Views {
  return addsUp(series.measure) ? VIEWS_OF_PARTS : VIEWS
}

/** Whether no value of a ranking counts anything. */
export function isEmptyRanking({ rows }: TopKResult): boolean {
  return rows.every(({ value }) => value === 0)
}

/** The table of a ranking. */
export function rankingTable({ rows }: TopKResult): Table {
  return {
    columns: [plain(t('insights.value')), { name: t('insights.measure'), kind: 'value' }],
    rows: rows.map((row) => [rowLabel(row), row.value]),
  }
}

/** The point of a row of a ranking. */
export function rankingPoint(target: ChartTarget): PointKind | undefined {
  if (target.kind !== 'row') return undefined
  return { case: 'row', value: target.isOthers ? { others: true } : { value: target.value } }
}
