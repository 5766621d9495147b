import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EventsBlockBuilder } from '../../../test/harness/native-twin/events-block.ts'
import { asProjectId } from '../../contract/ids.ts'
import { monotonicMs, sleep } from '../../kernel/clock.ts'
import { createLogger } from '../../kernel/log.ts'
import { type ClickHouse, insertNative, openClickHouse } from '../../store/clickhouse/client.ts'
import { EVENTS } from '../../store/clickhouse/migrations/001-events.ts'
import { SINGLE } from '../../store/clickhouse/migrations/layout.ts'
import { DATABASE, type Engine, startEngine } from '../../store/embedded/engine.ts'
import { diskFiles } from '../journal/files.ts'
import { type Journal, openJournal } from '../journal/journal.ts'
import { Quarantine } from '../journal/quarantine.ts'
import type { JournalInsert } from './delivery.ts'
import { Shipper } from './shipper.ts'

/** Length of the stress; a longer run: `JOURNAL_STRESS_MS=600000 vitest run src/pipeline/ship/delivery.test.ts`. */
const STRESS_MS = Number(process.env.JOURNAL_STRESS_MS ?? 4000)

const log = createLogger({ role: 'test', level: 'silent' })
const dataFolder = mkdtempSync(join(tmpdir(), 'millrace-journal-'))
const quarantineFolder = join(dataFolder, 'quarantine')
/** The blocks of these tests are Native ones already. */
const NATIVE_INSERT: JournalInsert = {
  toBlocks: async (payloads) => payloads.map((payload) => Buffer.from(payload)),
  insert: async (store, rows) => await insertNative(store, { ...rows, table: 'events' }),
}

let engine: Engine
let clickhouse: ClickHouse

async function startStore(): Promise<void> {
  const httpPort = engine ? Number(new URL(engine.url).port) : undefined
  engine = await startEngine({ dataFolder, ...(httpPort === undefined ? {} : { httpPort }) })
}

async function killStore(): Promise<void> {
  process.kill(engine.pid, 'SIGKILL')
  await engine.exited
}

beforeAll(async () => {
  await startStore()
  const { user, password } = engine.admin
  clickhouse = openClickHouse(
    { url: engine.url, database: DATABASE, username: user, password },
    { application: 'test', connectionsMax: 8, requestTimeoutMs: 10_000 },
  )
  for (const query of SINGLE.createTable(EVENTS)) await clickhouse.command({ query })
})

afterAll(async () => {
  await clickhouse?.close()
  await engine?.stop()
  rmSync(dataFolder, { recursive: true, force: true })
})

function makeBlock(project: number, rowCount: number): Buffer {
  const builder = new EventsBlockBuilder()
  for (let index = 0; index < rowCount; index++) {
    builder.add(asProjectId(project), {
      eventId: randomUUID(),
      kind: 'page_view',
      timeMs: Date.UTC(2026, index % 5, 3),
      distinctId: `user-${index}`,
      sessionId: randomUUID(),
      cookieless: false,
      properties: [{ key: 'plan', value: { type: 'string', value: 'x'.repeat(index % 50) } }],
    })
  }
  return builder.finish().bytes
}

async function count(project: number): Promise<{ rows: number; ids: number }> {
  const answer = await clickhouse.query({
    query:
      'SELECT count() AS rows, uniqExact(event_id) AS ids FROM events FINAL WHERE project = {project:UInt32}',
    query_params: { project },
    format: 'JSONEachRow',
  })
  const [row] = await answer.json<{ rows: string; ids: string }>()
  return { rows: Number(row?.rows), ids: Number(row?.ids) }
}

async function open(name: string): Promise<Journal> {
  return await openJournal({
    folder: join(dataFolder, name),
    quarantineFolder,
    bytesMax: 1e9,
    sync: 'always',
    log,
    batchRowsMax: 20_000,
    batchBytesMax: 32e6,
    batchMs: 50,
  })
}

