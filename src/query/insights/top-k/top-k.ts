import type { MessageInitShape } from '@bufbuild/protobuf'
import type { TopKRowSchema } from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import type { ProjectId } from '../../../contract/ids.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { RankingQuery } from '../../../domain/insights/top-k.ts'
import { identifiedPeople, PERSON_COLUMNS, readTraits } from '../../people/person.ts'
import { uint64ArrayCodec } from '../../sql/codec.ts'
import { type QueryRunner, select } from '../../sql/select.ts'
import { param, sql } from '../../sql/sql.ts'
import { OTHERS } from '../breakdown.ts'
import type { AnswerInsight } from '../insight.ts'
import { compileCounts, compileRanked, compileTop, type ValueRow } from './compile.ts'
import { byValue, countUsers } from './counted-users.ts'
import { CANDIDATES_MAX, compileMasks, isMaskable } from './user-masks.ts'

type RowInit = Exclude<MessageInitShape<typeof TopKRowSchema>, { $typeName: string }>

/** The first values of a dimension by a metric, with the others in one row. */
export const answerRanking: AnswerInsight<RankingQuery> = async (query, context, run) => {
  const { rows, others } = await rank(query, context, run)
  const named =
    query.dimension.kind === 'user'
      ? await addProfiles({ projectId: context.projectId, rows }, run)
      : rows.map(toRow)
  const last = others === undefined ? [] : [{ dimensionValue: OTHERS, value: others, isOthers: true }]
  return { case: 'topK', value: { rows: [...named, ...last] } }
}

function toRow({ key, value }: ValueRow): RowInit {
  return { dimensionValue: key, value }
}

/** Rows of identified users carry their profile. */
async function addProfiles(
  { projectId, rows }: { readonly projectId: ProjectId; readonly rows: readonly ValueRow[] },
  run: QueryRunner,
): Promise<RowInit[]> {
  if (rows.length === 0) return []
  const users = rows.map(({ user }) => user)
  const isRanked = sql`user_hash IN ${param(uint64ArrayCodec, users)}`
  const [people, traits] = await Promise.all([
    run(select(PERSON_COLUMNS, sql`FROM (${identifiedPeople(projectId, isRanked)})`)),
    readTraits({ projectId, users }, run),
  ])
  const byUser = new Map(people.map((person) => [person.user, person]))
  return rows.map((row) => {
    const person = byUser.get(row.user)
    if (!person) return toRow(row)
    const { id, externalId } = person
    return { ...toRow(row), profile: { id, externalId, properties: traits.get(row.user) ?? {} } }
  })
}

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
  if (limit === undefined) return await rankTop(query, context, run)
  const rankRows = rankerOf(query, context)
  if (others === 'one row') return await rankRows({ ...query, limit }, context, run)
  const isCheaper = rankRows === rankUsers || rankRows === rankByUsers
  const { rows } = await (isCheaper
    ? rankRows({ ...query, limit }, context, run)
    : rankTop(query, context, run))
  return { rows, others: undefined }
}

function rankerOf(query: RankingQuery, context: InsightContext): Rank {
  const { dimension, metric } = query
  if (metric.kind === 'total') return dimension.kind === 'user' ? rankUsers : rankCounts
  return metric.kind === 'unique_users' && isMaskable(query, context) ? rankByUsers : rankStates
}

/** Without the others, groups need no states. */
async function rankTop(query: RankingQuery, context: InsightContext, run: QueryRunner): Promise<Ranking> {
  return { rows: await run(compileTop(query, context, query.limit)), others: undefined }
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
  const rows = await run(compileRanked(query, context, query.limit))
  const others = rows.find(({ rank }) => rank > query.limit)
  return { rows: rows.filter((row) => row !== others), others: others?.value }
}

/** Users are counted without their texts, except where many have as many events as the last one of the ranking. */
const rankUsers: Rank = async (query, context, run) => {
  const counted = await countUsers(query, context, run)
  if (!counted) return await rankCounts(query, context, run)
  const { rows, total } = counted
  const left = rows.reduce((count, { value }) => count - value, total)
  return { rows, others: left > 0 ? left : undefined }
}

/**
 * A value has at most as many users as events, so that only the values with most events need their users counted: the ranking is
 * certain when its last value has more users than any other value has events.
 */
const rankByUsers: Rank = async (query, context, run) => {
  const { limit } = query
  const counts = await run(compileCounts(query, context, CANDIDATES_MAX + 1))
  const candidates = counts.slice(0, CANDIDATES_MAX)
  const eventsMax = counts[CANDIDATES_MAX]?.value ?? 0
  const eventsOfLast = candidates[limit - 1]?.value ?? 0
  // Where values have about the same number of events, the ranking would hardly be certain.
  if (candidates.length === 0) return { rows: [], others: undefined }
  if (eventsOfLast < 2 * eventsMax) return await rankStates(query, context, run)
  const keys = candidates.map(({ key }) => key)
  const [found] = await run(compileMasks(query, context, keys))
  const rows = candidates
    .map((candidate, index) => ({ ...candidate, value: found?.users[index] ?? 0 }))
    .toSorted(byValue)
    .slice(0, limit)
  if ((rows[limit - 1]?.value ?? Number.POSITIVE_INFINITY) <= eventsMax)
    return await rankStates(query, context, run)
  const others = found?.others ?? 0
  return { rows, others: others > 0 ? others : undefined }
}
