import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { RangeMetric } from '../../../domain/insights/series.ts'
import type { Dimension, RankingQuery } from '../../../domain/insights/top-k.ts'
import { assert } from '../../../kernel/assert.ts'
import { eventPropertyText } from '../../property/event-property.ts'
import { float64Codec, int64Codec, stringCodec, uint64Codec } from '../../sql/codec.ts'
import type { DayCells } from '../../sql/day-cells.ts'
import { type CompiledQuery, column, select } from '../../sql/select.ts'
import { join, numbered, param, type Sql, sql } from '../../sql/sql.ts'
import { DISPLAY_ID, joinExternalIds, USER_COLUMNS } from '../../users/user-sql.ts'
import { groupRank } from '../breakdown.ts'
import { dayCellsOf } from '../day-cells-of.ts'
import { eventsOf, excludeCookieless, whereCounted } from '../event-sql.ts'
import { metricSql } from '../metric-sql.ts'

/** A dimension value with its metric. */
export interface ValueRow {
  readonly key: string
  /** The canonical user as a hash, when users are ranked. */
  readonly user: bigint
  readonly value: number
}

const LABELS = { key: column(stringCodec, sql`toString(key0)`), user: column(uint64Codec, sql`user`) }

/** The first `rowsMax` values of a ranking. */
export function compileTop(
  query: RankingQuery,
  context: InsightContext,
  rowsMax: number | undefined,
): CompiledQuery<ValueRow> {
  const limit = rowsMax === undefined ? sql`` : sql` LIMIT ${param(int64Codec, rowsMax)}`
  const { components, value } = metricSql(query.metric)
  const total = value(...namesOf(components))
  const over = (groups: Sql) =>
    select(
      { ...LABELS, value: column(float64Codec, sql`${total} AS total`) },
      sql`FROM (${groups}) ORDER BY total DESC, key0${limit}`,
    )
  const groups = groupsOf(
    query,
    context,
    components.map(({ direct }) => direct()),
  )
  return { ...over(groups), days: daysOf(query, context, { finish: 'merge', over }) }
}

/** One of the first values of a ranking by event count, with the total event count. */
export interface CountRow extends ValueRow {
  readonly total: number
}

/**
 * The first values by event count. The others are the remainder of the total, so the groups need no sorting: a bounded
 * heap keeps the first ones. The heap size must be a literal for the engine; it is `LIMIT_MAX`.
 */
export function compileCounts(
  query: RankingQuery,
  context: InsightContext,
  limit: number,
): CompiledQuery<CountRow> {
  const heap = sql`groupArraySorted(100)((-toInt64(state0), toString(key0), user))`
  // One level of the statement less than `ARRAY JOIN` needs: planning a level costs the engine a millisecond.
  const entry = sql`arrayJoin(arraySlice(${heap}, 1, ${param(int64Codec, limit)}))`
  const over = (groups: Sql) =>
    select(
      {
        key: column(stringCodec, sql`tupleElement(${entry} AS entry, 2)`),
        user: column(uint64Codec, sql`tupleElement(entry, 3)`),
        value: column(int64Codec, sql`-tupleElement(entry, 1)`),
        total: column(int64Codec, sql`toInt64(sum(state0))`),
      },
      sql`FROM (${groups})`,
    )
  return {
    ...over(groupsOf(query, context, [sql`count()`])),
    days: daysOf(query, context, { metric: { kind: 'total' }, finish: 'merge', over }),
  }
}

/** One value of a ranking, or all values beyond its limit. */
export interface RankedValueRow extends ValueRow {
  /** Rank, from 1; a rank above the limit is the others. */
  readonly rank: number
}

