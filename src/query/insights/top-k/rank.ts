import { WITH_DICTIONARY } from '../../../store/clickhouse/migrations/001-events.ts'
import type { Ask, Frame } from '../insight.ts'
import { countsUsers } from '../metric.ts'
import { compileCounts, compileOthers, compilePlaces, compileTop, type ValueRow } from './compile.ts'
import type { Dimension, RankingQuestion } from './spec.ts'

/** The rows of a ranking in their order, and the metric of the others where they have a row. */
export interface Ranking {
  readonly rows: readonly ValueRow[]
  readonly others: number | undefined
}

type Rank = (
  question: RankingQuestion & { readonly limit: number },
  frame: Frame,
  ask: Ask,
) => Promise<Ranking>

/** Asks for a ranking, in the way that costs least. */
export async function rank(question: RankingQuestion, frame: Frame, ask: Ask): Promise<Ranking> {
  const { limit, others } = question
  if (limit === undefined || others === 'left out') {
    return { rows: await ask(compileTop(question, frame, limit)), others: undefined }
  }
  return await chooseWay(question)({ ...question, limit }, frame, ask)
}

/**
 * Numbers of events subtract, so their groups need no order at all. Otherwise the groups are ranked with the states of
 * the metric, which is one scan. States of users are the exception: moving a million sets of them costs more than a
 * second scan, so values without an upper bound are scanned twice, and only when there are others.
 */
function chooseWay({ metric, dimension }: RankingQuestion): Rank {
  if (metric.kind === 'total') return rankCounts
  return countsUsers(metric) && hasManyValues(dimension) ? rankTwice : rankOnce
}

function hasManyValues(dimension: Dimension): boolean {
  if (dimension.kind !== 'property') return false
  const { property } = dimension
  return property.home === 'maps' || !WITH_DICTIONARY.has(property.key)
}

const rankCounts: Rank = async (question, frame, ask) => {
  const rows = await ask(compileCounts(question, frame, question.limit))
  const left = rows.reduce((count, { value }) => count - value, rows[0]?.total ?? 0)
  return { rows, others: left > 0 ? left : undefined }
}

const rankOnce: Rank = async (question, frame, ask) => {
  const rows = await ask(compilePlaces(question, frame, question.limit))
  const others = rows.find(({ place }) => place > question.limit)
  return { rows: rows.filter((row) => row !== others), others: others?.value }
}

const rankTwice: Rank = async (question, frame, ask) => {
  const found = await ask(compileTop(question, frame, question.limit + 1))
  const rows = found.slice(0, question.limit)
  if (found.length === rows.length) return { rows, others: undefined }
  const keys = rows.map(({ key }) => key)
  const [others] = await ask(compileOthers(question, frame, keys))
  return { rows, others: others?.value }
}
