import { createContextValues } from '@connectrpc/connect'
import { beforeEach, expect, test } from 'vitest'
import { ServiceError } from '../../contract/service-error.ts'
import { edgeNotesKey } from '../../rpc/call-context.ts'
import { RefusalPause } from './refusal-pause.ts'

const TOO_SOON = new ServiceError({
  code: 'resource_exhausted',
  reason: 'RATE_LIMITED',
  message: 'too many attempts',
})
const WRONG = new ServiceError({ code: 'unauthenticated', reason: 'INVALID_CREDENTIALS', message: 'wrong' })

/** Pauses that have begun; the test ends them. */
let wakes: (() => void)[]
let pause: RefusalPause

beforeEach(() => {
  wakes = []
  pause = new RefusalPause({
    sleep: async (_ms, signal) =>
      await new Promise((resolve, reject) => {
        wakes.push(resolve)
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
  })
})

const never = { values: createContextValues(), signal: new AbortController().signal }

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending')
  const quietly = promise.catch(() => undefined)
  await new Promise(setImmediate)
  return (await Promise.race([quietly, Promise.resolve(pending)])) !== pending
}

test('an excessive attempt is refused after a pause', async () => {
  const refused = pause.delay(Promise.reject(TOO_SOON), never)
  expect(await isSettled(refused)).toBe(false)
  wakes[0]?.()
  await expect(refused).rejects.toBe(TOO_SOON)
})

test('a success and a wrong password are answered immediately', async () => {
  expect(await pause.delay(Promise.resolve('in'), never)).toBe('in')
  await expect(pause.delay(Promise.reject(WRONG), never)).rejects.toBe(WRONG)
  expect(wakes).toEqual([])
})

test('a client that has gone is not held', async () => {
  const client = new AbortController()
  const refused = pause.delay(Promise.reject(TOO_SOON), {
    values: createContextValues(),
    signal: client.signal,
  })
  expect(await isSettled(refused)).toBe(false)
  client.abort()
  await expect(refused).rejects.toBe(TOO_SOON)
})

test('with 2000 held, the next refusal is immediate, until one is released', async () => {
  const held = Array.from({ length: 2000 }, () => pause.delay(Promise.reject(TOO_SOON), never))
  expect(await isSettled(Promise.race(held))).toBe(false)
  await expect(pause.delay(Promise.reject(TOO_SOON), never)).rejects.toBe(TOO_SOON)
  wakes[0]?.()
  await expect(held[0]).rejects.toBe(TOO_SOON)
  const next = pause.delay(Promise.reject(TOO_SOON), never)
  expect(await isSettled(next)).toBe(false)
  for (const wake of wakes) wake()
  await Promise.allSettled([...held, next])
})

test('behind an edge the refusal is sent immediately, for the edge to hold', async () => {
  const notes = { holdMs: 0, isVerified: false }
  const call = { ...never, values: createContextValues().set(edgeNotesKey, notes) }
  await expect(pause.delay(Promise.reject(TOO_SOON), call)).rejects.toBe(TOO_SOON)
  expect({ wakes, notes }).toEqual({ wakes: [], notes: { holdMs: 2000, isVerified: false } })
  expect(await pause.delay(Promise.resolve('in'), call)).toBe('in')
})
