import type { ClickHouse } from '../../src/store/clickhouse/client.ts'
import { commandEverywhere } from '../../src/store/clickhouse/cluster.ts'
import { foldVisits } from '../../src/store/clickhouse/visit-fold.ts'
import { waitFor } from './wait.ts'

const FOLD_MS_MAX = 60_000

/** From then on queries find long sessions only where the folds of the shards have put them, and visits can be computed. */
export async function untilSessionsFolded(clickhouse: ClickHouse): Promise<void> {
  await waitFor('the folds of all shards', async () => {
    await commandEverywhere(clickhouse, 'SYSTEM REFRESH VIEW long_sessions_fold')
    const isCovered = await readFlag(
      clickhouse,
      '(SELECT min(covered) FROM session_coverage) > (SELECT max(arrived) FROM session_arrivals)',
    )
    return isCovered ? true : undefined
  })
}

/** From then on cells of all days can be kept. */
export async function untilArrivalsCovered(clickhouse: ClickHouse): Promise<void> {
  await waitFor('arrivals to be covered', async () => {
    await commandEverywhere(clickhouse, 'SYSTEM REFRESH VIEW long_sessions_fold')
    const isCovered = await readFlag(
      clickhouse,
      '(SELECT min(covered) FROM session_coverage) > (SELECT max(arrived) FROM day_arrivals)',
    )
    return isCovered ? true : undefined
  })
}

/** Computes visits until every arrival is counted and no day is left. */
export async function foldAllVisits(clickhouse: ClickHouse): Promise<void> {
  for (;;) {
    await untilSessionsFolded(clickhouse)
    const { daysToFill } = await foldVisits(clickhouse, AbortSignal.timeout(FOLD_MS_MAX), { settleMs: 0 })
    const isCovered = await readFlag(
      clickhouse,
      '(SELECT argMax(covered, version) FROM visit_coverage) > (SELECT max(arrived) FROM session_arrivals)',
    )
    if (daysToFill === 0 && isCovered) return
  }
}

async function readFlag(clickhouse: ClickHouse, condition: string): Promise<boolean> {
  const answer = await clickhouse.query({ query: `SELECT ${condition} AS flag`, format: 'JSONEachRow' })
  const [row] = await answer.json<{ readonly flag: number }>()
  return row?.flag === 1
}
