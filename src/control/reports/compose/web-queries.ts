import { create } from '@bufbuild/protobuf'
import { ComparisonSchema } from '../../../contract/gen/millrace/insights/v1/comparison_pb.js'
import type { ReportInput } from '../../../contract/gen/millrace/reports/v1/reports_service_pb.js'
import {
  Dimension,
  type QueryOverviewRequest,
  QueryOverviewRequestSchema,
  type QueryOverviewResponse,
  type QueryTableRequest,
  QueryTableRequestSchema,
  type QueryTableResponse,
} from '../../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import type { ProjectId } from '../../../contract/ids.ts'
import { type ErrorCode, ServiceError } from '../../../contract/service-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { ShownRange } from '../../dashboards/shown-range.ts'
import type { Section } from './section.ts'
import { showOverview, showWebTable, WEB_ROWS, WEB_TABLES } from './web-sections.ts'

/** A query about visits from inside the service. */
export interface WebCall<Request> {
  readonly projectId: ProjectId
  readonly request: Request
  readonly signal: AbortSignal
}

/** The queries of the web overview. */
export interface WebQueries {
  readonly clock: Clock
  readonly queryOverview: (call: WebCall<QueryOverviewRequest>) => Promise<QueryOverviewResponse>
  readonly queryTable: (call: WebCall<QueryTableRequest>) => Promise<QueryTableResponse>
}

/** Failures that may go away by themselves. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'internal',
  'resource_exhausted',
  'deadline_exceeded',
])

/** Whether a query may succeed later. */
export function isTransient(thrown: unknown): boolean {
  return TRANSIENT.has(ServiceError.from(thrown).code)
}

/** Sections, and whether one shows an error that may go away by itself. */
export interface AskedSections {
  readonly sections: readonly Section[]
  readonly isIncomplete: boolean
}

/** Asks for the web overview of a range. */
export async function askWebSections(
  ports: WebQueries,
  of: {
    readonly projectId: ProjectId
    readonly range: ShownRange
    readonly timeZone: string
    readonly signal: AbortSignal
    readonly content: ReportInput['content']['value']
  },
): Promise<AskedSections> {
  const { projectId, range, timeZone, signal, content } = of
  const { filters = [], cohorts = [], includeBots = false } = content && 'filters' in content ? content : {}
  const compareTo = create(ComparisonSchema, { with: { case: 'previousPeriod', value: true } })
  const { timeRange, granularity } = range
  const about = { timeRange, granularity, timezone: timeZone, filters, cohorts, includeBots, compareTo }
  const asked = [
    await trySection('Visitors', signal, async () => {
      const request = create(QueryOverviewRequestSchema, about)
      const answer = await ports.queryOverview({ projectId, request, signal })
      return showOverview(answer, { timeZone, nowMs: ports.clock.nowMs() })
    }),
  ]
  for (const table of WEB_TABLES) {
    asked.push(
      await trySection(table.title, signal, async () => {
        const request = create(QueryTableRequestSchema, {
          ...about,
          dimension: table.dimension,
          limit: WEB_ROWS,
        })
        return showWebTable(table, await ports.queryTable({ projectId, request, signal }))
      }),
    )
  }
  const shown = asked.filter(({ section }) => !isEmptyGoals(section))
  return {
    sections: shown.map(({ section }) => section),
    isIncomplete: asked.some((one) => one.isTransient),
  }
}

/** A project without goals has no table of them. */
function isEmptyGoals(section: Section): boolean {
  const goals = WEB_TABLES.find(({ dimension }) => dimension === Dimension.GOAL)
  return section.kind === 'table' && section.title === goals?.title && section.rows.length === 0
}

async function trySection(
  title: string,
  signal: AbortSignal,
  ask: () => Promise<Section>,
): Promise<{ readonly section: Section; readonly isTransient: boolean }> {
  try {
    return { section: await ask(), isTransient: false }
  } catch (thrown) {
    signal.throwIfAborted()
    const { message } = ServiceError.from(thrown)
    return {
      section: { kind: 'error', title, description: '', message },
      isTransient: isTransient(thrown),
    }
  }
}
