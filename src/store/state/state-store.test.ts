import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalRedis, startLocalRedis } from '../../../test/harness/local-redis.ts'
import { propertyRuns } from '../../../test/harness/profile.ts'
import { hasSystemTool } from '../../../test/harness/system-tool.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import { createLogger } from '../../kernel/log.ts'
import { EmbeddedStateStore } from './embedded-state-store.ts'
import { openRedisStateStore, type RedisStateStore } from './redis-state-store.ts'
import type { StateStore } from './state-store.ts'
import { type BucketState, type TokenDemand, takeFromBucket } from './token-bucket.ts'
import { DAY_MS, dayExpiryMs } from './utc-day.ts'

const log = createLogger({ role: 'test', level: 'silent' })
const MINUTE_MS = 60_000
/** A day far ahead: no server's own clock ends it during a test. */
const DAY = 60_000
const START_MS = DAY * DAY_MS
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const clock = { ms: START_MS, nowMs: () => clock.ms }

/** One of the two implementations. */
interface Kind {
  readonly name: string
  start(): Promise<void>
  stop(): Promise<void>
  /** Another edge over the same state. */
  open(): Promise<StateStore>
}

let dataDir: string
let redis: LocalRedis

const embedded: Kind = {
  name: 'embedded',
  start: async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'millrace-state-'))
  },
  stop: async () => rmSync(dataDir, { recursive: true }),
  open: async () => new EmbeddedStateStore({ dataDir, clock, log }),
}

async function openShared(): Promise<RedisStateStore> {
  return await openRedisStateStore({ url: redis.url, clock, log, callTimeoutMs: 5000 })
}

const shared: Kind = {
  name: 'Redis',
  start: async () => {
    redis = await startLocalRedis()
  },
  stop: async () => await redis?.stop(),
  open: async () => await openShared(),
}

let visitorCount = 0
/** A visitor of this test only. */
const newVisitor = (): string => `cookieless-${visitorCount++}`

/** Touches one visitor at minutes of the day, and answers its sessions. */
async function touch(store: StateStore, id: string, minutes: readonly number[]) {
  const timesMs = minutes.map((minute) => START_MS + minute * MINUTE_MS).sort((a, b) => a - b)
  const outcome = await store.touchSessions([{ id, day: DAY, timesMs }])
  const visitor = outcome.status === 'ok' ? outcome.visitors[0] : undefined
  if (visitor?.status !== 'ok') throw new Error(`no sessions: ${JSON.stringify(outcome)}`)
  return visitor.ids
}

describe.each([embedded])('the $name state store', checkStateStore)
describe.skipIf(!hasSystemTool('redis-server', 'redis-server')).each([shared])(
  'the $name state store',
  checkStateStore,
)

