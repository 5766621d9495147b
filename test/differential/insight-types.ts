import { InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { FUNNEL } from './funnel.ts'
import type { InsightTypeEntry } from './insight-type.ts'
import { LIFECYCLE } from './lifecycle.ts'
import { MAP } from './map.ts'
import { RETENTION } from './retention.ts'
import { SEGMENTATION } from './segmentation.ts'
import { STICKINESS } from './stickiness.ts'
import { TOP_K } from './top-k.ts'
import { TRENDS } from './trends.ts'
import { USER_FLOW } from './user-flow.ts'

/** The insight types that are generated, answered and compared. */
export const INSIGHT_TYPE_ENTRIES: Readonly<
  Record<Exclude<InsightType, InsightType.UNSPECIFIED>, InsightTypeEntry>
> = {
  [InsightType.TRENDS]: TRENDS,
  [InsightType.SEGMENTATION]: SEGMENTATION,
  [InsightType.FUNNEL]: FUNNEL,
  [InsightType.RETENTION]: RETENTION,
  [InsightType.USER_FLOW]: USER_FLOW,
  [InsightType.TOP_K]: TOP_K,
  [InsightType.MAP]: MAP,
  [InsightType.LIFECYCLE]: LIFECYCLE,
  [InsightType.STICKINESS]: STICKINESS,
}
