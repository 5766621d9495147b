import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import { ID_NUMBER } from '../../sql/event-order.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { USER_KEY } from '../../users/user-sql.ts'
import { selectKeys, withKeys } from '../breakdown.ts'
import { eventsOf, excludeCookieless } from '../event-sql.ts'
import { elapsed, integer } from './attempts.ts'
import { pathAttemptsSql } from './path-attempts.ts'

/** What users are selected with besides the steps of their attempts. */
type Described = 'nothing' | 'actors'

/**
 * The attempts of `pathAttemptsSql`, with a breakdown by the values of the event of the step that the query names. The events of
 * that step are read once more, as in plain funnels; users who did not reach it have the empty text.
 */
export function pathsByEvent(
  query: FunnelQuery,
  context: InsightContext,
  described: Described = 'nothing',
): Sql {
  const { breakdown, steps, rules } = query
  if (!breakdown) return pathAttemptsSql(query, context, { carried: described })
  const carried = described === 'actors' ? described : 'ids'
  const place = sql`indexOf(done, ${integer(rules.attribution)})`
  const attempts = sql`SELECT * EXCEPT (ids), if(${place} = 0, -1, times[${place}]) AS at, ids[${place}] AS id FROM (${pathAttemptsSql(query, context, { carried })})`
  // In any order, each step may be the one that was taken at that position.
  const matches = rules.order === 'any' ? steps : steps.slice(rules.attribution, rules.attribution + 1)
  const source = sql`${eventsOf(matches, withKeys(context, breakdown))}${excludeCookieless(context)}`
  const key = rules.countBy === 'sessions' ? sql`session_id` : USER_KEY
  const events = sql`SELECT ${key} AS user, ${elapsed(context)} AS at, ${ID_NUMBER} AS id, ${selectKeys(breakdown)} ${source}`
  // Within IN, the engine takes the columns of `attempts.*` for those of the rows around it; not those of `*`.
  return sql`SELECT * FROM (${events}) AS events RIGHT ANY JOIN (${attempts}) AS attempts USING (user, at, id)`
}