test('blocks that are sent again count once, in any grouping and after the engine was killed', async () => {
  const blocks = [makeBlock(1, 500), makeBlock(1, 200), makeBlock(1, 300)]
  const id = randomUUID()
  await insertNative(clickhouse, { table: 'events', blocks, id })
  await insertNative(clickhouse, { table: 'events', blocks: [Buffer.concat(blocks)], id })
  await killStore()
  await startStore()
  await insertNative(clickhouse, { table: 'events', blocks, id })
  expect(await count(1)).toEqual({ rows: 1000, ids: 1000 })
})

test('the same INSERTs at the same time count once', async () => {
  const blocks = Array.from({ length: 100 }, () => makeBlock(2, 500))
  const id = randomUUID()
  await Promise.all(
    [1, 2, 3].map(async () => await insertNative(clickhouse, { table: 'events', blocks, id })),
  )
  expect(await count(2)).toEqual({ rows: 50_000, ids: 50_000 })
})

test.each([5, 30, 80, 160])(
  'an INSERT that is given up after %i ms and sent again adds the rows once',
  async (ms) => {
    const project = 100 + ms
    const blocks = Array.from({ length: 100 }, () => makeBlock(project, 500))
    const id = randomUUID()
    await Promise.allSettled([
      insertNative(clickhouse, { table: 'events', blocks, id, signal: AbortSignal.timeout(ms) }),
    ])
    await insertNative(clickhouse, { table: 'events', blocks, id })
    expect(await count(project)).toEqual({ rows: 50_000, ids: 50_000 })
  },
)

test('under load every acknowledged row is stored once, while the engine is killed and the edge starts again', async () => {
  const project = 3
  const endMs = monotonicMs() + STRESS_MS
  let acknowledged = 0
  let journal = await open('stress')
  let shipper = new Shipper({
    ...NATIVE_INSERT,
    journal,
    clickhouse,
    log,
  })
  shipper.start()
  const killing = (async () => {
    while (monotonicMs() < endMs) {
      await sleep(300 + Math.random() * 700)
      await killStore()
      await startStore()
    }
  })()
  while (monotonicMs() < endMs) {
    const sizes = Array.from({ length: 8 }, () => 1 + Math.floor(Math.random() * 200))
    await Promise.all(
      sizes.map(async (rowCount) => {
        await journal.append(makeBlock(project, rowCount), rowCount)
        acknowledged += rowCount
      }),
    )
    if (Math.random() > 0.03) continue
    await shipper.drain(Math.random() * 50)
    await journal.close()
    journal = await open('stress')
    shipper = new Shipper({
      ...NATIVE_INSERT,
      journal,
      clickhouse,
      log,
    })
    shipper.start()
  }
  await killing
  // The store was down for half of the time: the backlog grows with it.
  expect(await shipper.drain(60_000 + 2 * STRESS_MS)).toBe(0)
  await journal.close()
  expect(acknowledged).toBeGreaterThan(1000)
  expect(await count(project)).toEqual({ rows: acknowledged, ids: acknowledged })
}, 3_600_000)

test('an invalid block is quarantined, and its neighbours are stored', async () => {
  const journal = await open('poison')
  const shipper = new Shipper({
    ...NATIVE_INSERT,
    journal,
    clickhouse,
    log,
    retry: { firstMs: 1, maxMs: 10 },
  })
  const bad = makeBlock(4, 10)
  bad.write('UInt99', bad.indexOf('UInt32'))
  await Promise.all([
    journal.append(makeBlock(4, 100), 100),
    journal.append(bad, 10),
    journal.append(makeBlock(4, 50), 50),
  ])
  shipper.start()
  expect(await shipper.drain(20_000)).toBe(0)
  await journal.close()
  expect(await count(4)).toEqual({ rows: 150, ids: 150 })
  const quarantine = await Quarantine.open(diskFiles, quarantineFolder)
  const entries = await quarantine.list()
  expect(entries).toMatchObject([{ reason: 'rejected', rows: 10, bytes: bad.length }])
  expect(await Promise.all(entries.map(async (entry) => await quarantine.read(entry)))).toEqual([bad])
})
