import { strictEqual } from 'node:assert'
import { Writable } from 'node:stream'
import { asProjectId } from '../../src/contract/ids.ts'
import { monotonicMs } from '../../src/kernel/clock.ts'
import { countRows, exportToStream, planExport } from '../../src/transfer/export/export-events.ts'
import { ALL_TIME, type ExportFormat } from '../../src/transfer/export/export-scope.ts'
import { Progress } from '../../src/transfer/progress.ts'
import type { BenchCase, MeasureRound } from '../case.ts'
import { sessionCount, type TrafficPlan, trafficSql } from '../insights/world/traffic.ts'
import { processCpuSeconds } from '../rig/cpu.ts'
import { type BenchStore, startStore, untilSettled } from '../rig/store.ts'
import type { Teardown } from '../teardown.ts'

const PROJECT = asProjectId(1)
const EVENTS = 5_000_000
const ROWS_PER_INSERT = 250_000
const SLICE_ROWS = 250_000
const SAMPLE_MS = 50
const MIB = 1024 ** 2

const FORMATS = ['jsonl', 'csv'] as const satisfies readonly ExportFormat[]

/** An export of five million events, without copies and in order, against what the engine can write at all. */
export const exportCases: readonly BenchCase[] = FORMATS.map((format) => ({
  name: `export/${format}-5m`,
  unit: 'µs wall/event',
  baseline: 'SELECT * FORMAT JSONEachRow',
  rounds: 2,
  prepare: async (teardown) => await prepare(format, teardown),
}))

async function prepare(format: ExportFormat, teardown: Teardown): Promise<MeasureRound> {
  const store = await startStore(teardown)
  const rowCount = await load(store, { events: EVENTS, project: PROJECT })
  return async () => {
    const plain = await readAll(store)
    const subject = await exportAll(store, format, rowCount)
    const parts = {
      'MiB resident at most': subject.residentMib,
      'MiB more than before': subject.grownMib,
      'CPU µs/event of the engine': (subject.engineSeconds * 1e6) / rowCount,
      'MB/s': subject.bytes / 1000 / subject.ms,
    }
    return { cost: (subject.ms * 1000) / rowCount, baseline: (plain * 1000) / rowCount, parts }
  }
}

async function load(store: BenchStore, plan: TrafficPlan): Promise<number> {
  const sessions = sessionCount(plan)
  const inserts = Math.ceil(plan.events / ROWS_PER_INSERT)
  const described = await store.clickhouse.query({
    query: `DESCRIBE (SELECT * FROM (${trafficSql(plan, { from: 0, to: 1 }, 'first')}))`,
    format: 'JSONEachRow',
  })
  const columns = (await described.json<{ name: string }>()).map(({ name }) => name).join(', ')
  for (let index = 0; index < inserts; index++) {
    const range = {
      from: Math.round((sessions * index) / inserts),
      to: Math.round((sessions * (index + 1)) / inserts),
    }
    await store.clickhouse.command({
      query: `INSERT INTO events (${columns}) ${trafficSql(plan, range, 'first')}`,
    })
  }
  const result = await store.clickhouse.query({
    query: 'SELECT count() AS rows FROM events FINAL',
    format: 'JSONEachRow',
  })
  const rows = Number((await result.json<{ rows: string }>())[0]?.rows)
  await untilSettled(store, rows)
  return rows
}

async function readAll({ clickhouse }: BenchStore): Promise<number> {
  const startedMs = monotonicMs()
  const { stream } = await clickhouse.exec({
    query: `SELECT * FROM events WHERE project = ${PROJECT} FORMAT JSONEachRow`,
  })
  for await (const _ of stream) {
    // Only how fast it comes matters.
  }
  return monotonicMs() - startedMs
}

async function exportAll(store: BenchStore, format: ExportFormat, rowCount: number) {
  const { clickhouse } = store
  const signal = new AbortController().signal
  let bytes = 0
  const discard = new Writable({
    write: (chunk: Uint8Array, _encoding, done) => {
      bytes += chunk.length
      done()
    },
  })
  global.gc?.()
  const before = process.memoryUsage().rss
  let resident = before
  const sampler = setInterval(() => {
    resident = Math.max(resident, process.memoryUsage().rss)
  }, SAMPLE_MS)
  const engineBefore = processCpuSeconds(store.enginePid)
  const startedMs = monotonicMs()
  const scope = { projectId: PROJECT, ...ALL_TIME, kinds: undefined }
  const plan = await planExport(
    clickhouse,
    { scope, format, compression: 'none', sliceRows: SLICE_ROWS },
    signal,
  )
  strictEqual(countRows(plan).total, rowCount)
  const progress = new Progress({ output: { write: () => true }, unit: 'events', total: rowCount })
  await exportToStream(plan, discard, { clickhouse, signal, progress })
  const ms = monotonicMs() - startedMs
  clearInterval(sampler)
  const engineSeconds = processCpuSeconds(store.enginePid) - engineBefore
  return { ms, bytes, engineSeconds, residentMib: resident / MIB, grownMib: (resident - before) / MIB }
}
