import { strictEqual } from 'node:assert'
import { asProjectId } from '../../src/contract/ids.ts'
import { monotonicMs } from '../../src/kernel/clock.ts'
import { Prng } from '../../src/kernel/prng.ts'
import type { Event } from '../../src/pipeline/event/event.ts'
import type { RunQuery } from '../../src/query/sql/run.ts'
import { render } from '../../src/query/sql/sql.ts'
import type { ClickHouse } from '../../src/store/clickhouse/client.ts'
import type { BenchCase, MeasureRound } from '../case.ts'
import { generateEvents } from '../corpus/events.ts'
import { chunk, decodeEvents } from '../corpus/fixtures.ts'
import { encodeBlocks, insertBlocks } from '../rig/blocks.ts'
import { processCpuSeconds } from '../rig/cpu.ts'
import { type BenchStore, startStore, untilSettled } from '../rig/store.ts'
import { queryTrends, sumPoints, totalByDay } from '../rig/trends.ts'
import type { Teardown } from '../teardown.ts'

const PROJECT = asProjectId(1)
const SEED = 30

/** Thirty days over the end of a month: two partitions. */
const RANGE = { fromMs: Date.UTC(2026, 0, 16), toMs: Date.UTC(2026, 1, 15) } as const
const DAY_MS = 86_400_000

const ROWS_PER_DAY = 20_000

/** A day comes in several INSERTs, so that parts hold the same days and FINAL has something to do. */
const INSERTS_PER_DAY = 4
const QUERIES_PER_ROUND = 20

/** Trends TOTAL by day over 600,000 events of 30 days, against the same read that does not collapse copies. */
export const queryCases: readonly BenchCase[] = [
  {
    name: 'query/trends-total-day',
    unit: 'ms CPU/query',
    baseline: 'the same SQL without FINAL',
    rounds: 5,
    prepare: async (teardown) => await prepareTrends(teardown),
  },
]

async function prepareTrends(teardown: Teardown): Promise<MeasureRound> {
  const store = await startStore(teardown)
  const rowCount = await load(store)
  const plainRun = withoutFinal(store.clickhouse)
  strictEqual(sumPoints(await queryTrends(store.run, PROJECT, totalByDay(RANGE))), rowCount)
  strictEqual(sumPoints(await queryTrends(plainRun, PROJECT, totalByDay(RANGE))), rowCount)
  return async () => {
    const final = await queryRepeatedly(store, store.run)
    const plain = await queryRepeatedly(store, plainRun)
    const parts = { 'ms wall': final.wallMs, 'ms wall without FINAL': plain.wallMs }
    return { cost: final.cpuMs, baseline: plain.cpuMs, parts }
  }
}

async function load(store: BenchStore): Promise<number> {
  const prng = new Prng(SEED)
  const day = { fromMs: RANGE.fromMs, toMs: RANGE.fromMs + DAY_MS }
  const firstDay = decodeEvents(generateEvents(prng, { count: ROWS_PER_DAY, ...day }))
  const days = Math.round((RANGE.toMs - RANGE.fromMs) / DAY_MS)
  for (let index = 0; index < days; index++) {
    const events = firstDay.map(
      (event): Event => ({ ...event, eventId: prng.uuid(), timeMs: event.timeMs + index * DAY_MS }),
    )
    for (const part of chunk(events, ROWS_PER_DAY / INSERTS_PER_DAY)) {
      await insertBlocks(store, encodeBlocks(PROJECT, part, 1000))
    }
  }
  await untilSettled(store, days * ROWS_PER_DAY)
  return days * ROWS_PER_DAY
}

async function queryRepeatedly(
  store: BenchStore,
  run: RunQuery,
): Promise<{ readonly cpuMs: number; readonly wallMs: number }> {
  const request = totalByDay(RANGE, 'page_view')
  const beforeSeconds = processCpuSeconds(store.enginePid)
  const beforeMs = monotonicMs()
  for (let index = 0; index < QUERIES_PER_ROUND; index++) await queryTrends(run, PROJECT, request)
  const wallMs = (monotonicMs() - beforeMs) / QUERIES_PER_ROUND
  const cpuSeconds = processCpuSeconds(store.enginePid) - beforeSeconds
  return { cpuMs: (cpuSeconds * 1000) / QUERIES_PER_ROUND, wallMs }
}

/** Runs the service's statement as a read that would count copies. */
function withoutFinal(clickhouse: ClickHouse): RunQuery {
  return async (query, signal) => {
    const { text, params } = render(query.statement)
    const plain = text.replaceAll(' FINAL ', ' ')
    if (plain === text) throw new Error('the statement has no FINAL to leave out')
    const result = await clickhouse.query({
      query: plain,
      format: 'JSONCompactEachRow',
      abort_signal: signal,
      query_params: { ...params },
      clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
    })
    return (await result.json<unknown[]>()).map((cells) => query.decode(cells))
  }
}
