import { LONG_SESSION_MS } from '../../../store/clickhouse/migrations/003-sessions.ts'
import type { InsightContext } from '../../spec/insight-context.ts'
import type { SessionQuery } from '../../spec/sessions.ts'
import type { RangeMs } from '../../spec/time-range.ts'
import { instant } from '../../sql/events-table.ts'
import type { QueryRunner } from '../../sql/select.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { type Extent, farSessions, farSessionsBegun, idIn, selectExtent } from './far-sessions.ts'
import { SESSION_METRICS } from './session-metric.ts'

/** Where to find the events of the sessions that may have begun in the range. */
export interface Reach {
  /** A range that contains all of their events, and others. */
  readonly range: RangeMs
  /** The rows of the range that matter; all of them when absent. */
  readonly condition: Sql | undefined
}

const DAY_MS = 24 * 3_600_000

/**
 * Determines how far a query has to read, in three steps; most queries need only the first. Sessions that span at most
 * {@link LONG_SESSION_MS} lie near the range as a whole; longer ones are identified by id. Those within a day of the
 * range are read there. Of the remaining ones, only sessions that appear to begin in the range are read to their full
 * extent: an id that is in constant use (some clients have only one) is recognised as older without reading its
 * history.
 */
export async function findReach(
  query: SessionQuery,
  context: InsightContext,
  run: QueryRunner,
): Promise<Reach> {
  const isWhole = SESSION_METRICS[query.metric].needs === 'whole'
  const around = (marginMs: number): RangeMs => ({
    fromMs: context.range.fromMs - marginMs,
    toMs: context.range.toMs + (isWhole ? marginMs : 0),
  })
  const [near, wide] = [around(LONG_SESSION_MS), around(DAY_MS)]
  const [far, farther] = [farSessions(context, near), farSessions(context, wide)]

  const [extent] = await run(selectExtent(far))
  if (!extent?.sessionCount) return { range: near, condition: undefined }
  const farExtent = isWhole ? extent : { ...extent, lastMs: near.toMs - 1 }
  const isOfFar = sql`(${isWithin(near)} OR ${idIn(far)})`
  const isFarther = farExtent.firstMs < wide.fromMs || farExtent.lastMs >= wide.toMs
  if (!isFarther) return { range: join(near, farExtent), condition: isOfFar }

  const begun = farSessionsBegun(query.scope, context, farther)
  const [begunExtent] = await run(selectExtent(begun))
  const condition = sql`${isOfFar} AND NOT ${idIn(farther)}`
  if (!begunExtent?.sessionCount) return { range: wide, condition }
  const range = join(wide, isWhole ? begunExtent : { ...begunExtent, lastMs: wide.toMs - 1 })
  return { range, condition: sql`(${condition} OR ${idIn(begun)})` }
}

/** The range, extended to the given extent. */
function join({ fromMs, toMs }: RangeMs, { firstMs, lastMs }: Extent): RangeMs {
  return { fromMs: Math.min(fromMs, firstMs), toMs: Math.max(toMs, lastMs + 1) }
}

function isWithin({ fromMs, toMs }: RangeMs): Sql {
  return sql`time >= ${instant(fromMs)} AND time < ${instant(toMs)}`
}
