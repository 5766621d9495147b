import { describe, expect, test } from 'vitest'
import { startLocalRedis } from '../../test/harness/local-redis.ts'
import { hasSystemTool } from '../../test/harness/system-tool.ts'
import { createLogger } from '../kernel/log.ts'
import { openRedisStateStore } from '../store/state/redis-state-store.ts'
import type { TakeOutcome } from '../store/state/state-store.ts'
import {
  type BucketState,
  type TokenDemand,
  type TokenRate,
  takeFromBucket,
} from '../store/state/token-bucket.ts'
import { RateLimiter } from './rate-limit.ts'

const log = createLogger({ role: 'test', level: 'silent' })
const HOUR_MS = 3_600_000

/** A store of the one rule, by the clock of the test, that counts its calls and can be taken away. */
class ScriptedStore {
  nowMs = 0
  isUp = true
  calls = 0
  readonly keys = new Set<string>()
  readonly #buckets = new Map<string, BucketState>()

  async takeTokens(demands: readonly TokenDemand[], rate: TokenRate): Promise<TakeOutcome> {
    this.calls++
    if (!this.isUp) return { status: 'unavailable', cause: new Error('down') }
    const grants = demands.map((demand) => {
      this.keys.add(demand.key)
      const taken = takeFromBucket(this.#buckets.get(demand.key), demand, { ...rate, nowMs: this.nowMs })
      this.#buckets.set(demand.key, taken.bucket)
      return taken.grant
    })
    return { status: 'ok', grants }
  }
}

function openEdge(store: ScriptedStore, eventsPerSecond: number): RateLimiter {
  return new RateLimiter({ eventsPerSecond, store, nowMs: () => store.nowMs })
}

/** Sends batches to edges in turn until one is refused; answers the events that were taken. */
async function sendUntilRefused(edges: readonly RateLimiter[], key: string, batchEvents: number) {
  for (let sent = 0; ; sent++) {
    const edge = edges[sent % edges.length]
    const { isAllowed } = (await edge?.admit(key)) ?? {}
    if (!isAllowed || sent === 10_000) return sent * batchEvents
    edge?.charge(key, batchEvents)
  }
}

describe('a key', () => {
  test('may send a burst of two seconds, owes the excess, and repays it by the second', async () => {
    const store = new ScriptedStore()
    const limiter = openEdge(store, 10)
    expect(await limiter.admit('a')).toMatchObject({ isAllowed: true, retryAfterSeconds: 0 })
    limiter.charge('a', 49)
    expect(await limiter.admit('a')).toMatchObject({ isAllowed: false, retryAfterSeconds: 3 })
    store.nowMs += 2900
    expect((await limiter.admit('a')).isAllowed).toBe(false)
    store.nowMs += 100
    expect((await limiter.admit('a')).isAllowed).toBe(true)
    store.nowMs += HOUR_MS
    expect((await limiter.admit('a')).headers).toContainEqual(['ratelimit-remaining', '20'])
  })

  test('shares no bucket with another key, and is not in the store', async () => {
    const store = new ScriptedStore()
    const limiter = openEdge(store, 1)
    await limiter.admit('pub_secret')
    limiter.charge('pub_secret', 2)
    expect((await limiter.admit('pub_secret')).isAllowed).toBe(false)
    expect((await limiter.admit('b')).isAllowed).toBe(true)
    expect([...store.keys].join(' ')).not.toContain('pub_secret')
    expect(store.keys.size).toBe(2)
  })

  test('costs the store about ten calls for each second of its rate, and none while it owes', async () => {
    const store = new ScriptedStore()
    const limiter = openEdge(store, 100_000)
    expect(await sendUntilRefused([limiter], 'a', 100)).toBe(200_000)
    expect(store.calls).toBeLessThan(60)
    const before = store.calls
    await Promise.all(Array.from({ length: 1000 }, async () => await limiter.admit('a')))
    expect(store.calls).toBe(before)
  })

  test('is known without asking while the lease lasts, and while it owes', async () => {
    const store = new ScriptedStore()
    const limiter = openEdge(store, 10)
    expect(limiter.peek('a')).toBeUndefined()
    await limiter.admit('a')
    expect(limiter.peek('a')).toMatchObject({ isAllowed: true })
    store.nowMs += 1000
    expect(limiter.peek('a')).toBeUndefined()
    await limiter.admit('a')
    limiter.charge('a', 100)
    expect(limiter.peek('a')).toBeUndefined()
    await limiter.admit('a')
    expect(limiter.peek('a')).toMatchObject({ isAllowed: false, retryAfterSeconds: 9 })
  })

  test('that went silent gives its lease back', async () => {
    const store = new ScriptedStore()
    const [first, second] = [openEdge(store, 100), openEdge(store, 100)]
    await first.admit('a')
    store.nowMs += HOUR_MS
    await first.admit('a')
    expect(await sendUntilRefused([second], 'a', 1)).toBe(190)
    store.nowMs += 1000
    expect(await sendUntilRefused([first], 'a', 1)).toBe(110)
  })
})

describe('edges', () => {
  test('share one limit, up to a batch for each', async () => {
    const store = new ScriptedStore()
    const edges = [openEdge(store, 1000), openEdge(store, 1000), openEdge(store, 1000)]
    const sent = await sendUntilRefused(edges, 'a', 90)
    expect(sent).toBeGreaterThan(2000 - 3 * 100)
    expect(sent).toBeLessThanOrEqual(2000 + 3 * 90)
  })

  test('go on alone with the same limit while the store is away, and share again after', async () => {
    const store = new ScriptedStore()
    const edges = [openEdge(store, 100), openEdge(store, 100)]
    await sendUntilRefused(edges, 'a', 10)
    store.isUp = false
    store.nowMs += 2000
    const alone = await Promise.all(edges.map(async (edge) => await sendUntilRefused([edge], 'a', 10)))
    expect(alone).toEqual([200, 200])
    store.isUp = true
    store.nowMs += 4000
    expect(await sendUntilRefused(edges, 'a', 10)).toBeLessThanOrEqual(220)
  })
})

test('an edge alone needs no store', async () => {
  const clock = { ms: 0 }
  const limiter = new RateLimiter({ eventsPerSecond: 10, nowMs: () => clock.ms })
  expect(await sendUntilRefused([limiter], 'a', 1)).toBe(20)
  clock.ms += 500
  expect(await sendUntilRefused([limiter], 'a', 1)).toBe(5)
  expect((await limiter.admit('b')).isAllowed).toBe(true)
})

test.skipIf(!hasSystemTool('redis-server', 'redis-server'))(
  'two edges of one Redis share one limit',
  async () => {
    const redis = await startLocalRedis()
    const clock = { nowMs: () => 60_000 * 86_400_000 }
    const open = async () => await openRedisStateStore({ url: redis.url, clock, log })
    const stores = [await open(), await open()]
    try {
      // Too slow for the time that the test takes to matter.
      const edges = stores.map((store) => new RateLimiter({ eventsPerSecond: 5, store, nowMs: () => 0 }))
      const sent = await sendUntilRefused(edges, 'a', 2)
      expect(sent).toBeGreaterThanOrEqual(8)
      expect(sent).toBeLessThanOrEqual(16)
      const refused = await Promise.all(edges.map(async (edge) => await edge.admit('a')))
      expect(refused.map(({ isAllowed }) => isAllowed)).toContain(false)
    } finally {
      for (const store of stores) await store.close()
      await redis.stop()
    }
  },
)
