import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  type DashboardTile,
  type InsightTileContent,
  InsightTileContentSchema,
} from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import {
  type RenderedDashboard,
  RenderedDashboardSchema,
  type RenderedTileSchema,
} from '../../contract/gen/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
  type QueryResponse,
} from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Logger } from '../../kernel/log.ts'
import { runInOrder } from '../../kernel/run-in-order.ts'
import type { ReportCost } from '../../rpc/server-timing.ts'
import type { Dashboard } from './dashboard.ts'
import { granularityOfTile, type ShownRange } from './shown-range.ts'

/** An insight query to run. */
export interface InsightCall {
  readonly projectId: ProjectId
  readonly request: QueryRequest
  /** Bypasses the answer cache. */
  readonly isFresh: boolean
  readonly signal: AbortSignal
  /** Receives the cost of the answer. */
  readonly report?: ReportCost
}

/** Dependencies of rendering. */
export interface RenderPorts {
  readonly runInsight: (query: InsightCall) => Promise<QueryResponse>
  readonly log: Logger
  /** Deadline of a dashboard; tiles without an answer by then show an error. */
  readonly timeoutMs: number
}

/** A request to render a dashboard. */
export interface DashboardView {
  readonly dashboard: Dashboard
  readonly range: ShownRange
  /** Selects the tiles to query, by default all; the others have no outcome. */
  readonly isQueried?: (tile: DashboardTile) => boolean
  readonly isFresh: boolean
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  readonly requestId: string
  /** Receives the cost of each answer. */
  readonly report?: ReportCost
}

type Outcome = NonNullable<MessageInitShape<typeof RenderedTileSchema>['outcome']>

/**
 * Concurrency limit of one dashboard's queries. Two keep the store busy; each uses all of its cores, so that more compete
 * for CPU caches: 20 tiles over 20 million events cost 1.3 times as much with eight concurrent queries as with one or two
 * (bench/dashboards/query-dashboard.ts).
 */
const QUERIES_MAX = 2

/**
 * Runs the insights of a dashboard; tiles with equal specs and granularities share one query. A failed query becomes the error message of its
 * tiles. Throws only when the client has gone.
 */
export async function renderDashboard(ports: RenderPorts, view: DashboardView): Promise<RenderedDashboard> {
  const { dashboard, isQueried = () => true } = view
  const insights = new Map(dashboard.tiles.filter(isQueried).flatMap(insightsOf))
  const outcomes = new Map<string, Outcome>()
  const late = AbortSignal.timeout(ports.timeoutMs)
  await runInOrder(insights, QUERIES_MAX, async ([key, insight]) => {
    outcomes.set(key, await answerTile(ports, { view, insight, late }))
  })
  const tiles = dashboard.tiles.map((tile) => {
    const outcome = isQueried(tile) ? outcomes.get(insightsOf(tile)[0]?.[0] ?? '') : undefined
    return outcome ? { tile, outcome } : { tile }
  })
  return create(RenderedDashboardSchema, {
    id: dashboard.id,
    displayName: dashboard.displayName,
    description: dashboard.description,
    defaultTimeRange: dashboard.defaultTimeRange,
    defaultGranularity: dashboard.defaultGranularity,
    isRangePinned: dashboard.isRangePinned,
    createTime: timestampFromMs(dashboard.createdMs),
    updateTime: timestampFromMs(dashboard.updatedMs),
    tiles,
  })
}

/** The insight of a tile under a key that equal insights share; none for a text tile. */
function insightsOf({ content }: DashboardTile): [key: string, insight: InsightTileContent][] {
  if (content.case !== 'insight' || !content.value.spec) return []
  return [[Buffer.from(toBinary(InsightTileContentSchema, content.value)).toString('base64'), content.value]]
}

async function answerTile(
  { runInsight, log }: RenderPorts,
  {
    view,
    insight,
    late,
  }: { readonly view: DashboardView; readonly insight: InsightTileContent; readonly late: AbortSignal },
): Promise<Outcome> {
  const { dashboard, range, isFresh, requestId, report } = view
  const signal = AbortSignal.any([view.signal, late])
  try {
    if (view.signal.aborted) throw canceled()
    if (late.aborted) return tooLate()
    const granularity = granularityOfTile(insight, range)
    const request = create(QueryRequestSchema, {
      timeRange: range.timeRange,
      granularity,
      ...(insight.spec && { spec: insight.spec }),
    })
    const query = { projectId: dashboard.projectId, request, isFresh, signal }
    const value = await runInsight({ ...query, ...(report && { report }) })
    return { case: 'result', value }
  } catch (thrown) {
    if (view.signal.aborted) throw thrown
    if (late.aborted) return tooLate()
    const error = ServiceError.from(thrown)
    if (error.code === 'internal' || error.code === 'unavailable') {
      log.error({ requestId, dashboard: dashboard.id, err: error.cause }, error.message)
    }
    return { case: 'errorMessage', value: error.message }
  }
}

function tooLate(): Outcome {
  return {
    case: 'errorMessage',
    value: 'the dashboard took too long to answer this tile; narrow the time range or split the dashboard',
  }
}

function canceled(): ServiceError {
  return new ServiceError({ code: 'canceled', reason: 'CANCELED', message: 'the call was cancelled' })
}
