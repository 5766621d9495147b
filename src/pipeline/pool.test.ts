import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { makeEvent } from '../../test/harness/events.ts'
import { asProjectId } from '../contract/ids.ts'
import { machineMs } from '../kernel/clock.ts'
import { LIMITS } from '../kernel/limits.ts'
import { createLogger } from '../kernel/log.ts'
import { STALL_MS } from '../kernel/stall-detector.ts'
import { type Reply, ValidationPool } from './pool.ts'
import type { BatchRequest, Outcome } from './task.ts'

const BODY_BYTES = 8 * 1024 * 1024

const dataDir = mkdtempSync(join(tmpdir(), 'millrace-pool-'))

/** The pool of most tests, as a worker takes a second of CPU time to start. Those that harm it open one of their own. */
const common = open({ workers: 1 })
let pool = common

beforeEach(() => {
  keptRows = 0
  journalWrites = Promise.resolve()
})

let keptRows: number
/** A block is written when this resolves. */
let journalWrites: Promise<void>

function open({ workers }: { readonly workers: number }): ValidationPool {
  return new ValidationPool({
    workers,
    settings: {
      bodyBytesMax: BODY_BYTES,
      dataDir,
      redisUrl: undefined,
      geoipPath: undefined,
      typedEvents: 'off',
      logLevel: 'silent',
    },
    commitBlock: async (_, rowCount) => {
      keptRows += rowCount
      await journalWrites
    },
    log: createLogger({ role: 'test', level: 'silent' }),
  })
}

/** A pool for one test. */
function openOwn(options: { readonly workers: number }): void {
  pool = open(options)
  onTestFinished(async () => {
    vi.useRealTimers()
    await pool.close()
    pool = common
  })
}

afterEach(() => {
  vi.useRealTimers()
})

afterAll(async () => {
  await common.close()
  rmSync(dataDir, { recursive: true })
})

function request(bytes: Buffer, coding: BatchRequest['coding'] = 'identity'): BatchRequest {
  const client = { address: undefined, userAgent: undefined, headers: undefined }
  return {
    projectId: asProjectId(1),
    codec: 'json',
    coding,
    bytes,
    client,
    isPublicKey: true,
    domains: [],
    blockedKinds: [],
  }
}

/** An empty batch, as long as one that holds much. */
function emptyBatch(byteCount: number): Buffer {
  return Buffer.from(`{${' '.repeat(byteCount - 2)}}`)
}

async function submit(sent: BatchRequest): Promise<Outcome> {
  return await new Promise((answer, fail) => pool.submit(sent, { answer, fail }))
}

test('the pool is full at its byte limit, even after clients leave, and accepts requests again when they are done', async () => {
  const body = emptyBatch(BODY_BYTES)
  const answers: Promise<Outcome>[] = []
  for (let bytes = 0; bytes < LIMITS.pooledBytesMax; bytes += BODY_BYTES) {
    expect(pool.isFull).toBe(false)
    answers.push(submit(request(body)))
  }
  expect(pool.isFull).toBe(true)
  expect(await Promise.all(answers)).toEqual(answers.map(() => ({ accepted: 0 })))
  expect(pool.isFull).toBe(false)
})

test('requests are answered while and after the pool releases its memory', async () => {
  const before = submit(request(emptyBatch(BODY_BYTES)))
  await pool.releaseMemory()
  expect(await before).toEqual({ accepted: 0 })
  expect(await submit(request(emptyBatch(100)))).toEqual({ accepted: 0 })
})

test('a malformed body rejects the request, an invalid event the batch', async () => {
  const unreadable = { reason: 'INVALID_REQUEST', message: 'the body must be valid JSON' }
  expect(await submit(request(Buffer.from('{')))).toMatchObject(unreadable)
  const broken = { reason: 'INVALID_EVENT_BATCH', violation: { field: 'events[0].eventId' } }
  expect(await submit(request(Buffer.from('{"events":[{}]}')))).toMatchObject(broken)
})

test('a compressed body counts by its compressed bytes', async () => {
  const answers: Promise<Outcome>[] = []
  for (let bytes = 0; bytes < LIMITS.pooledBytesMax; bytes += BODY_BYTES) {
    expect(pool.isFull).toBe(false)
    answers.push(submit(request(Buffer.alloc(BODY_BYTES), 'gzip')))
  }
  expect(pool.isFull).toBe(true)
  for (const answer of answers) expect(await answer).toMatchObject({ code: 'invalid_argument' })
  expect(pool.isFull).toBe(false)
})

