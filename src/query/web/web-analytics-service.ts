import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { projectIdOf } from '../../access/caller.ts'
import { EventFilterSchema } from '../../contract/gen/common/v1/filter_pb.js'
import {
  QueryRealtimeRequestSchema,
  QueryRealtimeResponseSchema,
} from '../../contract/gen/millrace/web/v1/realtime_pb.js'
import {
  Dimension,
  type QueryOverviewRequest,
  QueryOverviewRequestSchema,
  type QueryOverviewResponse,
  QueryOverviewResponseSchema,
  type QueryTableRequest,
  QueryTableRequestSchema,
  type QueryTableResponse,
  QueryTableResponseSchema,
  type WebAnalyticsService,
} from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import type { ProjectContext } from '../../domain/insights/insight-context.ts'
import { type MergedKinds, withMergedKinds } from '../../domain/insights/merged-kinds.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { answerQuery, findAnswer, type QueryCaller, type QueryPorts } from '../calls/query-call.ts'
import { type Goal, loadGoals } from '../goals/goal-store.ts'
import { loadImports, type StoredImport } from '../imported/import-store.ts'
import type { QueryRunner } from '../sql/select.ts'
import { importedDaysOf } from './imported-selection.ts'
import { answerOverview } from './overview.ts'
import { answerRealtime } from './realtime.ts'
import { answerTable } from './table.ts'
import { VisitScans } from './visit-scans.ts'
import { parseOverview, parseTable } from './web-query.ts'

/** Dependencies of the web overview. */
export interface WebPorts extends QueryPorts {
  readonly catalog: Catalog
}

/** `millrace.web.v1.WebAnalyticsService`: measures of visits. */
export function createWebAnalyticsService(ports: WebPorts): ServiceImpl<typeof WebAnalyticsService> {
  const scans = new VisitScans()
  return {
    queryOverview: async (request, context) => {
      const goals = await readGoals(ports, context, request.filters)
      const imports = await loadShownImports(ports, projectIdOf(context))
      return await answerQuery(ports, { ...overviewQuery({ request, goals, imports, scans }), context })
    },
    queryTable: async (request, context) => {
      const goals = await readGoals(ports, context, [...request.filters, request])
      const imports = await loadShownImports(ports, projectIdOf(context))
      return await answerQuery(ports, { ...tableQuery({ request, goals, imports, scans }), context })
    },
    queryRealtime: async (request, context) =>
      await answerQuery(ports, {
        input: QueryRealtimeRequestSchema,
        output: QueryRealtimeResponseSchema,
        request,
        context,
        cohortIds: idsOfCohorts(request),
        answer: async (run, project) =>
          await answerRealtime({ request, project, nowMs: ports.clock.nowMs(), run }),
      }),
  }
}

/** Measures visits for a caller inside the service, as `WebAnalyticsService.QueryOverview` does, without imported days. */
export async function findOverview(
  ports: WebPorts,
  { request, ...caller }: QueryCaller & { readonly request: QueryOverviewRequest },
): Promise<QueryOverviewResponse> {
  const goals = await goalsOf(ports, caller.projectId, request.filters)
  const scans = new VisitScans()
  return (await findAnswer(ports, { ...overviewQuery({ request, goals, imports: [], scans }), ...caller }))
    .answer
}

/** Measures visits by a dimension for a caller inside the service, as `WebAnalyticsService.QueryTable` does, without imported days. */
export async function findTable(
  ports: WebPorts,
  { request, ...caller }: QueryCaller & { readonly request: QueryTableRequest },
): Promise<QueryTableResponse> {
  const goals = await goalsOf(ports, caller.projectId, [...request.filters, request])
  const scans = new VisitScans()
  return (await findAnswer(ports, { ...tableQuery({ request, goals, imports: [], scans }), ...caller }))
    .answer
}

/** A question, and what its answer depends on. */
interface Question<Request> {
  readonly request: Request
  readonly goals: readonly Goal[]
  readonly imports: readonly StoredImport[]
  readonly scans: VisitScans
}

function overviewQuery({ request, goals, imports, scans }: Question<QueryOverviewRequest>) {
  return {
    input: QueryOverviewRequestSchema,
    output: QueryOverviewResponseSchema,
    request,
    basis: `${versionOf(goals)}\n\n${versionOfImports(imports)}`,
    cohortIds: idsOfCohorts(request),
    answer: async (run: QueryRunner, project: ProjectContext) =>
      await answerOverview(parseOverview(request, project), goals, {
        run,
        scans,
        imported: importedDaysOf(request, project, imports),
      }),
  }
}

function tableQuery({ request, goals, imports, scans }: Question<QueryTableRequest>) {
  return {
    input: QueryTableRequestSchema,
    output: QueryTableResponseSchema,
    request,
    basis: `${versionOf(goals)}\n\n${versionOfImports(imports)}`,
    cohortIds: idsOfCohorts(request),
    answer: async (run: QueryRunner, project: ProjectContext) =>
      await answerTable(parseTable(request, project), goals, {
        run,
        scans,
        imported: importedDaysOf(request, project, imports),
      }),
  }
}

/** The cohorts that a request about visits names. */
export function idsOfCohorts({ cohorts }: Pick<QueryOverviewRequest, 'cohorts'>): readonly string[] {
  return cohorts.map(({ cohortId }) => cohortId)
}

/** The goals of the project; none when no part of the request is about goals. */
export async function readGoals(
  ports: WebPorts,
  context: HandlerContext,
  parts: readonly { readonly dimension: Dimension }[],
): Promise<readonly Goal[]> {
  return await goalsOf(ports, projectIdOf(context), parts)
}

async function goalsOf(
  { catalog, projects }: WebPorts,
  projectId: ProjectId,
  parts: readonly { readonly dimension: Dimension }[],
): Promise<readonly Goal[]> {
  const isAboutGoals = parts.some(({ dimension }) => dimension === Dimension.GOAL)
  if (!isAboutGoals) return []
  const { mergedKinds } = (await projects.read(projectId)).names
  return (await loadGoals(catalog, projectId)).map((goal) => mergeKinds(goal, mergedKinds))
}

/** The goal with the events of the kinds that count as its kind. */
function mergeKinds(goal: Goal, mergedKinds: MergedKinds): Goal {
  const { target } = goal
  if (target.case !== 'event') return goal
  const value = withMergedKinds(EventFilterSchema, target.value, mergedKinds)
  return { ...goal, target: { case: 'event', value } }
}

/** The imports of the project whose days are shown. */
async function loadShownImports(
  { catalog }: WebPorts,
  projectId: ProjectId,
): Promise<readonly StoredImport[]> {
  return (await loadImports(catalog, projectId)).filter(({ finishedMs }) => finishedMs !== undefined)
}

/** The imports that an answer depends on, as text. */
function versionOfImports(imports: readonly StoredImport[]): string {
  return imports.map(({ id, shownUntil }) => `${id} ${shownUntil}`).join('\n')
}

/** The goals that an answer depends on, as text. */
export function versionOf(goals: readonly Goal[]): string {
  return goals.map(({ id, updatedMs }) => `${id} ${updatedMs}`).join('\n')
}
