import type { TopKResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { rowLabel } from '../../format/labels.ts'
import { plain, type Table } from '../../format/table.ts'
import { addsUp } from './additive.ts'
import type { Draft } from './draft.ts'
import type { Views } from './views.ts'

const VIEWS: Views = ['chart', 'table']
const VIEWS_OF_PARTS: Views = ['chart', 'pie', 'table']

/** The views of a ranking: a pie needs values that add up. */
export function rankingViews({ scope }: Draft): Views {
  return addsUp(scope.aggregation) ? VIEWS_OF_PARTS : VIEWS
}

/** The table of a ranking. */
export function rankingTable({ rows }: TopKResult): Table {
  return {
    columns: [plain('Value'), { name: 'Metric', kind: 'value' }],
    rows: rows.map((row) => [rowLabel(row), row.value]),
  }
}
