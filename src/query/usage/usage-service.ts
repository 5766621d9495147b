import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import { customerIdOf } from '../../access/caller.ts'
import { TimeRangeSchema } from '../../contract/gen/common/v1/time_range_pb.js'
import {
  type GetUsageRequest,
  GetUsageRequestSchema,
  type GetUsageResponse,
  GetUsageResponseSchema,
  type UsageDaySchema,
  type UsageMonthSchema,
  type UsageService,
} from '../../contract/gen/dashboard/usage/v1/usage_service_pb.js'
import { asOrganisationId, type ProjectId } from '../../contract/ids.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { wantsFreshAnswer } from '../../rpc/answer.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { listOpenProjectIds } from '../../store/catalog/project-roles.ts'
import { findAnswer, type QueryCaller, type QueryPorts } from '../calls/query-call.ts'
import { ALL_TIME } from '../sql/events-table.ts'
import { compileUsage, covers, type DayCount, monthOf, toWholeDays } from './count-usage.ts'

/** Dependencies of the service. */
export interface UsagePorts extends QueryPorts {
  readonly catalog: Catalog
}

const DAYS_MAX = 400
const DAY_MS = 24 * 3_600_000

/** Bounds an answer: an organisation may have a thousand projects. */
const ROWS_MAX = 10_000

/** Counts may be so old, unless answers are not cached at all. The documentation of the method names it. */
const ANSWER_TTL_MS = 5 * 60_000

/** Projects that one call counts at a time. */
const AT_ONCE = 4

/** `dashboard.usage.v1.UsageService`: the events of the projects of an organisation. */
export function createUsageService(ports: UsagePorts): ServiceImpl<typeof UsageService> {
  return {
    getUsage: async (request, context) => {
      const member = { organisationId: asOrganisationId(request.orgId), customerId: customerIdOf(context) }
      const month = monthOf(ports.clock.nowMs())
      const range = parseRange(request, month)
      const caller = { isFresh: wantsFreshAnswer(context.requestHeader), signal: context.signal }
      const projects = await listOpenProjectIds(ports.catalog, member)
      const ranges = covers(month, range) ? [month] : covers(range, month) ? [range] : [month, range]
      const counts = await countAll(ports, { projects, ranges, caller })
      return toResponse(counts, { month, range, nowMs: ports.clock.nowMs() })
    },
  }
}

/** Throws `invalid_argument`. */
function parseRange({ range: timeRange }: GetUsageRequest, month: RangeMs): RangeMs {
  if (!timeRange?.from || !timeRange.to) return month
  const range = toWholeDays({ fromMs: timestampMs(timeRange.from), toMs: timestampMs(timeRange.to) })
  // A range of 400 days that begins within a day has days at both ends.
  if (range.toMs - range.fromMs > (DAYS_MAX + 1) * DAY_MS)
    throw invalid('range', `spans more than ${DAYS_MAX} days`, 'INVALID_REQUEST')
  const clamp = (ms: number): number => Math.min(Math.max(ms, ALL_TIME.fromMs), ALL_TIME.toMs)
  return { fromMs: clamp(range.fromMs), toMs: clamp(range.toMs) }
}

/** The counts of a project in a range. */
interface ProjectCounts {
  readonly projectId: ProjectId
  readonly computedMs: number
  readonly days: readonly DayCount[]
}

