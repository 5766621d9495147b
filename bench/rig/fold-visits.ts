import { monotonicMs } from '../../src/kernel/clock.ts'
import type { ClickHouse } from '../../src/store/clickhouse/client.ts'
import { foldVisits } from '../../src/store/clickhouse/visit-fold.ts'
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
  for (;;) {
    await clickhouse.command({ query: 'SYSTEM REFRESH VIEW long_sessions_fold' })
    await clickhouse.command({ query: 'SYSTEM WAIT VIEW long_sessions_fold' })
    const { daysToFill } = await foldVisits(clickhouse, AbortSignal.timeout(FOLD_MS_MAX), { settleMs: 0 })
    const [isCovered] = await (
      await clickhouse.query({ query: IS_COVERED, format: 'JSONCompactEachRow' })
    ).json<[number]>()
    if (daysToFill === 0 && isCovered?.[0] === 1) return
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
