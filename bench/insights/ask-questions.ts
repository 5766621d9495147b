import { type Difference, differ, type Figures } from './figures.ts'
import { measureWays, type Outcome } from './measure.ts'
import type { InsightQuestion } from './question.ts'
import type { ConditionReport, Cost, Failure, PeerReport, QuestionReport } from './report.ts'
import { askService, askSql, askWithoutFinal } from './ways.ts'
import type { Merges } from './world/people.ts'
import type { World } from './world/world.ts'

/** How often everything is measured; the report takes medians. */
export interface Rounds {
  readonly rounds: number
}

/** A handful of figures is shown as it is: the steps of a funnel say more than a share. */
const FIGURES_SHOWN = 6

/** Asks a question in every way: by hand, by the service, as each peer does. */
export async function askQuestion(
  world: World,
  question: InsightQuestion,
  { rounds }: Rounds,
): Promise<QuestionReport> {
  const peers = question.peers ?? []
  const ways = [
    askSql(world, { name: 'by hand', sql: question.hand }),
    askService(world, question.request),
    ...peers.map(({ peer, sql }) => askSql(world, { name: peer, sql })),
  ]
  const [hand, ours, ...rest] = await measureWays(ways, { rounds, enginePid: world.enginePid })
  if (!hand || !ours) throw new Error('a way was lost')
  const exact = 'failed' in hand ? undefined : hand.answer.figures
  return {
    name: question.name,
    ours: judged(ours, exact),
    hand: withFigures(hand),
    peers: peers.map(({ peer, note = '' }, index): PeerReport => {
      const outcome = rest[index]
      if (!outcome) throw new Error('a peer was lost')
      return { peer, note, ...withFigures(outcome), ...judged(outcome, exact) }
    }),
  }
}

function judged(
  outcome: Outcome,
  exact: Figures | undefined,
): Failure | (Cost & { readonly difference: Difference }) {
  const cost = toCost(outcome)
  if ('failed' in outcome || 'failed' in cost) return { failed: 'failed' in outcome ? outcome.failed : '' }
  if (!exact) return { failed: 'there is no exact answer to compare with' }
  return { ...cost, difference: differ(exact, outcome.answer.figures) }
}

function withFigures(
  outcome: Outcome,
): Failure | (Cost & { readonly figures?: Readonly<Record<string, number>> }) {
  const cost = toCost(outcome)
  if ('failed' in outcome || outcome.answer.figures.size > FIGURES_SHOWN) return cost
  return { ...cost, figures: Object.fromEntries(outcome.answer.figures) }
}

function toCost(outcome: Outcome): Failure | Cost {
  if ('failed' in outcome) return { failed: outcome.failed }
  const { cpuMs, wallMs, ratio, answer } = outcome
  return { cpuMs, wallMs, ratio, readRows: answer.readRows }
}

/** What copies cost: the service's statements with and without `FINAL`. */
export async function compareFinal(
  world: World,
  question: InsightQuestion,
  { rounds }: Rounds,
): Promise<ConditionReport> {
  const ways = [askWithoutFinal(world, question.request), askService(world, question.request)]
  const [plain, final] = await measureWays(ways, { rounds, enginePid: world.enginePid })
  if (!plain || !final) throw new Error('a way was lost')
  return {
    name: question.name,
    condition: 'FINAL',
    base: 'without FINAL',
    cost: toCost(final),
    baseCost: toCost(plain),
  }
}

/** What merged users cost: the same question with nobody merged and with a million. */
export async function compareMerges(
  world: World,
  questions: readonly InsightQuestion[],
  { rounds }: Rounds,
): Promise<readonly ConditionReport[]> {
  const none = await askAmong(world, 'none', questions, rounds)
  const million = await askAmong(world, 'million', questions, rounds)
  await world.become('members')
  return questions.map(({ name }, index) => ({
    name,
    condition: 'a million merged ids',
    base: 'none',
    cost: million[index] ?? { failed: 'was not asked' },
    baseCost: none[index] ?? { failed: 'was not asked' },
  }))
}

async function askAmong(
  world: World,
  merges: Merges,
  questions: readonly InsightQuestion[],
  rounds: number,
): Promise<readonly (Failure | Cost)[]> {
  await world.become(merges)
  const costs: (Failure | Cost)[] = []
  for (const { request } of questions) {
    const [outcome] = await measureWays([askService(world, request)], { rounds, enginePid: world.enginePid })
    if (outcome) costs.push(toCost(outcome))
  }
  return costs
}
