import type { Breakdown } from '../../../domain/insights/breakdown.ts'
import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import { int64Codec, stringArrayCodec } from '../../sql/codec.ts'
import { EVENT_ORDER } from '../../sql/event-order.ts'
import { type CompiledQuery, column, select } from '../../sql/select.ts'
import { join, numbered, type Sql, sql } from '../../sql/sql.ts'
import { USER_KEY } from '../../users/user-sql.ts'
import { keyNames, rankColumns, rankedGroups, selectKeys, withKeys } from '../breakdown.ts'
import { eventsOf, excludeCookieless } from '../event-sql.ts'
import { attemptsSql, elapsed } from './attempts.ts'
import { mergedTimes, type StepTimes, timesOfCell } from './timing.ts'

/** The users who reached one step, per breakdown value or for the rest; with times when the query includes them. */
export interface StepRow extends Partial<StepTimes> {
  /** Rank of the breakdown value, from 1; a rank above the limit is the rest. 0 without a breakdown. */
  readonly rank: number
  /** Breakdown values. */
  readonly keys: readonly string[]
  /** From 0. */
  readonly step: number
  readonly users: number
}

/** Compiles a funnel query: one row for every step that any user reached. */
export function compileFunnel(query: FunnelQuery, context: InsightContext): CompiledQuery<StepRow> {
  const { breakdown } = query
  return breakdown ? compileBrokenDown({ ...query, breakdown }, context) : compileWhole(query, context)
}

function compileWhole(query: FunnelQuery, context: InsightContext): CompiledQuery<StepRow> {
  const columns = {
    rank: column(int64Codec, sql`toInt64(0)`),
    keys: column(stringArrayCodec, sql`CAST([], 'Array(String)')`),
    step: column(int64Codec, sql`toInt64(step)`),
    users: column(int64Codec, sql`toInt64(sum(users))`),
  }
  const rest = sql`FROM (${cellsSql(query, attemptsSql(query, context))}) GROUP BY step`
  if (query.timing === 'without') return select(columns, rest)
  const cell = { users: sql`users`, total: sql`total`, ordered: sql`ordered`, below: sql`below` }
  return select({ ...columns, ...mergedTimes(cell) }, rest)
}

type BrokenDownQuery = FunnelQuery & { readonly breakdown: Breakdown }

/** Cells of (values, step), grouped by values and ranked by the users of the first step; the tail is merged. */
function compileBrokenDown(query: BrokenDownQuery, context: InsightContext): CompiledQuery<StepRow> {
  const { breakdown, timing } = query
  const cell = timing === 'with' ? sql`(step, users, total, ordered, below)` : sql`(step, users)`
  const cells = cellsSql(query, usersByStart(query, context))
  const ranked = rankedGroups(breakdown, {
    rows: cells,
    cell,
    total: { value: sql`sumIf(users, step = 0)`, name: sql`entered` },
  })
  const rest = sql`${ranked}, step SETTINGS ${JOIN_AS_WRITTEN}`
  const columns = {
    ...rankColumns(breakdown),
    step: column(int64Codec, sql`toInt64(tupleElement(cell, 1)) AS step`),
    users: column(int64Codec, sql`toInt64(sum(tupleElement(cell, 2)))`),
  }
  if (timing === 'without') return select(columns, rest)
  const times = mergedTimes({
    users: sql`tupleElement(cell, 2)`,
    total: sql`tupleElement(cell, 3)`,
    ordered: sql`tupleElement(cell, 4)`,
    below: sql`tupleElement(cell, 5)`,
  })
  return select({ ...columns, ...times }, rest)
}

/** `users` by step and breakdown value. */
function cellsSql({ breakdown, timing }: FunnelQuery, users: Sql): Sql {
  const keys = breakdown ? sql`${keyNames(breakdown)}, ` : sql``
  const times = timing === 'with' ? sql`, ${timesOfCell()}` : sql``
  const deltas = timing === 'with' ? sql`, arrayPushFront(deltas, 0) AS delta` : sql``
  return sql`SELECT ${keys}step, count() AS users${times} FROM (${users}) ARRAY JOIN range(level) AS step${deltas} GROUP BY ${keys}step`
}

/** By default the engine would build its hash table from the events of the first step, which outnumber the attempts. */
const JOIN_AS_WRITTEN = sql`query_plan_join_swap_table = 'false'`

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

/** `SELECT user, id, is_cookieless, level`, and `key0, ...` with a breakdown: the users who entered the funnel. */
export function enteredUsers(query: FunnelQuery, context: InsightContext): Sql {
  const plain = { ...query, timing: 'without' } as const
  const { breakdown } = plain
  return breakdown
    ? usersByStart({ ...plain, breakdown }, context, 'users')
    : attemptsSql(plain, context, 'users')
}
