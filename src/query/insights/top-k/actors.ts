import type { RowPoint } from '../../../contract/gen/millrace/people/v1/actors_service_pb.js'
import type { RankingQuery } from '../../../domain/insights/top-k.ts'
import { stringArrayCodec, stringCodec, uint64ArrayCodec } from '../../sql/codec.ts'
import { param, type Sql, sql } from '../../sql/sql.ts'
import { USER_KEY } from '../../users/user-sql.ts'
import { actorsOfEvents, type FindActors } from '../actors.ts'
import { invalidPoint } from '../points.ts'
import { rankedEvents, textOf } from './compile.ts'
import { type Ranking, rank } from './top-k.ts'

/** The users of the events of a row: of one value, or of all values without a row. */
export const findRowActors: FindActors<RankingQuery, RowPoint> = async ({ query, point, context, run }) => {
  const inRow = conditionOf(query, point, await rank(query, context, run))
  return actorsOfEvents(context, (of) => sql`${rankedEvents(query, of)} AND ${inRow}`)
}

function conditionOf({ dimension }: RankingQuery, { value, others }: RowPoint, ranking: Ranking): Sql {
  const { rows } = ranking
  if (others) {
    if (value !== '') throw invalidPoint('row.value', 'must be empty with others')
    if (ranking.others === undefined) throw invalidPoint('row.others', 'is not in the answer')
    return dimension.kind === 'user'
      ? sql`${USER_KEY} NOT IN ${param(
          uint64ArrayCodec,
          rows.map(({ user }) => user),
        )}`
      : sql`${textOf(dimension)} NOT IN ${param(
          stringArrayCodec,
          rows.map(({ key }) => key),
        )}`
  }
  const row = rows.find(({ key }) => key === value)
  if (!row) throw invalidPoint('row.value', 'is not in the answer')
  return dimension.kind === 'user'
    ? sql`${USER_KEY} IN ${param(uint64ArrayCodec, [row.user])}`
    : sql`${textOf(dimension)} = ${param(stringCodec, row.key)}`
}
