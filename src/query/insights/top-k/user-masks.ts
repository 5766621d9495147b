import type { PromotedProperty } from '../../../contract/promoted-properties.ts'
import type { Condition } from '../../../domain/insights/condition.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { RankingQuery } from '../../../domain/insights/top-k.ts'
import { int64ArrayCodec, int64Codec, stringArrayCodec, uint64ArrayCodec } from '../../sql/codec.ts'
import { type CompiledQuery, column, select } from '../../sql/select.ts'
import { type Param, param, type Sql, sql } from '../../sql/sql.ts'
import { USER_KEY } from '../../users/user-sql.ts'
import { daysOf, rankedEvents, textOf } from './compile.ts'

/** Properties of which a user has many values. Of others, sets of users are small, and reading events twice costs more than it saves. */
const OF_PAGES: ReadonlySet<PromotedProperty> = new Set(['$pathname', '$url', '$title'])

/** Whether masks are worth reading the events twice: for pages, and where conditions are cheap. */
export function isMaskable({ dimension, match }: RankingQuery, { filters }: InsightContext): boolean {
  if (dimension.kind !== 'property' || dimension.property.home !== 'column') return false
  return OF_PAGES.has(dimension.property.key) && [filters, match.condition].every(readsColumns)
}

function readsColumns(condition: Condition): boolean {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.every(readsColumns)
    case 'match':
      return condition.property.home === 'column'
    case 'cohort':
      return false
    default:
      return condition satisfies never
  }
}

/** Values with a bit of their own in the mask of a user; the last bit is that of all other values. */
export const CANDIDATES_MAX = 63

/** The users of some values, and those of all values that rank below the limit. */
export interface MaskedUsers {
  /** In the order of the candidates. */
  readonly users: readonly number[]
  readonly others: number
}

const BITS = Array.from({ length: CANDIDATES_MAX + 1 }, (_, index) => 1n << BigInt(index))

/**
 * Counts the users of given values exactly: each user has a mask of the values that their events have. One number per user instead
 * of a set of users per value takes a fraction of the time.
 */
export function compileMasks(
  query: RankingQuery & { readonly limit: number },
  context: InsightContext,
  candidates: readonly string[],
): CompiledQuery<MaskedUsers> {
  const keys = param(stringArrayCodec, candidates)
  const bits = param(uint64ArrayCodec, BITS.slice(0, candidates.length))
  const limit = param(int64Codec, query.limit)
  const bit = sql`transform(toString(${textOf(query.dimension)}), ${keys}, ${bits}, bitShiftLeft(toUInt64(1), 63))`
  const ids = sql`SELECT user_hash, groupBitOr(${bit}) AS sent ${rankedEvents(query, context)} GROUP BY user_hash`
  const masks = sql`SELECT ${USER_KEY} AS user, groupBitOr(sent) AS mask FROM (${ids}) GROUP BY user`
  const counted = sql`SELECT groupArray(mask) AS masks, sumForEach(arrayMap(bit -> bitAnd(mask, bit) != 0, ${bits})) AS users FROM (${masks})`
  const ranked = sql`SELECT masks, users, arraySlice(arraySort((bit, own, key) -> (-toInt64(own), key), ${bits}, users, ${keys}), 1, ${limit}) AS top FROM (${counted})`
  const isOther = sql`mask -> bitAnd(mask, bitNot(arraySum(top))) != 0`
  return {
    ...select(COLUMNS, sql`FROM (SELECT users, arrayCount(${isOther}, masks) AS others FROM (${ranked}))`),
    days: daysOf(query, context, {
      finish: 'combine',
      over: (cells) => overCells(cells, { keys, limit }),
    }),
  }
}

const COLUMNS = {
  users: column(int64ArrayCodec, sql`arrayMap(own -> toInt64(own), users)`),
  others: column(int64Codec, sql`toInt64(others)`),
}

/** The same from the users of each value. */
function overCells(
  cells: Sql,
  { keys, limit }: Readonly<Record<'keys' | 'limit', Param>>,
): CompiledQuery<MaskedUsers> {
  const totals = sql`SELECT key0, state0, arrayUniq(state0) AS own FROM (${cells})`
  const ranked = sql`SELECT key0, state0, own, row_number() OVER (ORDER BY has(${keys}, toString(key0)) DESC, own DESC, key0) AS rank FROM (${totals})`
  const gathered = sql`SELECT groupArray(toString(key0)) AS found, groupArray(own) AS owns, uniqExactArrayIf(state0, rank > ${limit}) AS others FROM (${ranked})`
  return select(
    COLUMNS,
    sql`FROM (SELECT arrayMap(key -> owns[indexOf(found, key)], ${keys}) AS users, others FROM (${gathered}))`,
  )
}