describe.skipIf(!hasSystemTool('redis-server', 'redis-server'))('tokens of a shared store', () => {
  let store: RedisStateStore
  let other: RedisStateStore

  beforeAll(async () => {
    await shared.start()
    store = await openShared()
    other = await openShared()
  })

  afterAll(async () => {
    await store?.close()
    await other?.close()
    await shared.stop()
  })

  const SLOW = { ratePerSecond: 0.001, burst: 10 }
  const take = async (edge: RedisStateStore, key: string, demand: Partial<TokenDemand>, rate = SLOW) => {
    const outcome = await edge.takeTokens([{ key, used: 0, wanted: 0, ...demand }], rate)
    const [grant] = outcome.status === 'ok' ? outcome.grants : []
    if (!grant) throw new Error(`no grant: ${JSON.stringify(outcome)}`)
    return { granted: grant.granted, left: Math.round(grant.left) }
  }

  it('are shared by all edges, up to the burst', async () => {
    expect(await take(store, 'a', { wanted: 4 })).toEqual({ granted: 4, left: 6 })
    expect((await take(other, 'a', { wanted: 100 })).granted).toBeCloseTo(6, 2)
    expect(await take(store, 'a', { wanted: 1 })).toEqual({ granted: 0, left: 0 })
    expect(await take(store, 'b', { wanted: 10 })).toEqual({ granted: 10, left: 0 })
  })

  it('used beyond the content become a debt, paid before more are granted', async () => {
    expect(await take(store, 'c', { used: 25, wanted: 5 })).toEqual({ granted: 0, left: -15 })
    expect(await take(other, 'c', { wanted: 1 })).toEqual({ granted: 0, left: -15 })
  })

  it('that are returned fill the bucket at most', async () => {
    await take(store, 'd', { wanted: 8 })
    expect(await take(store, 'd', { used: -5 })).toEqual({ granted: 0, left: 7 })
    expect(await take(other, 'd', { used: -5 })).toEqual({ granted: 0, left: 10 })
  })

  it('less than one are not granted', async () => {
    await take(store, 'e', { used: 9.5 })
    expect((await take(store, 'e', { wanted: 1 })).granted).toBe(0)
  })

  it('of many buckets are granted in one call, in the order of the demands', async () => {
    const demands = Array.from({ length: 100 }, (_, index) => ({
      key: `f${index}`,
      used: index,
      wanted: 1,
    }))
    const outcome = await store.takeTokens(demands, SLOW)
    const grants = outcome.status === 'ok' ? outcome.grants : []
    expect(grants.map(({ left, granted }) => left + granted)).toEqual(demands.map(({ used }) => 10 - used))
  })

  it('are refilled over time', async () => {
    const rate = { ratePerSecond: 100, burst: 10 }
    await take(store, 'g', { used: 12 }, rate)
    clock.ms += 100
    await waitFor('a token', async () =>
      (await take(store, 'g', { wanted: 1 }, rate)).granted === 1 ? true : undefined,
    )
    clock.ms = START_MS
  })

  it('follow the reference model for any demands on any edge', async () => {
    const demand = fc.record({
      edge: fc.constantFrom('store', 'other'),
      used: fc.integer({ min: -20, max: 40 }),
      wanted: fc.double({ min: 0, max: 20, noNaN: true }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(demand, { maxLength: 12 }), async (demands) => {
        const key = newVisitor()
        let bucket: BucketState | undefined
        for (const { edge, used, wanted } of demands) {
          // Too slow for the time between two calls to matter.
          const rate = { ratePerSecond: 1e-9, burst: 10 }
          const expected = takeFromBucket(bucket, { used, wanted }, { ...rate, nowMs: START_MS })
          const outcome = await (edge === 'store' ? store : other).takeTokens([{ key, used, wanted }], rate)
          const [grant] = outcome.status === 'ok' ? outcome.grants : []
          expect(grant?.granted).toBeCloseTo(expected.grant.granted, 6)
          expect(grant?.left).toBeCloseTo(expected.grant.left, 6)
          bucket = expected.bucket
        }
      }),
      { numRuns: propertyRuns(100) },
    )
  })

  it('are unavailable after close', async () => {
    const closed = await openShared()
    await closed.close()
    const demands = [{ key: 'x', used: 0, wanted: 1 }]
    expect((await closed.takeTokens(demands, { ratePerSecond: 1, burst: 1 })).status).toBe('unavailable')
  })
})

function checkStateStore(kind: Kind): void {
  let store: StateStore
  let other: StateStore

  beforeAll(async () => {
    await kind.start()
    store = await kind.open()
    other = await kind.open()
  })

  afterAll(async () => {
    await store?.close()
    await other?.close()
    await kind.stop()
  })

  describe('salts', () => {
    it('gives every edge the first writer’s 32 bytes, and each day its own salt', async () => {
      const first = await store.salt(DAY)
      const second = await other.salt(DAY, randomBytes(32))
      const next = await store.salt(DAY + 1)
      expect(first).toMatchObject({ status: 'ok', salt: { length: 32 } })
      expect(second).toEqual(first)
      expect(next).toMatchObject({ status: 'ok' })
      expect(next).not.toEqual(first)
    })

    it('gives concurrent edges the same salt', async () => {
      const edges = await Promise.all(Array.from({ length: 10 }, () => kind.open()))
      const outcomes = await Promise.all(edges.map((edge) => edge.salt(DAY + 9)))
      await Promise.all(edges.map((edge) => edge.close()))
      expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'ok'))
      expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1)
    })

    it('accepts an offered salt when it has none', async () => {
      const salt = Uint8Array.from(randomBytes(32))
      expect(await store.salt(DAY + 2, salt)).toEqual({ status: 'ok', salt })
    })

    it('returns a salt until the last millisecond of day + 1, and creates none afterwards', async () => {
      const day = DAY + 3
      clock.ms = dayExpiryMs(day) - 1
      expect((await store.salt(day)).status).toBe('ok')
      clock.ms = dayExpiryMs(day)
      expect((await store.salt(day)).status).toBe('expired')
      expect((await other.salt(day)).status).toBe('expired')
      clock.ms = START_MS
    })
  })

  describe('sessions', () => {
    it.each([
      ['one event', [0], [0]],
      ['a gap of 29 minutes', [0, 29], [0, 0]],
      ['a gap of exactly 30 minutes', [0, 30], [0, 0]],
      ['a gap above 30 minutes', [0, 30 + 1 / MINUTE_MS], [0, 1]],
      ['a chain longer than 30 minutes', [0, 20, 40, 60, 90], [0, 0, 0, 0, 0]],
      ['the same instant twice', [5, 5], [0, 0]],
      ['many sessions', [0, 100, 200, 300, 301], [0, 1, 2, 3, 3]],
    ])('%s in one call', async (_, minutes, expected) => {
      const ids = await touch(store, newVisitor(), minutes)
      const names = [...new Set(ids)]
      expect(ids.map((id) => names.indexOf(id))).toEqual(expected)
      expect(ids.every((id) => UUID_V7.test(id ?? ''))).toBe(true)
    })

    it('continue in a later call and on another edge', async () => {
      const visitor = newVisitor()
      const [first] = await touch(store, visitor, [100])
      expect(await touch(other, visitor, [130])).toEqual([first])
      expect(await touch(store, visitor, [100])).toEqual([first])
      expect(await touch(store, visitor, [161])).not.toEqual([first])
    })

    it('contain events up to 30 minutes older than their newest, and no older ones', async () => {
      const visitor = newVisitor()
      const [first] = await touch(store, visitor, [100])
      expect(await touch(store, visitor, [70])).toEqual([first])
      expect(await touch(store, visitor, [70 - 1 / MINUTE_MS])).toEqual([undefined])
      // Within the session's span, and still more than 30 minutes older than its newest event.
      await touch(store, visitor, [130])
      expect(await touch(store, visitor, [99])).toEqual([undefined])
    })

    it('stay the same for a retried batch, however late', async () => {
      const visitor = newVisitor()
      const minutes = [0, 10, 40, 65, 200, 290, 300]
      const ids = await touch(store, visitor, minutes)
      await touch(store, visitor, [600])
      expect(await touch(other, visitor, minutes)).toEqual(ids)
      expect(await touch(store, visitor, [40, 200])).toEqual([ids[2], ids[4]])
    })

    it('stay the same for a retried batch with more events than are stored individually', async () => {
      const visitor = newVisitor()
      const minutes = Array.from({ length: 700 }, (_, index) => index)
      const ids = await touch(store, visitor, minutes)
      expect(new Set(ids).size).toBe(1)
      expect(await touch(store, visitor, minutes)).toEqual(ids)
    })

    it('of different visitors in one call are separate', async () => {
      const touches = Array.from({ length: 500 }, () => ({
        id: newVisitor(),
        day: DAY,
        timesMs: [START_MS, START_MS],
      }))
      const outcome = await store.touchSessions(touches)
      const ids =
        outcome.status === 'ok' ? outcome.visitors.flatMap((v) => (v.status === 'ok' ? v.ids : [])) : []
      expect(ids.length).toBe(1000)
      expect(new Set(ids).size).toBe(500)
    })

    it('of an empty call are empty', async () => {
      expect(await store.touchSessions([])).toEqual({ status: 'ok', visitors: [] })
    })

    it('match the reference model for any events in any order on any edge', async () => {
      // Half minutes around the 30 minutes that matter, and far ones.
      const minute = fc.oneof(
        fc.integer({ min: 0, max: 180 }).map((half) => half / 2),
        fc.integer({ min: 0, max: 47 }).map((half) => half * 30),
        fc.integer({ min: 0, max: 1439 }),
      )
      const call = fc.record({
        edge: fc.constantFrom('store', 'other'),
        minutes: fc.array(minute, { minLength: 1, maxLength: 12 }),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(call, { maxLength: 12 }), async (calls) => {
          const visitor = newVisitor()
          const reference = new NaiveSessions()
          const names = new Map<string, string>()
          for (const { edge, minutes } of calls) {
            const sorted = [...minutes].sort((a, b) => a - b)
            const expected = sorted.map((m) => reference.assign(m))
            const ids = await touch(edge === 'store' ? store : other, visitor, minutes)
            // The reference's sessions and the store's must be in one-to-one correspondence.
            for (const [index, name] of expected.entries()) {
              const id = ids[index]
              if (id !== undefined && name !== undefined && !names.has(id)) names.set(id, name)
              expect(id === undefined ? undefined : names.get(id)).toBe(name)
            }
            expect(new Set(names.values()).size).toBe(names.size)
          }
        }),
        { numRuns: propertyRuns(200) },
      )
    })
  })

  it('is unavailable after close', async () => {
    const closed = await kind.open()
    await closed.close()
    await closed.close()
    expect((await closed.salt(DAY)).status).toBe('unavailable')
    expect((await closed.touchSessions([{ id: 'x', day: DAY, timesMs: [START_MS] }])).status).toBe(
      'unavailable',
    )
    expect((await store.salt(DAY)).status).toBe('ok')
  })
}

/** The reference model of sessions (docs/concepts.md): event by event, with all times stored. */
class NaiveSessions {
  readonly #known = new Map<number, string>()
  #current: { readonly name: string; newest: number } | undefined
  #count = 0

  assign(minute: number): string | undefined {
    const current = this.#current
    if (current === undefined || minute - current.newest > 30) {
      this.#current = { name: `session ${this.#count++}`, newest: minute }
      this.#known.set(minute, this.#current.name)
      return this.#current.name
    }
    if (current.newest - minute > 30) return this.#known.get(minute)
    current.newest = Math.max(current.newest, minute)
    this.#known.set(minute, current.name)
    return current.name
  }
}
