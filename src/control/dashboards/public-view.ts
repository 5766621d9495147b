import { create } from '@bufbuild/protobuf'
import {
  type DashboardTile,
  InsightTileContentSchema,
} from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import {
  type RenderedDashboard,
  type RenderedTile,
  RenderedTileSchema,
} from '../../contract/gen/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import {
  type InsightQuerySpec,
  InsightQuerySpecSchema,
} from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryResponse,
  QueryResponseSchema,
} from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { TopKRow } from '../../contract/gen/shared/insights/v1/query_result_pb.js'
import { TopKQuery_Dimension } from '../../contract/gen/shared/insights/v1/top_k_query_pb.js'

/** Replaces error messages, which may name properties and limits. */
const FAILED = 'this tile is unavailable at the moment'

/**
 * The public view of a dashboard: titles, texts, chart options and results. It omits filters and properties of queries,
 * error messages, and the ids of ranked users. The argument is not modified, because its results may be cached.
 */
export function toPublicView(rendered: RenderedDashboard): RenderedDashboard {
  return { ...rendered, tiles: rendered.tiles.map(toPublicTile) }
}

function toPublicTile({ tile, outcome }: RenderedTile): RenderedTile {
  const spec = tile?.content.case === 'insight' ? tile.content.value.spec : undefined
  return create(RenderedTileSchema, {
    ...(tile ? { tile: withPublicSpec(tile, spec) } : {}),
    outcome: toPublicOutcome(outcome, spec),
  })
}

function toPublicOutcome(
  outcome: RenderedTile['outcome'],
  spec: InsightQuerySpec | undefined,
): RenderedTile['outcome'] {
  if (outcome.case === 'errorMessage') return { case: 'errorMessage', value: FAILED }
  if (outcome.case !== 'result' || spec?.topK?.dimension !== TopKQuery_Dimension.USER) return outcome
  return { case: 'result', value: withoutUserIds(outcome.value) }
}

function withPublicSpec(tile: DashboardTile, spec: InsightQuerySpec | undefined): DashboardTile {
  if (!spec || tile.content.case !== 'insight') return tile
  const { granularity } = tile.content.value
  const value = create(InsightTileContentSchema, { spec: toPublicSpec(spec), granularity })
  return { ...tile, content: { case: 'insight', value } }
}

/** Keeps only the fields that the display of results needs, and no text written by the owner. */
function toPublicSpec({ insightType, events, session, topK, map }: InsightQuerySpec): InsightQuerySpec {
  return create(InsightQuerySpecSchema, {
    insightType,
    events: events.map(({ aggregation }) => ({ aggregation })),
    ...(session ? { session: { metric: session.metric } } : {}),
    ...(topK ? { topK: { dimension: topK.dimension, metric: topK.metric } } : {}),
    ...(map ? { map: { metric: map.metric } } : {}),
  })
}

/** Replaces user ids by ranks: an id may be a mail address. */
function withoutUserIds({ result }: QueryResponse): QueryResponse {
  if (result.case !== 'topK') return create(QueryResponseSchema, { result })
  const rows = result.value.rows.map(withoutUserId)
  return create(QueryResponseSchema, { result: { case: 'topK', value: { rows } } })
}

function withoutUserId({ dimensionValue, value, isOthers }: TopKRow, index: number) {
  return { dimensionValue: isOthers ? dimensionValue : `#${index + 1}`, value, isOthers }
}
