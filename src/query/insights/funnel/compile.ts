import type { Breakdown } from '../../../domain/insights/breakdown.ts'
import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import { hasPlainAttempts } from '../../../domain/insights/funnel-options.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import { int64Codec, stringArrayCodec } from '../../sql/codec.ts'
import { EVENT_ORDER } from '../../sql/event-order.ts'
import { type CompiledQuery, column, select } from '../../sql/select.ts'
import { join, numbered, type Sql, sql } from '../../sql/sql.ts'
import { USER_KEY } from '../../users/user-sql.ts'
import { rankColumns, rankedGroups, selectKeys, withKeys } from '../breakdown.ts'
import { eventsOf, excludeCookieless } from '../event-sql.ts'
import { attemptsSql, elapsed } from './attempts.ts'
import { type CellTimes, cellsOf, isTimed, TIMES_OF_CELL, timeColumns } from './cells.ts'
import { pathsByEvent } from './path-groups.ts'
import type { StepTimes } from './timing.ts'

/** The users (or sessions) of one cell, per breakdown value or for the rest; with times when the query needs them. */
export interface CellRow extends Partial<StepTimes> {
  /** Rank of the breakdown value, from 1; a rank above the limit is the rest. 0 without a breakdown. */
  readonly rank: number
  /** Breakdown values. */
  readonly keys: readonly string[]
  /** A step, from 0; the numbers after the steps are the cells of the view. */
  readonly cell: number
  readonly users: number
  /** Of the time to convert: the number of bins, the least and the greatest time, and the users in each bin. */
  readonly spread?: readonly number[]
}

/** Compiles a funnel query: one row for every cell that has users. */
export function compileFunnel(query: FunnelQuery, context: InsightContext): CompiledQuery<CellRow> {
  const { breakdown } = query
  return breakdown ? compileBrokenDown({ ...query, breakdown }, context) : compileWhole(query, context)
}

function compileWhole(query: FunnelQuery, context: InsightContext): CompiledQuery<CellRow> {
  const columns = {
    rank: column(int64Codec, sql`toInt64(0)`),
    keys: column(stringArrayCodec, sql`CAST([], 'Array(String)')`),
    cell: column(int64Codec, sql`toInt64(step)`),
    users: column(int64Codec, sql`toInt64(sum(users))`),
  }
  const attempts = hasPlainAttempts(query.rules)
    ? attemptsSql(isTimed(query) ? { ...query, timing: 'with' } : query, context)
    : pathsByEvent(query, context)
  const rest = sql`FROM (${cellsOf(query, attempts)}) GROUP BY step${settingsOf(query)}`
  return select(isTimed(query) ? { ...columns, ...timeColumns(query, TIMES_OF_CELL) } : columns, rest)
}

type BrokenDownQuery = FunnelQuery & { readonly breakdown: Breakdown }

/** Cells by breakdown values, ranked by the users of the first step; the tail is merged. */
function compileBrokenDown(query: BrokenDownQuery, context: InsightContext): CompiledQuery<CellRow> {
  const { breakdown, rules } = query
  const hasTimes = isTimed(query)
  const attempts = hasPlainAttempts(rules)
    ? usersByStart(hasTimes ? { ...query, timing: 'with' } : query, context)
    : pathsByEvent(query, context)
  const spread = rules.view.kind === 'time_to_convert' ? sql`, spread` : sql``
  const ranked = rankedGroups(breakdown, {
    rows: cellsOf(query, attempts),
    cell: hasTimes ? sql`(step, users, total, ordered, below${spread})` : sql`(step, users)`,
    total: { value: sql`sumIf(users, step = 0)`, name: sql`entered` },
  })
  const rest = sql`${ranked}, step${settingsOf(query)}`
  const columns = {
    ...rankColumns(breakdown),
    cell: column(int64Codec, sql`toInt64(tupleElement(cell, 1)) AS step`),
    users: column(int64Codec, sql`toInt64(sum(tupleElement(cell, 2)))`),
  }
  return select(hasTimes ? { ...columns, ...timeColumns(query, TIMES_OF_TUPLE) } : columns, rest)
}

const TIMES_OF_TUPLE: CellTimes = {
  users: sql`tupleElement(cell, 2)`,
  total: sql`tupleElement(cell, 3)`,
  ordered: sql`tupleElement(cell, 4)`,
  below: sql`tupleElement(cell, 5)`,
  spread: sql`tupleElement(cell, 6)`,
}

/**
 * By default the engine would build the hash table of a join from the events of a step, which outnumber the attempts. Paths
 * are several arrays per user, so that blocks of the default size would take much of the memory.
 */
function settingsOf({ breakdown, rules }: FunnelQuery): Sql {
  const asWritten = sql`query_plan_join_swap_table = 'false'`
  const small = sql`max_block_size = 8192`
  if (hasPlainAttempts(rules)) return breakdown ? sql` SETTINGS ${asWritten}` : sql``
  return breakdown ? sql` SETTINGS ${asWritten}, ${small}` : sql` SETTINGS ${small}`
}

/**
 * Attempts with the breakdown values of their first event. Carrying the values of all events until the attempts are
 * known takes several times the memory: reading the events of the first step once more is cheaper.
 */
function usersByStart(
  query: BrokenDownQuery,
  context: InsightContext,
  carried: 'nothing' | 'users' = 'nothing',
): Sql {
  const { breakdown, steps, timing } = query
  const source = sql`${eventsOf(steps.slice(0, 1), withKeys(context, breakdown))}${excludeCookieless(context)}`
  const starts = sql`SELECT ${USER_KEY} AS user, ${elapsed(context)} AS start, ${EVENT_ORDER} AS event_order, ${selectKeys(breakdown)} ${source}`
  const keys = breakdown.properties.map((_, index) => {
    const key = numbered('key', index)
    return sql`argMin(starts.${key}, event_order) AS ${key}`
  })
  const deltas = timing === 'with' ? sql`any(attempts.deltas) AS deltas, ` : sql``
  const users =
    carried === 'users'
      ? sql`user, any(attempts.id) AS id, any(attempts.is_cookieless) AS is_cookieless, `
      : sql``
  return sql`SELECT ${users}any(attempts.level) AS level, ${deltas}${join(keys, sql`, `)} FROM (${starts}) AS starts INNER JOIN (${attemptsSql(query, context, carried)}) AS attempts USING (user, start) GROUP BY user`
}

/** `SELECT user, id, is_cookieless, level`, and `key0, ...` with a breakdown: the users who entered a plain funnel. */
export function enteredUsers(query: FunnelQuery, context: InsightContext): Sql {
  const plain = { ...query, timing: 'without' } as const
  const { breakdown } = plain
  return breakdown
    ? usersByStart({ ...plain, breakdown }, context, 'users')
    : attemptsSql(plain, context, 'users')
}
