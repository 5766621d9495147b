import type { InsightContext } from '../../spec/insight-context.ts'
import type { RankingQuery } from '../../spec/top-k.ts'
import type { QueryRunner } from '../../sql/select.ts'
import { compileCounts, compilePlaces, compileTop, type ValueRow } from './compile.ts'

/** The ranked rows in order, and the metric of the others if they have a row. */
export interface Ranking {
  readonly rows: readonly ValueRow[]
  readonly others: number | undefined
}

type Rank = (
  query: RankingQuery & { readonly limit: number },
  context: InsightContext,
  run: QueryRunner,
) => Promise<Ranking>

/** Runs a ranking the cheapest way. */
export async function rank(query: RankingQuery, context: InsightContext, run: QueryRunner): Promise<Ranking> {
  const { limit, others } = query
  if (limit === undefined || others === 'left out') {
    return { rows: await run(compileTop(query, context, limit)), others: undefined }
  }
  const way = query.metric.kind === 'total' ? rankCounts : rankStates
  return await way({ ...query, limit }, context, run)
}

/** Event counts can be subtracted, so their groups need no sorting. */
const rankCounts: Rank = async (query, context, run) => {
  const rows = await run(compileCounts(query, context, query.limit))
  const left = rows.reduce((count, { value }) => count - value, rows[0]?.total ?? 0)
  return { rows, others: left > 0 ? left : undefined }
}

/**
 * Ranks groups by their metric states and merges those beyond the limit, in one scan: with four thousand values it
 * costs a fifth less than separate scans for the first values and the others, with two million the same.
 */
const rankStates: Rank = async (query, context, run) => {
  const rows = await run(compilePlaces(query, context, query.limit))
  const others = rows.find(({ rank }) => rank > query.limit)
  return { rows: rows.filter((row) => row !== others), others: others?.value }
}