async function countAll(
  ports: UsagePorts,
  {
    projects,
    ranges,
    caller,
  }: {
    readonly projects: readonly ProjectId[]
    readonly ranges: readonly RangeMs[]
    readonly caller: Pick<QueryCaller, 'isFresh' | 'signal'>
  },
): Promise<readonly ProjectCounts[]> {
  const wanted = projects.flatMap((projectId) => ranges.map((range) => ({ projectId, range })))
  const left = wanted.values()
  const counts: ProjectCounts[] = []
  let isOver = false
  const work = async (): Promise<void> => {
    for (const { projectId, range } of left) {
      if (isOver) return
      counts.push(await countOne(ports, { ...caller, projectId, range }))
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    // After a failure, the others begin no further project.
    isOver = true
  }
  return counts
}

async function countOne(
  ports: UsagePorts,
  { range, ...caller }: QueryCaller & { readonly range: RangeMs },
): Promise<ProjectCounts> {
  const { projectId } = caller
  const from = timestampFromMs(range.fromMs)
  const request = create(GetUsageRequestSchema, {
    range: create(TimeRangeSchema, { from, to: timestampFromMs(range.toMs) }),
  })
  const answerTtlMs = ports.answerTtlMs === 0 ? 0 : Math.max(ports.answerTtlMs, ANSWER_TTL_MS)
  const { answer } = await findAnswer(
    { ...ports, answerTtlMs },
    {
      ...caller,
      input: GetUsageRequestSchema,
      output: GetUsageResponseSchema,
      request,
      answer: async (run) => {
        const days = await run(compileUsage(projectId, range))
        return { daily: days.map(toDay), usageComputedAt: timestampFromMs(ports.clock.nowMs()) }
      },
    },
  )
  return { projectId, ...fromAnswer(answer) }
}

function toDay({ dayMs, count }: DayCount): MessageInitShape<typeof UsageDaySchema> {
  return { day: timestampFromMs(dayMs), eventCount: BigInt(count) }
}

function fromAnswer({ daily, usageComputedAt }: GetUsageResponse): Omit<ProjectCounts, 'projectId'> {
  return {
    computedMs: usageComputedAt ? timestampMs(usageComputedAt) : 0,
    days: daily.map(({ day, eventCount }) => ({
      dayMs: day ? timestampMs(day) : 0,
      count: Number(eventCount),
    })),
  }
}

function toResponse(
  counts: readonly ProjectCounts[],
  { month, range, nowMs }: { readonly month: RangeMs; readonly range: RangeMs; readonly nowMs: number },
): MessageInitShape<typeof GetUsageResponseSchema> {
  // Two ranges of one project may have the same days.
  const days = new Map(
    counts.flatMap(({ projectId, days: list }) =>
      list.map((day) => [`${day.dayMs} ${projectId}`, { ...day, projectId }] as const),
    ),
  )
  const within = ({ fromMs, toMs }: RangeMs): readonly ProjectDay[] =>
    [...days.values()].filter(({ dayMs }) => dayMs >= fromMs && dayMs < toMs)
  const daily = within(range).toSorted((a, b) => a.dayMs - b.dayMs || a.projectId - b.projectId)
  return {
    usedEvents: BigInt(within(month).reduce((sum, { count }) => sum + count, 0)),
    periodStart: timestampFromMs(month.fromMs),
    periodEnd: timestampFromMs(month.toMs),
    usageComputedAt: timestampFromMs(counts.reduce((ms, { computedMs }) => Math.min(ms, computedMs), nowMs)),
    daily: daily
      .slice(0, ROWS_MAX)
      .map(({ projectId, ...day }) => ({ ...toDay(day), projectId: String(projectId) })),
    monthly: monthsOf(daily),
  }
}

type ProjectDay = DayCount & { readonly projectId: ProjectId }

/** The sums of days by month and project, both ascending: few enough for an answer, however many days there are. */
function monthsOf(days: readonly ProjectDay[]): MessageInitShape<typeof UsageMonthSchema>[] {
  const sums = new Map<
    string,
    { readonly monthMs: number; readonly projectId: ProjectId; readonly count: number }
  >()
  for (const { dayMs, projectId, count } of days) {
    const { fromMs: monthMs } = monthOf(dayMs)
    const key = `${monthMs} ${projectId}`
    sums.set(key, { monthMs, projectId, count: count + (sums.get(key)?.count ?? 0) })
  }
  return [...sums.values()]
    .sort((a, b) => a.monthMs - b.monthMs || a.projectId - b.projectId)
    .map(({ monthMs, projectId, count }) => ({
      month: timestampFromMs(monthMs),
      projectId: String(projectId),
      eventCount: BigInt(count),
    }))
}
