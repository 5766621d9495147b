import { afterEach, expect, test } from 'vitest'
import { FakeDisk } from '../../../test/harness/fake-disk.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { createLogger } from '../../kernel/log.ts'
import { type InsertRows, openClickHouse } from '../../store/clickhouse/client.ts'
import { type Journal, openJournal } from '../journal/journal.ts'
import { Shipper } from './shipper.ts'

const log = createLogger({ role: 'test', level: 'silent' })
const nowhere = openClickHouse(
  { url: 'http://127.0.0.1:1' },
  { application: 'test', connectionsMax: 1, requestTimeoutMs: 1 },
)
const opened: Journal[] = []

afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close()
})

/** A journal whose every block is a segment. */
async function open(disk: FakeDisk): Promise<Journal> {
  const journal = await openJournal({
    folder: '/j',
    quarantineFolder: '/q',
    bytesMax: 1e9,
    sync: 'always',
    files: disk,
    log,
    batchRowsMax: 1,
    batchBytesMax: 1e6,
    batchMs: 1_000_000,
  })
  opened.push(journal)
  return journal
}

async function appendAll(journal: Journal, texts: readonly string[]): Promise<void> {
  for (const text of texts) await journal.append(Buffer.from(text), 1)
}

function ship(journal: Journal, insert: (text: string, native: InsertRows) => Promise<void>): Shipper {
  const shipper = new Shipper({
    toBlocks: async (payloads) => payloads.map((payload) => Buffer.from(payload)),
    journal,
    clickhouse: nowhere,
    log,
    insert: async (_, native) => await insert(Buffer.concat(native.blocks).toString(), native),
    retry: { firstMs: 1, maxMs: 4 },
  })
  shipper.start()
  return shipper
}

const NUMBERS = Array.from({ length: 20 }, (_, index) => `${index}`)

function rejection(code: string): Error {
  return Object.assign(new Error(`code ${code}`), { code })
}

test('segments go out oldest first, a few at a time', async () => {
  const journal = await open(new FakeDisk())
  await appendAll(journal, NUMBERS)
  const sent: string[] = []
  let inFlight = 0
  let inFlightMost = 0
  const shipper = ship(journal, async (text) => {
    sent.push(text)
    inFlightMost = Math.max(inFlightMost, ++inFlight)
    await new Promise((resolve) => setImmediate(resolve))
    inFlight--
  })
  expect(await shipper.drain(10_000)).toBe(0)
  expect([...sent].sort((a, b) => Number(a) - Number(b))).toEqual(NUMBERS)
  expect(sent.slice(0, LIMITS.insertsInFlightMax).sort()).toEqual(NUMBERS.slice(0, LIMITS.insertsInFlightMax))
  expect(inFlightMost).toBe(LIMITS.insertsInFlightMax)
})

test('while ClickHouse fails, one INSERT at a time probes it', async () => {
  const journal = await open(new FakeDisk())
  await appendAll(journal, NUMBERS)
  let calls = 0
  let inFlight = 0
  const together: number[] = []
  const shipper = ship(journal, async () => {
    together.push(++inFlight)
    await new Promise((resolve) => setImmediate(resolve))
    inFlight--
    if (++calls <= 20) throw new Error('connect ECONNREFUSED')
  })
  expect(await shipper.drain(10_000)).toBe(0)
  expect(new Set(together.slice(LIMITS.insertsInFlightMax, 20))).toEqual(new Set([1]))
})

test('a segment that always fails does not delay the others', async () => {
  const journal = await open(new FakeDisk())
  await appendAll(journal, NUMBERS)
  const taken: string[] = []
  const others = Promise.withResolvers<void>()
  const shipper = ship(journal, async (text) => {
    if (text === '0') throw rejection('241')
    taken.push(text)
    if (taken.length === NUMBERS.length - 1) others.resolve()
  })
  await others.promise
  expect(await shipper.drain(0)).toBe(1)
})

test('a drain leaves undelivered segments in the journal after its timeout', async () => {
  const disk = new FakeDisk()
  const journal = await open(disk)
  await appendAll(journal, ['a', 'b'])
  const stuck = ship(journal, async (_, { signal }) => {
    signal?.throwIfAborted()
    await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  })
  expect(await stuck.drain(1)).toBe(2)
  await journal.close()
  const next = await open(disk)
  const sent: string[] = []
  const shipper = ship(next, async (text) => {
    sent.push(text)
  })
  expect(await shipper.drain(10_000)).toBe(0)
  expect(sent.sort()).toEqual(['a', 'b'])
})

test('a rejected block is quarantined, and the others of its segment are delivered with tokens of their own', async () => {
  const disk = new FakeDisk()
  const journal = await openJournal({
    folder: '/j',
    quarantineFolder: '/q',
    bytesMax: 1e9,
    sync: 'always',
    files: disk,
    log,
    batchRowsMax: 3,
    batchBytesMax: 1e6,
    batchMs: 1_000_000,
  })
  opened.push(journal)
  await Promise.all(
    ['good', 'POISON', 'fine'].map(async (text) => await journal.append(Buffer.from(text), 1)),
  )
  const ids = new Map<string, string>()
  const shipper = ship(journal, async (text, { id }) => {
    if (text.includes('POISON')) throw rejection('117')
    ids.set(text, id)
  })
  expect(await shipper.drain(10_000)).toBe(0)
  expect([...ids.keys()]).toEqual(['good', 'fine'])
  expect(new Set(ids.values()).size).toBe(2)
  const entry = disk.paths.find((path) => path.startsWith('/q/') && path.endsWith('.json')) ?? ''
  expect(JSON.parse(disk.bytesOf(entry).toString())).toMatchObject({
    reason: 'rejected',
    rows: 1,
    bytes: 6,
    offset: 36,
  })
  expect(disk.bytesOf(entry.replace('.json', '.block')).toString()).toBe('POISON')
})