/** The first values and the others in one scan: groups with metric states are ranked, and the tail is merged. */
export function compileRanked(
  query: RankingQuery,
  context: InsightContext,
  limit: number,
): CompiledQuery<RankedValueRow> {
  const { components, value } = metricSql(query.metric)
  const groups = groupsOf(
    query,
    context,
    components.map(({ state }) => state()),
  )
  const states = join(namesOf(components), sql`, `)
  const total = value(...components.map(({ finish }, index) => finish(numbered('state', index))))
  const rank = groupRank({ total: sql`total`, keys: sql`key0`, limit })
  const merged = components.map(({ merge }, index) => merge(numbered('state', index)))
  const over = (rows: Sql) => {
    const totals = sql`SELECT key0, user, ${states}, ${total} AS total FROM (${rows})`
    return select(
      {
        key: column(stringCodec, sql`toString(any(key0))`),
        user: column(uint64Codec, sql`any(user)`),
        value: column(float64Codec, value(...merged)),
        rank: column(int64Codec, sql`toInt64(rank)`),
      },
      sql`FROM (SELECT key0, user, ${states}, ${rank} AS rank FROM (${totals})) GROUP BY rank ORDER BY rank`,
    )
  }
  return { ...over(groups), days: daysOf(query, context, { finish: 'combine', over }) }
}

/** The cells of a ranking: of those of all days, `finish` makes the column of a group for each component. Users are no values of events. */
export function daysOf(
  query: RankingQuery,
  context: InsightContext,
  {
    metric = query.metric,
    finish,
    over,
  }: {
    /** What the cells hold; the metric of the ranking when absent. */
    readonly metric?: RangeMetric
    readonly finish: 'merge' | 'combine'
    readonly over: (groups: Sql) => { readonly statement: Sql }
  },
): DayCells | undefined {
  const { dimension, match } = query
  if (dimension.kind === 'user') return undefined
  const { components } = metricSql(metric)
  const columns = components.flatMap((component, index) => {
    const name = numbered('state', index)
    const column = finish === 'merge' ? component.merge(name) : component.kept?.combine(name)
    return column ? [sql`${column} AS ${name}`] : []
  })
  return dayCellsOf(
    {
      matches: [match],
      where: whereRanked(query, context),
      keys: [textOf(dimension)],
      components: components.map((component) => ({ component })),
      states: finish === 'merge' ? 'read' : 'stored',
      over: (cells) =>
        over(sql`SELECT key0, toUInt64(0) AS user, ${join(columns, sql`, `)} FROM (${cells}) GROUP BY key0`)
          .statement,
    },
    context,
  )
}

/** `SELECT key0, user, state0, ...`: one row for each dimension value, with aggregates of its events. */
function groupsOf(query: RankingQuery, context: InsightContext, aggregates: readonly Sql[]): Sql {
  const selected = join(
    aggregates.map((aggregate, index) => sql`${aggregate} AS ${numbered('state', index)}`),
    sql`, `,
  )
  const events = rankedEvents(query, context)
  if (query.dimension.kind !== 'user') {
    return sql`SELECT ${textOf(query.dimension)} AS key0, toUInt64(0) AS user, ${selected} ${events} GROUP BY key0`
  }
  const users = sql`SELECT ${USER_COLUMNS}, ${selected} ${events} GROUP BY user`
  const states = join(namesOf(aggregates), sql`, `)
  return sql`SELECT ${DISPLAY_ID} AS key0, user, ${states} ${joinExternalIds(users, context.projectId)}`
}

function namesOf(aggregates: readonly unknown[]): readonly Sql[] {
  return aggregates.map((_, index) => numbered('state', index))
}

/** `FROM events ...`: the events that the ranking covers. */
export function rankedEvents(query: RankingQuery, context: InsightContext): Sql {
  return sql`${eventsOf([query.match], context)}${whereRanked(query, context)}`
}

function whereRanked({ dimension, metric, emptyValue }: RankingQuery, context: InsightContext): Sql {
  const counted = dimension.kind === 'user' ? excludeCookieless(context) : whereCounted(metric, context)
  return sql`${counted}${emptyValue === 'left out' ? sql` AND ${textOf(dimension)} != ''` : sql``}`
}

/** The text of a value; users are grouped by hash and named afterwards. */
export function textOf(dimension: Dimension): Sql {
  assert(dimension.kind !== 'user', 'the name of a user is not on the row')
  return dimension.kind === 'event_kind' ? sql`kind` : eventPropertyText(dimension.property)
}
