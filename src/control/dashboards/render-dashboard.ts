import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { DashboardTile } from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import {
  type RenderedDashboard,
  RenderedDashboardSchema,
  type RenderedTileSchema,
} from '../../contract/gen/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import {
  type InsightQuerySpec,
  InsightQuerySpecSchema,
} from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
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
import type { ShownRange } from './shown-range.ts'

/** An insight to compute. */
export interface InsightCall {
  readonly projectId: ProjectId
  readonly request: QueryRequest
  /** Takes no answer of a moment ago. */
  readonly isFresh: boolean
  readonly signal: AbortSignal
  /** Hears what the answer cost. */
  readonly report?: ReportCost
}

/** What dashboards are rendered with. */
export interface RenderPorts {
  readonly runInsight: (query: InsightCall) => Promise<QueryResponse>
  readonly log: Logger
  /** How long a dashboard may take: a tile that is not answered by then says so. */
  readonly timeoutMs: number
}

/** A look at a dashboard. */
export interface DashboardView {
  readonly dashboard: Dashboard
  readonly range: ShownRange
  /** Which tiles are asked; the others come without an outcome. All, when absent. */
  readonly isAsked?: (tile: DashboardTile) => boolean
  readonly isFresh: boolean
  /** When nobody looks any more. */
  readonly signal: AbortSignal
  readonly requestId: string
  /** Hears what each answer cost. */
  readonly report?: ReportCost
}

type Outcome = NonNullable<MessageInitShape<typeof RenderedTileSchema>['outcome']>

/**
 * Questions of one dashboard at once: the next one is there when one ends. Each runs on all cores of the store, so that more
 * only take caches from each other: 20 tiles over 20 million events, eight at once, cost 1.3 times what they cost one after
 * the other, and two cost the same (bench/dashboards/query-dashboard.ts).
 */
const QUESTIONS_MAX = 2

/**
 * Answers every insight of a dashboard; tiles that ask the same are one question. A question that fails is the message of its
 * tiles. Throws only when nobody looks any more.
 */
export async function renderDashboard(ports: RenderPorts, view: DashboardView): Promise<RenderedDashboard> {
  const { dashboard, isAsked = () => true } = view
  const specs = new Map(dashboard.tiles.filter(isAsked).flatMap(specsOf))
  const outcomes = new Map<string, Outcome>()
  const late = AbortSignal.timeout(ports.timeoutMs)
  await runInOrder(specs, QUESTIONS_MAX, async ([name, spec]) => {
    outcomes.set(name, await answerTile(ports, { view, spec, late }))
  })
  const tiles = dashboard.tiles.map((tile) => {
    const outcome = isAsked(tile) ? outcomes.get(specsOf(tile)[0]?.[0] ?? '') : undefined
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

/** The question of a tile, by a name that equal ones share; none for a text. */
function specsOf({ content }: DashboardTile): [name: string, spec: InsightQuerySpec][] {
  const spec = content.case === 'insight' ? content.value.spec : undefined
  return spec ? [[Buffer.from(toBinary(InsightQuerySpecSchema, spec)).toString('base64'), spec]] : []
}

async function answerTile(
  { runInsight, log }: RenderPorts,
  {
    view,
    spec,
    late,
  }: { readonly view: DashboardView; readonly spec: InsightQuerySpec; readonly late: AbortSignal },
): Promise<Outcome> {
  const { dashboard, range, isFresh, requestId, report } = view
  const signal = AbortSignal.any([view.signal, late])
  try {
    if (view.signal.aborted) throw nobodyLooks()
    if (late.aborted) return tooLate()
    const request = create(QueryRequestSchema, { ...range, spec })
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
    value: 'the dashboard took too long to answer this tile; look at less at once',
  }
}

function nobodyLooks(): ServiceError {
  return new ServiceError({ code: 'canceled', reason: 'CANCELED', message: 'the call was cancelled' })
}
