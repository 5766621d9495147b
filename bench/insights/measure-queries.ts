import type { BenchmarkQuery } from './benchmark-query.ts'
import { type Difference, differ, type Figures } from './figures.ts'
import { measureWays, type Outcome, type Way } from './measure.ts'
import type { ConditionReport, Cost, Failure, PeerReport, QueryReport } from './report.ts'
import { queryService, queryWithoutFinal, runSql } from './ways.ts'
import type { Merges } from './world/people.ts'
import type { World } from './world/world.ts'

/** Rounds of each way; the report has their medians. */
export interface Rounds {
  readonly rounds: number
}

/** A handful of figures is shown as it is: the steps of a funnel say more than a share. */
const FIGURES_SHOWN = 6

/** Measures a query in every way: by hand, by the service and as each peer runs it. */
export async function measureQuery(
  world: World,
  query: BenchmarkQuery,
  { rounds }: Rounds,
): Promise<QueryReport> {
  const peers = query.peers ?? []
  const ways = [
    runSql(world, { name: 'by hand', sql: query.hand }),
    queryService(world, query),
    ...peers.map(({ peer, sql }) => runSql(world, { name: peer, sql })),
  ]
  const [hand, ours, ...rest] = await measureWays(ways, { rounds, enginePid: world.enginePid })
  if (!hand || !ours) throw new Error('a way was lost')
  const exact = 'failed' in hand ? undefined : hand.answer.figures
  return {
    name: query.name,
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

/** The cost of copies: the service's statements with and without `FINAL`. */
export async function compareFinal(
  world: World,
  query: BenchmarkQuery,
  { rounds }: Rounds,
): Promise<ConditionReport> {
  const ways = [queryWithoutFinal(world, query), queryService(world, query)]
  const [plain, final] = await measureWays(ways, { rounds, enginePid: world.enginePid })
  if (!plain || !final) throw new Error('a way was lost')
  return {
    name: query.name,
    condition: 'FINAL',
    base: 'without FINAL',
    cost: toCost(final),
    baseCost: toCost(plain),
  }
}

/** The cost of a query with a cohort: the query without it and the scan of the cohort, and both as one statement. */
export async function compareCohort(
  world: World,
  query: BenchmarkQuery,
  { apart, rounds }: Rounds & { readonly apart: NonNullable<BenchmarkQuery['apart']> },
): Promise<ConditionReport> {
  const whole = queryService(world, { request: apart.request })
  const scan = runSql(world, { name: 'scan', sql: apart.scan })
  const both: Way = {
    name: 'apart',
    run: async () => {
      const { figures, readRows } = await whole.run()
      return { figures, readRows: readRows + (await scan.run()).readRows }
    },
  }
  const [base, ours] = await measureWays([both, queryService(world, query)], {
    rounds,
    enginePid: world.enginePid,
  })
  if (!base || !ours) throw new Error('a way was lost')
  return {
    name: query.name,
    condition: 'a cohort',
    base: 'without it, and its scan',
    cost: toCost(ours),
    baseCost: toCost(base),
  }
}

/** The cost of merged users: the same query without merged ids and with a million. */
export async function compareMerges(
  world: World,
  queries: readonly BenchmarkQuery[],
  { rounds }: Rounds,
): Promise<readonly ConditionReport[]> {
  const none = await measureAmong(world, 'none', queries, rounds)
  const million = await measureAmong(world, 'million', queries, rounds)
  await world.become('members')
  return queries.map(({ name }, index) => ({
    name,
    condition: 'a million merged ids',
    base: 'none',
    cost: million[index] ?? { failed: 'did not run' },
    baseCost: none[index] ?? { failed: 'did not run' },
  }))
}

async function measureAmong(
  world: World,
  merges: Merges,
  queries: readonly BenchmarkQuery[],
  rounds: number,
): Promise<readonly (Failure | Cost)[]> {
  await world.become(merges)
  const costs: (Failure | Cost)[] = []
  for (const query of queries) {
    const [outcome] = await measureWays([queryService(world, query)], {
      rounds,
      enginePid: world.enginePid,
    })
    if (outcome) costs.push(toCost(outcome))
  }
  return costs
}
