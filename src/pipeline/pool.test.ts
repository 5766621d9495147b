import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asProjectId } from '../contract/ids.ts'
import { LIMITS } from '../kernel/limits.ts'
import { createLogger } from '../kernel/log.ts'
import { STALL_MS } from '../kernel/stall-watch.ts'
import { ValidationPool } from './pool.ts'
import type { BatchRequest, Outcome } from './task.ts'

const BODY_BYTES = 8 * 1024 * 1024

let dataDir: string
let pool: ValidationPool

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'millrace-pool-'))
  pool = open({ workers: 1 })
})

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
    keepBlock: async () => undefined,
    log: createLogger({ role: 'test', level: 'silent' }),
  })
}

afterEach(async () => {
  vi.useRealTimers()
  await pool.close()
  rmSync(dataDir, { recursive: true })
})

function request(bytes: Buffer, coding: BatchRequest['coding'] = 'identity'): BatchRequest {
  const client = { address: undefined, userAgent: undefined, headers: undefined }
  return { projectId: asProjectId(1), codec: 'json', coding, bytes, client }
}

/** An empty batch, as long as one that holds much. */
function emptyBatch(byteCount: number): Buffer {
  return Buffer.from(`{${' '.repeat(byteCount - 2)}}`)
}

async function submit(sent: BatchRequest): Promise<Outcome> {
  return await new Promise((answer, fail) => pool.submit(sent, { answer, fail }))
}

test('holds as much as it may, whoever still waits for it, and is open again when that is done', async () => {
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

test('says of a body that cannot be read that the request is wrong, and of an event that it is', async () => {
  const unreadable = { reason: 'INVALID_REQUEST', message: 'the body must be valid JSON' }
  expect(await submit(request(Buffer.from('{')))).toMatchObject(unreadable)
  const broken = { reason: 'INVALID_EVENT_BATCH', violation: { field: 'events[0].eventId' } }
  expect(await submit(request(Buffer.from('{"events":[{}]}')))).toMatchObject(broken)
})

test('a compressed body takes the room of its bytes', async () => {
  const answers: Promise<Outcome>[] = []
  for (let bytes = 0; bytes < LIMITS.pooledBytesMax; bytes += BODY_BYTES) {
    expect(pool.isFull).toBe(false)
    answers.push(submit(request(Buffer.alloc(BODY_BYTES), 'gzip')))
  }
  expect(pool.isFull).toBe(true)
  for (const answer of answers) expect(await answer).toMatchObject({ code: 'invalid_argument' })
  expect(pool.isFull).toBe(false)
})

test('holds a bounded number of tasks, however little is in each', async () => {
  const answers: Promise<Outcome>[] = []
  // Eight compressed bodies are a task; the last of 512 tasks has one.
  for (let count = 0; count < 511 * 8 + 1; count++) {
    expect(pool.isFull).toBe(false)
    answers.push(submit(request(Buffer.from('x'), 'gzip')))
  }
  expect(pool.isFull).toBe(true)
  for (const answer of answers) expect(await answer).toMatchObject({ code: 'invalid_argument' })
})

test('takes in nobody behind a request that has waited for long', async () => {
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

test('keeps nobody waiting for a worker that does not get on', async () => {
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

test('one worker that does not get on holds up nobody but those whom it works for', async () => {
  await pool.close()
  pool = open({ workers: 2 })
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

test('keeps no Identify waiting either', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const work = pool.runIdentifies([])
  vi.advanceTimersByTime(STALL_MS)
  expect(pool.isFull).toBe(true)
  await expect(work).rejects.toMatchObject({ code: 'unavailable' })
  vi.useRealTimers()
  await vi.waitFor(() => expect(pool.isFull).toBe(false), 20_000)
})