test('the number of queued tasks is limited, regardless of their size', async () => {
  const answers: Promise<Outcome>[] = []
  // Eight compressed bodies are a task; the last of 512 tasks has one.
  for (let count = 0; count < 511 * 8 + 1; count++) {
    expect(pool.isFull).toBe(false)
    answers.push(submit(request(Buffer.from('x'), 'gzip')))
  }
  expect(pool.isFull).toBe(true)
  for (const answer of answers) expect(await answer).toMatchObject({ code: 'invalid_argument' })
})

test('the pool is full while a request has waited too long', async () => {
  openOwn({ workers: 1 })
  vi.useFakeTimers({ toFake: ['performance'] })
  const body = emptyBatch(LIMITS.taskBytesMax)
  const answers = [submit(request(body)), submit(request(body))]
  // The first one is at the worker then.
  await new Promise((resolve) => setImmediate(resolve))
  expect(pool.isFull).toBe(false)
  vi.advanceTimersByTime(6000)
  expect(pool.isFull).toBe(true)
  await Promise.all(answers)
  expect(pool.isFull).toBe(false)
})

test('requests of a stalled worker fail', async () => {
  openOwn({ workers: 1 })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const body = emptyBatch(BODY_BYTES)
  const atWorker = submit(request(body))
  await new Promise((resolve) => setImmediate(resolve))
  const behind = submit(request(body))
  vi.advanceTimersByTime(STALL_MS)
  expect(pool.isFull).toBe(true)
  await expect(atWorker).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 })
  await expect(behind).rejects.toMatchObject({ code: 'unavailable' })
  vi.useRealTimers()
  await vi.waitFor(() => expect(pool.isFull).toBe(false), 20_000)
  expect(await submit(request(Buffer.from('{}')))).toMatchObject({ accepted: 0 })
  // Nothing of what was given up takes room any more.
  const answers: Promise<Outcome>[] = []
  for (let bytes = 0; bytes < LIMITS.pooledBytesMax; bytes += BODY_BYTES) {
    expect(pool.isFull).toBe(false)
    answers.push(submit(request(body)))
  }
  await Promise.all(answers)
})

test('a stalled worker fails only the requests of its own task', async () => {
  openOwn({ workers: 2 })
  await submit(request(Buffer.from('{}')))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const atWorker = submit(request(emptyBatch(BODY_BYTES)))
  await new Promise((resolve) => setImmediate(resolve))
  vi.advanceTimersByTime(STALL_MS)
  expect(pool.isFull).toBe(false)
  const atOther = submit(request(emptyBatch(100)))
  await expect(atWorker).rejects.toMatchObject({ code: 'unavailable' })
  vi.useRealTimers()
  expect(await atOther).toMatchObject({ accepted: 0 })
})

test('Identify calls of a stalled worker fail too', async () => {
  openOwn({ workers: 1 })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const work = pool.runIdentifies([])
  vi.advanceTimersByTime(STALL_MS)
  expect(pool.isFull).toBe(true)
  await expect(work).rejects.toMatchObject({ code: 'unavailable' })
  vi.useRealTimers()
  await vi.waitFor(() => expect(pool.isFull).toBe(false), 20_000)
})

/** A batch of valid events, with texts of so many bytes in each. */
function batch(eventCount: number, textBytes = 0): Buffer {
  const texts = Array.from({ length: Math.ceil(textBytes / 1000) }, (_, index) => [
    `p${index}`,
    { stringValue: 'x'.repeat(1000) },
  ])
  const events = Array.from({ length: eventCount }, () =>
    makeEvent({ customProperties: Object.fromEntries(texts) }),
  )
  return Buffer.from(JSON.stringify({ events }))
}

/** A reply, and what became of it. */
function awaited(): { readonly reply: Reply; readonly outcome: Promise<Outcome> } {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
  return { reply: { answer: resolve, fail: reject }, outcome: promise }
}

test('a queued request can be withdrawn and is not stored; the others of its task are', async () => {
  const first = submit(request(emptyBatch(LIMITS.taskBytesMax)))
  await new Promise((resolve) => setImmediate(resolve))
  const [before, withdrawn, after] = [awaited(), awaited(), awaited()]
  pool.submit(request(batch(1)), before.reply)
  const ticket = pool.submit(request(batch(20)), withdrawn.reply)
  pool.submit(request(batch(300)), after.reply)
  expect(pool.withdraw(ticket, withdrawn.reply)).toBe(true)
  expect(pool.withdraw(ticket, withdrawn.reply)).toBe(false)
  expect([await before.outcome, await after.outcome]).toEqual([{ accepted: 1 }, { accepted: 300 }])
  await first
  expect(keptRows).toBe(301)
})

