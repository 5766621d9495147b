import { create } from '@bufbuild/protobuf'
import {
  type GetFilterSchemaRequest,
  type GetFilterSchemaResponse,
  GetFilterSchemaResponseSchema,
} from '../../src/contract/gen/common/v1/filter_schema_pb.js'
import { InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  type QueryResponse,
  QueryResponseSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { answerParts } from './cohort-parts.ts'
import { answerFilterSchema as describeFilterSchema } from './filter-schema.ts'
import { INSIGHT_TYPE_ENTRIES } from './insight-types.ts'
import type { ReferenceWorld } from './model.ts'
import { comparedQuery, parseQuery } from './query.ts'

export { answerPropertyValues } from './property-values.ts'
export { answerSegmentUsers } from './segment-users.ts'

/**
 * What any engine has to answer to a valid request: every rule spelled out over plain lists, slow and obvious.
 * It shares no code with the store or the service. Where the rules leave room, it reads them so:
 *
 * - An event without a number still makes a series or a row of a numeric metric, with 0; only cookieless events of a
 *   metric of users make none.
 * - A dotted name goes down objects key by key, not into arrays; the first key found decides, even if it is null.
 * - Whole numbers in JSON text keep their digits up to 64 bits, other numbers print as doubles; objects print compact.
 * - A minute or an hour ends where the offset of its zone changes, so that half a repeated hour is a bucket too.
 * - The first entry's metric, and nothing else of it, decides how segmentation counts; an event counts once.
 * - Only identified users have a profile in a ranking, and the row of the rest is called `$others`.
 * - A cohort is printed as the times of points are, in UTC and without a fraction of zero.
 * - In GetFilterSchema a kind narrows the keys of events only, and equal counts go by name.
 * - An optional step of a funnel that an attempt chose and did not find makes no attempt: the choice without it does.
 * - A step that was skipped is not reached: an exclusion before it lasts to the end of the window.
 * - In any order, step k is the kth step taken, also for breakdown values and times to convert.
 * - Conversion over time splits users by the series of their counted attempt in the whole range.
 * - The average of retention has the times of the buckets, and the mean of sums counts empty cohorts too.
 */
export function answer(world: ReferenceWorld, request: QueryRequest): QueryResponse {
  const query = parseQuery(world, request)
  const { insightType } = query.spec
  if (insightType === InsightType.UNSPECIFIED) throw new RangeError('a request without an insight type')
  const entry = INSIGHT_TYPE_ENTRIES[insightType]
  const other = insightType === InsightType.TRENDS ? undefined : comparedQuery(query)
  return create(QueryResponseSchema, {
    result: answerParts(query, entry.answer),
    ...(other && { comparison: { result: answerParts(other, entry.answer) } }),
  })
}

/** `GetFilterSchema` of a world; the times at which traits were seen are left out. */
export function answerFilterSchema(
  world: ReferenceWorld,
  request: GetFilterSchemaRequest,
): GetFilterSchemaResponse {
  return create(GetFilterSchemaResponseSchema, describeFilterSchema(world, request))
}
