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

/** Messages of errors may name properties and limits. */
const FAILED = 'this tile cannot be shown at the moment'

/**
 * What anyone may see of a dashboard: titles, texts, looks and results. Left out is what the results do not show anyway: the
 * filters and properties of the questions, the words of errors, and who the users are whom a tile ranks. The dashboard itself
 * is not changed: its results may be answered to others.
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
  return { case: 'result', value: withoutPeople(outcome.value) }
}

function withPublicSpec(tile: DashboardTile, spec: InsightQuerySpec | undefined): DashboardTile {
  if (!spec) return tile
  const value = create(InsightTileContentSchema, { spec: toPublicSpec(spec) })
  return { ...tile, content: { case: 'insight', value } }
}

/** Of a question only what tells how its numbers are to be read, and nothing that the owner wrote. */
function toPublicSpec({ insightType, events, session, topK, map }: InsightQuerySpec): InsightQuerySpec {
  return create(InsightQuerySpecSchema, {
    insightType,
    events: events.map(({ aggregation }) => ({ aggregation })),
    ...(session ? { session: { metric: session.metric } } : {}),
    ...(topK ? { topK: { dimension: topK.dimension, metric: topK.metric } } : {}),
    ...(map ? { map: { metric: map.metric } } : {}),
  })
}

/** Users are numbered by their rank: an id may be an address. */
function withoutPeople({ result }: QueryResponse): QueryResponse {
  if (result.case !== 'topK') return create(QueryResponseSchema, { result })
  const rows = result.value.rows.map(withoutPerson)
  return create(QueryResponseSchema, { result: { case: 'topK', value: { rows } } })
}

function withoutPerson({ dimensionValue, value, isOthers }: TopKRow, index: number) {
  return { dimensionValue: isOthers ? dimensionValue : `#${index + 1}`, value, isOthers }
}
