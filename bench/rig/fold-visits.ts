import { monotonicMs } from '../../src/kernel/clock.ts'
import type { ClickHouse } from '../../src/store/clickhouse/client.ts'
import { FoldSize } from '../../src/store/clickhouse/fold-size.ts'
import { type FoldedVisits, foldVisits } from '../../src/store/clickhouse/visit-fold.ts'
import { processCpuSeconds } from './cpu.ts'

const FOLD_MS_MAX = 3_600_000

const IS_COVERED = `SELECT (SELECT argMax(covered, version) FROM visit_coverage) > (SELECT max(arrived) FROM session_arrivals)`

const VISITS_SIZE = `SELECT
  (SELECT toUInt32(count()) FROM visits FINAL),
  round(sumIf(bytes_on_disk, table = 'visits') / 1e6),
  round(sumIf(bytes_on_disk, table = 'visits') / sumIf(bytes_on_disk, table = 'events'), 2)
  FROM system.parts WHERE active AND database = currentDatabase()`

/** Computes visits until every arrival is counted and no day is left. */
export async function foldEveryVisit(clickhouse: ClickHouse): Promise<void> {
  const size = new FoldSize()
  for (;;) {
    await clickhouse.command({ query: 'SYSTEM REFRESH VIEW long_sessions_fold' })
    await clickhouse.command({ query: 'SYSTEM WAIT VIEW long_sessions_fold' })
    const folded = await foldRound(clickhouse, size)
    if (folded === undefined) continue
    const [isCovered] = await (
      await clickhouse.query({ query: IS_COVERED, format: 'JSONCompactEachRow' })
    ).json<[number]>()
    if (folded.daysToFill === 0 && isCovered?.[0] === 1) return
  }
}

/** `undefined` after a round that was too much for the store: the next one is smaller, as in a service. */
async function foldRound(clickhouse: ClickHouse, size: FoldSize): Promise<FoldedVisits | undefined> {
  const startMs = monotonicMs()
  try {
    const folded = await foldVisits(clickhouse, AbortSignal.timeout(FOLD_MS_MAX), {
      sessionsMax: size.sessionsMax,
      settleMs: 0,
    })
    size.succeeded(monotonicMs() - startMs)
    return folded
  } catch (error) {
    // The smallest round that fails would fail again and again.
    const { sessionsMax } = size
    if (!size.failed(error) || size.sessionsMax === sessionsMax) throw error
    return undefined
  }
}

/** The same, and a line about the size of the table and the cost of getting there. */
export async function measureFold({
  clickhouse,
  enginePid,
}: {
  readonly clickhouse: ClickHouse
  readonly enginePid: number
}): Promise<string> {
  const [startMs, startCpuSeconds] = [monotonicMs(), processCpuSeconds(enginePid)]
  await foldEveryVisit(clickhouse)
  const result = await clickhouse.query({ query: VISITS_SIZE, format: 'JSONCompactEachRow' })
  const [sizes] = await result.json<[visits: number, megabytes: number, share: number]>()
  const cpuSeconds = processCpuSeconds(enginePid) - startCpuSeconds
  return `folded ${sizes?.[0]} visits in ${cpuSeconds.toFixed(1)} s of CPU, ${Math.round((monotonicMs() - startMs) / 1000)} s; ${sizes?.[1]} MB, ${sizes?.[2]} of the events`
}
