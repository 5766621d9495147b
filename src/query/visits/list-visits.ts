import type { MessageInitShape } from '@bufbuild/protobuf'
import {
  type VisitsServiceListRequest,
  VisitsServiceListRequestSchema,
  type VisitsServiceListResponseSchema,
} from '../../contract/gen/millrace/web/v1/visits_service_pb.js'
import { isCanonicalUuid } from '../../contract/ids.ts'
import type { ProjectContext } from '../../domain/insights/insight-context.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import { parseFilters } from '../../domain/insights/parse-filters.ts'
import { parseLongRange } from '../../domain/insights/time-range.ts'
import { decodePageToken, encodePageToken, invalidPageToken } from '../../rpc/page-token.ts'
import { encodeBoundToken, type PagedRequest, parseBoundToken } from '../calls/bound-token.ts'
import type { Goal } from '../goals/goal-store.ts'
import type { QueryRunner } from '../sql/select.ts'
import { requireGoals } from '../web/find-visits.ts'
import { parseSelection, REASON, type VisitSelection } from '../web/web-query.ts'
import { describeVisits } from './describe-visits.ts'
import { findStarts, type VisitCursor } from './find-starts.ts'
import type { PreselectionLimits } from './preselect.ts'

/** One call of `VisitsService.List`. */
export interface ListVisitsCall {
  readonly request: VisitsServiceListRequest
  readonly project: Pick<ProjectContext, 'projectId' | 'cohorts'>
  /** The goals of the project, for conditions that need them. */
  readonly goals: readonly Goal[]
  readonly nowMs: number
  /** By default those of the service. */
  readonly preselections?: readonly PreselectionLimits[]
  readonly run: QueryRunner
}

const PAGE_SIZE_DEFAULT = 100
const PAGE_SIZE_MAX = 1000

/** The visits of a range, the latest start first, a page at a time. Throws `ServiceError`. */
export async function listVisits(
  call: ListVisitsCall,
): Promise<MessageInitShape<typeof VisitsServiceListResponseSchema>> {
  const { request, project, goals, nowMs, preselections, run } = call
  const range = parseLongRange(request.timeRange, REASON)
  const pageSize = parsePageSize(request.pageSize)
  const selection = parseVisits(request, project)
  requireGoals({ selection, goals })
  const paged = { schema: VisitsServiceListRequestSchema, request, projectId: project.projectId }
  const cursor = parseCursor(paged)
  const search = { selection, goals, range, cursor, countMax: pageSize + 1, nowMs, preselections }
  const starts = await findStarts(search, run)
  const listed = starts.slice(0, pageSize)
  const last = listed.at(-1)
  return {
    visits: await describeVisits(selection, listed, run),
    nextPageToken: starts.length > pageSize && last ? encodeCursor(paged, last) : '',
  }
}

function parseVisits(request: VisitsServiceListRequest, project: ListVisitsCall['project']): VisitSelection {
  const { projectId } = project
  const { distinctId, propertyFilters } = request
  const of = parseFilters(propertyFilters, { field: 'propertyFilters', reason: REASON })
  return {
    ...parseSelection(request, project),
    ...(of.length === 0 ? {} : { properties: { kind: 'all', of } }),
    ...(distinctId === '' ? {} : { person: { projectId, distinctId } }),
  }
}

/** Parses the size of a page. Throws `invalid_argument`. */
export function parsePageSize(pageSize: number): number {
  if (pageSize >= 0 && pageSize <= PAGE_SIZE_MAX) return pageSize || PAGE_SIZE_DEFAULT
  throw invalid('pageSize', `must be 0 to ${PAGE_SIZE_MAX}`, REASON)
}

type PagedVisits = PagedRequest<typeof VisitsServiceListRequestSchema>

function encodeCursor(paged: PagedVisits, { startMs, sessionId }: VisitCursor): string {
  return encodeBoundToken(paged, encodePageToken([startMs, sessionId]))
}

function parseCursor(paged: PagedVisits): VisitCursor | undefined {
  const position = parseBoundToken(paged)
  if (position === undefined) return undefined
  const [startMs, sessionId] = decodePageToken(position)
  const isCursor =
    Number.isSafeInteger(startMs) && typeof sessionId === 'string' && isCanonicalUuid(sessionId)
  if (!isCursor) throw invalidPageToken()
  return { startMs: Number(startMs), sessionId }
}
