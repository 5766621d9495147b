import { verify } from '@node-rs/argon2'
import { expect, test, vi } from 'vitest'
import { PasswordHasher } from './password-hasher.ts'

test('a password matches its own hash only', async () => {
  const hasher = new PasswordHasher()
  const hashed = await hasher.hash('correct horse')
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await hasher.verify(hashed, 'correct horse')).toBe(true)
  expect(await hasher.verify(hashed, 'correct horsf')).toBe(false)
})

test('the same letters in different encodings are the same password', async () => {
  const hasher = new PasswordHasher()
  const hashed = await hasher.hash('caf\u00e9 au lait')
  expect(await hasher.verify(hashed, 'cafe\u0301 au lait')).toBe(true)
})

test('without a hash the result is false, after the same work', async () => {
  const asked: string[] = []
  const hasher = new PasswordHasher({
    functions: {
      hash: async () => '',
      verify: async (hashed, password) => {
        asked.push(hashed)
        return await verify(hashed, password)
      },
    },
  })
  expect(await hasher.verify(undefined, 'anything')).toBe(false)
  expect(asked).toEqual([expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22}\$[^$]{43}$/)])
})

/** A clock that only work and pauses move. */
class WorkClock {
  nowMs = 0
  readonly startsMs: number[] = []
  running = 0
  runningMost = 0

  /** A hasher with a fixed duration per hash. */
  hasher(workMs: number): PasswordHasher {
    const work = async (): Promise<boolean> => {
      this.startsMs.push(this.nowMs)
      this.runningMost = Math.max(this.runningMost, ++this.running)
      await new Promise(setImmediate)
      this.nowMs += workMs
      this.running--
      return false
    }
    return new PasswordHasher({
      functions: { hash: async () => '', verify: work },
      now: () => this.nowMs,
      sleep: async (ms) => {
        this.nowMs += ms
      },
    })
  }
}

test('of 200 concurrent hashes, one runs at a time, 32 are queued and the others are refused', async () => {
  const clock = new WorkClock()
  const hasher = clock.hasher(30)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, () => hasher.verify(undefined, 'wrong')),
  )
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(200 - 33)
  expect(refused[0]).toMatchObject({
    reason: { code: 'resource_exhausted', reason: 'OVERLOADED', retryAfterSeconds: 8 },
  })
  expect(clock.runningMost).toBe(1)
})

test('after a second of hashes, an eighth of the time is spent on them', async () => {
  const clock = new WorkClock()
  const hasher = clock.hasher(50)
  for (let index = 0; index < 100; index++) await hasher.verify(undefined, 'wrong')
  const burst = clock.startsMs.filter((startMs, index) => startMs === index * 50)
  // Credit earned in the meantime is spent, too.
  expect(burst.length).toBeGreaterThanOrEqual(20)
  expect(burst.length).toBeLessThan(25)
  const last = clock.startsMs.slice(-20)
  expect(new Set(last.map((startMs, index) => startMs - (last[index - 1] ?? startMs - 400)))).toEqual(
    new Set([400]),
  )
})

test('an account in a known network does not wait for a pause caused by strangers', async () => {
  const clock = new WorkClock()
  const pauses: PromiseWithResolvers<void>[] = []
  const order: string[] = []
  const hasher = new PasswordHasher({
    functions: {
      hash: async () => '',
      verify: async (_, password) => {
        order.push(password)
        clock.nowMs += 100
        return false
      },
    },
    now: () => clock.nowMs,
    sleep: async () => {
      const pause = Promise.withResolvers<void>()
      pauses.push(pause)
      await pause.promise
    },
  })
  const strangers = Array.from({ length: 20 }, () => hasher.verify(undefined, 'wrong'))
  await vi.waitFor(() => expect(pauses).toHaveLength(1))
  const { length } = order
  for (let count = 0; count < 3; count++)
    await hasher.verify(undefined, 'right', { standing: 'account', source: 'a' })
  expect(order.slice(length)).toEqual(['right', 'right', 'right'])
  clock.nowMs += 60_000
  for (const { resolve } of pauses) resolve()
  await Promise.all(strangers)
})

test('a busy machine does not lengthen the pauses without bound', async () => {
  const clock = new WorkClock()
  const hasher = clock.hasher(5000)
  for (let index = 0; index < 40; index++) await hasher.verify(undefined, 'wrong')
  const last = clock.startsMs.slice(-2)
  expect(Number(last[1]) - Number(last[0])).toBe(5000)
})

test('a failed hash does not block the next one', async () => {
  const hasher = new PasswordHasher({
    functions: {
      hash: async () => {
        throw new Error('out of memory')
      },
      verify: async () => true,
    },
  })
  const failed = await Promise.allSettled([1, 2, 3, 4].map(async () => await hasher.hash('password')))
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
  expect(await hasher.verify('hash', 'password')).toBe(true)
})
