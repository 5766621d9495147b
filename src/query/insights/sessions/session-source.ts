import { SessionMetric } from '../../../contract/gen/shared/insights/v1/session_query_pb.js'
import type { PromotedProperty } from '../../../contract/promoted-properties.ts'
import type { Breakdown } from '../../../domain/insights/breakdown.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { Property } from '../../../domain/insights/property.ts'
import type { KnownSessionMetric, SessionQuery } from '../../../domain/insights/sessions.ts'
import type { RangeMs } from '../../../domain/insights/time-range.ts'
import { monotonicMs } from '../../../kernel/clock.ts'
import { FIRST_EVENT_PROPERTIES } from '../../../store/clickhouse/migrations/011-visits.ts'
import type { CompiledQuery, QueryRunner } from '../../sql/select.ts'
import { findRows, isInTime, type VisitRows } from '../../visit-rows/find-rows.ts'
import { coversByKind, soughtBy } from '../event-sql.ts'
import { findReach, type Reach, reachedBy } from './reach.ts'

/** A session query whose sessions may be broken down. */
export type BrokenDownQuery = SessionQuery & { readonly breakdown?: Breakdown | undefined }

/** Where the sessions of a range are read: from rows of visits, and the rest from events. */
export interface SessionSource {
  readonly rows: VisitRows | undefined
  /** `undefined` when rows suffice. */
  readonly rest: SessionEvents | undefined
}

/** The sessions that begin in a range, read from events. */
interface SessionEvents {
  readonly range: RangeMs
  readonly reach: Reach
}

const OF_FIRST_EVENT: ReadonlySet<PromotedProperty> = new Set([...FIRST_EVENT_PROPERTIES, '$pathname'])
const OF_LAST_EVENT: ReadonlySet<PromotedProperty> = new Set(['$pathname'])

/** Whether rows of visits answer the query: they measure whole sessions, and have some values of the first and the last event. */
function isOfRows({ scope, metric, breakdown }: BrokenDownQuery, context: InsightContext): boolean {
  return (
    scope.kind === '' && coversByKind(scope, context) && (breakdown?.properties ?? []).every(isInRow(metric))
  )
}

function isInRow(metric: KnownSessionMetric): (property: Property) => boolean {
  const inRow = metric === SessionMetric.EXIT ? OF_LAST_EVENT : OF_FIRST_EVENT
  return (property) => property.home === 'column' && inRow.has(property.key)
}

/** Reads the sessions of a query from rows of visits where they suffice, and from events where that takes too long. */
export async function readSessions<R>(
  query: BrokenDownQuery,
  context: InsightContext,
  {
    run,
    compile,
  }: { readonly run: QueryRunner; readonly compile: (source: SessionSource) => CompiledQuery<R> },
): Promise<readonly R[]> {
  const startMs = monotonicMs()
  const source = isOfRows(query, context) ? await findSource(query, context, run) : undefined
  if (source) {
    const rows = await run(compile(source))
    if (isInTime(startMs)) return rows
  }
  return await run(compile(ofEvents(context, await findReach(reachedBy(query), context, run))))
}

/** The sessions of the range of a query, read from events. */
export function ofEvents({ range }: InsightContext, reach: Reach): SessionSource {
  return { rows: undefined, rest: { range, reach } }
}

async function findSource(
  query: SessionQuery,
  context: InsightContext,
  run: QueryRunner,
): Promise<SessionSource | undefined> {
  const found = await findRows({ ...soughtBy(context), cookieless: 'measured', sessions: 'begun' }, run)
  if (!found) return undefined
  const { rows, rest } = found
  if (!rest) return { rows, rest }
  const reach = await findReach(reachedBy(query), { ...context, range: rest }, run)
  return { rows, rest: { range: rest, reach } }
}
