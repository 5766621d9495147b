import { create } from '@bufbuild/protobuf'
import {
  type DashboardTileInput,
  InsightTileContentSchema,
} from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { ComparePeriod } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import type { Question } from './question.ts'
import { parseSpec } from './spec-json.ts'
import { modeOf } from './tile-view.ts'
import type { View } from './view.ts'

/** A question as it is stored, and how its answer is shown. */
export interface SavedInsight {
  /** In proto JSON. */
  readonly spec: string
  readonly view: View
  readonly compare: Question['compare']
}

/** What a tile has of an insight. */
export function partsOfTile({
  spec,
  view,
  compare,
}: SavedInsight): Pick<DashboardTileInput, 'content' | 'viewMode' | 'compare'> {
  return {
    content: { case: 'insight', value: create(InsightTileContentSchema, { spec: parseSpec(spec) }) },
    viewMode: modeOf(view),
    compare: compare === 'prior' ? ComparePeriod.PRIOR : ComparePeriod.UNSPECIFIED,
  }
}
