import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { RankingQuery } from '../../../domain/insights/top-k.ts'
import { int64Codec, stringCodec, uint64ArrayCodec, uint64Codec } from '../../sql/codec.ts'
import { scopedCopies } from '../../sql/events-table.ts'
import { scopedTable } from '../../sql/scoped-table.ts'
import { type CompiledQuery, column, type QueryRunner, type Row, select } from '../../sql/select.ts'
import { param, sql } from '../../sql/sql.ts'
import { USER_KEY } from '../../users/user-sql.ts'
import { rankedEvents, type ValueRow } from './compile.ts'

/** Users whose names are looked up: those of the ranking, and others with as many events as its last one. */
const NAMED_MAX = 1000

const COUNTED = {
  user: column(uint64Codec, sql`user`),
  /** One of the ids that were sent. */
  sample: column(uint64Codec, sql`sample`),
  value: column(int64Codec, sql`toInt64(counted)`),
  total: column(int64Codec, sql`toInt64(total)`),
}

type CountedUser = Row<typeof COUNTED>

/** The users with most events, in order, and the number of all events; `undefined` when too many have as many as the last one. */
export async function countUsers(
  query: RankingQuery & { readonly limit: number },
  context: InsightContext,
  run: QueryRunner,
): Promise<{ readonly rows: readonly ValueRow[]; readonly total: number } | undefined> {
  const counted = await run(compileCounted(query, context))
  if (counted.length > NAMED_MAX) return undefined
  const named = await nameUsers(counted, context, run)
  const rows = named.toSorted(byValue)
  return { rows: rows.slice(0, query.limit), total: counted[0]?.total ?? 0 }
}

/** Rows with the greatest value first, then by the bytes of their keys. */
export function byValue(left: ValueRow, right: ValueRow): number {
  return right.value - left.value || Buffer.compare(Buffer.from(left.key), Buffer.from(right.key))
}

/**
 * The users that have at least as many events as the last one of the ranking, of which there may be several. Ids are grouped before
 * users, and without their texts: a text for each user takes more time than everything else.
 */
function compileCounted(
  query: RankingQuery & { readonly limit: number },
  context: InsightContext,
): CompiledQuery<CountedUser> {
  const ids = sql`SELECT user_hash, count() AS sent ${rankedEvents(query, context)} GROUP BY user_hash`
  const users = sql`SELECT ${USER_KEY} AS user, any(user_hash) AS sample, sum(sent) AS counted FROM (${ids}) GROUP BY user`
  const first = sql`SELECT user, sample, counted, sum(counted) OVER () AS total FROM (${users}) ORDER BY counted DESC LIMIT ${param(int64Codec, query.limit)} WITH TIES`
  return select(COUNTED, sql`FROM (${first}) LIMIT ${param(int64Codec, NAMED_MAX + 1)}`)
}

/** The users with their names: the external id of a profile, else the id that was sent. A user without either was erased a moment ago. */
async function nameUsers(
  counted: readonly CountedUser[],
  { projectId, range }: InsightContext,
  run: QueryRunner,
): Promise<readonly ValueRow[]> {
  if (counted.length === 0) return []
  const users = param(
    uint64ArrayCodec,
    counted.map(({ user }) => user),
  )
  const samples = param(
    uint64ArrayCodec,
    counted.map(({ sample }) => sample),
  )
  const copies = scopedCopies({ projectId, ...range }, sql`user_hash IN ${samples}`)
  const [profiles, ids] = await Promise.all([
    run(
      select(
        { hash: column(uint64Codec, sql`user_hash`), name: column(stringCodec, sql`any(external_id)`) },
        sql`${scopedTable('profiles', projectId)} AND user_hash IN ${users} GROUP BY user_hash`,
      ),
    ),
    run(
      select(
        { hash: column(uint64Codec, sql`user_hash`), name: column(stringCodec, sql`any(distinct_id)`) },
        sql`${copies} GROUP BY user_hash`,
      ),
    ),
  ])
  const externalIds = new Map(profiles.map(({ hash, name }) => [hash, name]))
  const sentIds = new Map(ids.map(({ hash, name }) => [hash, name]))
  return counted.flatMap(({ user, sample, value }) => {
    const key = externalIds.get(user) || sentIds.get(sample)
    return key === undefined ? [] : [{ key, user, value }]
  })
}
