import { verify } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { type HashFunctions, PasswordHasher } from './password-hasher.ts'

test('a password is known again, and no other one is', async () => {
  const hasher = new PasswordHasher()
  const hashed = await hasher.hash('correct horse')
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await hasher.verify(hashed, 'correct horse')).toBe(true)
  expect(await hasher.verify(hashed, 'correct horsf')).toBe(false)
})

test('the same letters are the same password, however they are written', async () => {
  const hasher = new PasswordHasher()
  const hashed = await hasher.hash('caf\u00e9 au lait')
  expect(await hasher.verify(hashed, 'cafe\u0301 au lait')).toBe(true)
})

test('without a hash the same work is done, and the answer is no', async () => {
  const asked: string[] = []
  const hasher = new PasswordHasher({
    hash: async () => '',
    verify: async (hashed, password) => {
      asked.push(hashed)
      return await verify(hashed, password)
    },
  })
  expect(await hasher.verify(undefined, 'anything')).toBe(false)
  expect(asked).toEqual([expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22}\$[^$]{43}$/)])
})

/** Hash functions that end when they are told to. */
class SlowFunctions implements HashFunctions {
  readonly ends: (() => void)[] = []
  running = 0
  runningMost = 0
  readonly hash = async (): Promise<string> => ''
  readonly verify = async (): Promise<boolean> => {
    this.runningMost = Math.max(this.runningMost, ++this.running)
    await new Promise<void>((resolve) => this.ends.push(resolve))
    this.running--
    return false
  }
}

test('of 200 at once, 2 run at a time, 64 wait and the others are told to come again', async () => {
  const slow = new SlowFunctions()
  const hasher = new PasswordHasher(slow)
  const outcomes = Promise.allSettled(Array.from({ length: 200 }, () => hasher.verify(undefined, 'wrong')))
  let ended = 0
  while (ended < 66) {
    const end = slow.ends[ended]
    if (end) {
      end()
      ended++
    }
    await new Promise(setImmediate)
  }
  const refused = (await outcomes).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(134)
  expect(refused[0]).toMatchObject({
    reason: { code: 'resource_exhausted', reason: 'OVERLOADED', retryAfterSeconds: 2 },
  })
  expect(slow.ends).toHaveLength(66)
  expect(slow.runningMost).toBe(2)
})

test('a hash that fails makes room for the next one', async () => {
  const hasher = new PasswordHasher({
    hash: async () => {
      throw new Error('out of memory')
    },
    verify: async () => true,
  })
  const failed = await Promise.allSettled([1, 2, 3, 4].map(async () => await hasher.hash('password')))
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
  expect(await hasher.verify('hash', 'password')).toBe(true)
})