test('a running request cannot be withdrawn, and is answered', async () => {
  // After a task of several requests, a pool waits for more of them before the next.
  openOwn({ workers: 1 })
  const { reply, outcome } = awaited()
  const ticket = pool.submit(request(batch(20)), reply)
  await new Promise((resolve) => setImmediate(resolve))
  expect(pool.withdraw(ticket, reply)).toBe(false)
  expect(await outcome).toEqual({ accepted: 20 })
})

test('a withdrawn request frees its bytes', async () => {
  const first = submit(request(emptyBatch(LIMITS.taskBytesMax)))
  await new Promise((resolve) => setImmediate(resolve))
  for (let bytes = 0; bytes < 2 * LIMITS.pooledBytesMax; bytes += BODY_BYTES) {
    const { reply } = awaited()
    pool.withdraw(pool.submit(request(emptyBatch(BODY_BYTES)), reply), reply)
    expect([pool.isFull, pool.isFullFor(asProjectId(1)), pool.waitingCount]).toEqual([false, false, 0])
  }
  await first
})

test('a worker rejects a request after its deadline and stores nothing of it', async () => {
  const late = submit({ ...request(batch(20)), deadlineMs: machineMs() - 1 })
  const inTime = submit({ ...request(batch(3)), deadlineMs: machineMs() + 60_000 })
  expect(await late).toMatchObject({ code: 'deadline_exceeded', reason: 'DEADLINE_EXCEEDED' })
  expect(await inTime).toEqual({ accepted: 3 })
  expect(keptRows).toBe(3)
})

const LONG = gzipSync(batch(900, 4000))
const LONG_COUNT = 32

test.each([
  ['little', 1],
  ['much', 4 * 1024 * 1024],
])('a request of %s runs before 32 bodies of another project that decompress to 4 MiB', async (_, bytes) => {
  await submit(request(Buffer.from('{}')))
  let longDone = 0
  const long = Array.from({ length: LONG_COUNT }, async () => {
    const outcome = await submit(request(LONG, 'gzip'))
    longDone++
    return outcome
  })
  // The first of them are at the worker.
  await new Promise((resolve) => setImmediate(resolve))
  const own: Promise<Outcome>[] = []
  for (let sent = 0; sent < bytes; sent += 200_000)
    own.push(submit({ ...request(batch(200)), projectId: asProjectId(2) }))
  expect(await Promise.all(own)).toEqual(own.map(() => ({ accepted: 200 })))
  expect(longDone).toBeLessThan(LONG_COUNT / 2)
  expect(new Set((await Promise.all(long)).map((outcome) => JSON.stringify(outcome)))).toEqual(
    new Set(['{"accepted":900}']),
  )
  expect(keptRows).toBe(LONG_COUNT * 900 + own.length * 200)
})

test('a project beyond its share is full, and no other is', async () => {
  const answers: Promise<Outcome>[] = []
  while (!pool.isFullFor(asProjectId(1))) answers.push(submit(request(emptyBatch(BODY_BYTES))))
  expect(answers.length).toBeLessThan(LIMITS.pooledBytesMax / BODY_BYTES / 2)
  expect([pool.isFull, pool.isFullFor(asProjectId(2))]).toEqual([false, false])
  await Promise.all(answers)
  expect(pool.isFullFor(asProjectId(1))).toBe(false)
})

test('no task starts while the journal has 64 MiB of blocks to write', async () => {
  const written = Promise.withResolvers<void>()
  journalWrites = written.promise
  const customProperties = Object.fromEntries(
    Array.from({ length: 7 }, (_, index) => [`p${index}`, { stringValue: 'x'.repeat(1000) }]),
  )
  const events = Array.from({ length: 1000 }, () => makeEvent({ customProperties }))
  const body = gzipSync(JSON.stringify({ events }))
  const answers = Array.from({ length: 12 }, async () => await submit(request(body, 'gzip')))
  await vi.waitFor(() => expect(keptRows).toBeGreaterThanOrEqual(9000), 10_000)
  await delay(300)
  expect(keptRows).toBeLessThanOrEqual(10_000)
  written.resolve()
  expect(await Promise.all(answers)).toEqual(answers.map(() => ({ accepted: 1000 })))
}, 20_000)
