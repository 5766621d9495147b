import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalRedis, startLocalRedis } from '../../../test/harness/local-redis.ts'
import { hasSystemTool } from '../../../test/harness/system-tool.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import { createLogger } from '../../kernel/log.ts'
import { EmbeddedStateStore } from './embedded-state-store.ts'
import { openRedisStateStore } from './redis-state-store.ts'
import type { StateStore } from './state-store.ts'
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

const shared: Kind = {
  name: 'Redis',
  start: async () => {
    redis = await startLocalRedis()
  },
  stop: async () => await redis?.stop(),
  open: async () => await openRedisStateStore({ url: redis.url, clock, log, callTimeoutMs: 5000 }),
}

let visitorCount = 0
/** A visitor that no other test knows. */
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
    it('gives every edge the first writer’s 32 bytes, and another day another salt', async () => {
      const first = await store.salt(DAY)
      const second = await other.salt(DAY, randomBytes(32))
      const next = await store.salt(DAY + 1)
      expect(first).toMatchObject({ status: 'ok', salt: { length: 32 } })
      expect(second).toEqual(first)
      expect(next).toMatchObject({ status: 'ok' })
      expect(next).not.toEqual(first)
    })

    it('gives edges that race the same salt', async () => {
      const edges = await Promise.all(Array.from({ length: 10 }, () => kind.open()))
      const outcomes = await Promise.all(edges.map((edge) => edge.salt(DAY + 9)))
      await Promise.all(edges.map((edge) => edge.close()))
      expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'ok'))
      expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1)
    })

    it('takes an offered salt when it has none', async () => {
      const salt = Uint8Array.from(randomBytes(32))
      expect(await store.salt(DAY + 2, salt)).toEqual({ status: 'ok', salt })
    })

    it('serves a salt until the last millisecond of day + 1, and makes none after', async () => {
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

    it('go on in a later call and on another edge', async () => {
      const visitor = newVisitor()
      const [first] = await touch(store, visitor, [100])
      expect(await touch(other, visitor, [130])).toEqual([first])
      expect(await touch(store, visitor, [100])).toEqual([first])
      expect(await touch(store, visitor, [161])).not.toEqual([first])
    })

    it('hold events up to 30 minutes older than their newest, and no older ones', async () => {
      const visitor = newVisitor()
      const [first] = await touch(store, visitor, [100])
      expect(await touch(store, visitor, [70])).toEqual([first])
      expect(await touch(store, visitor, [70 - 1 / MINUTE_MS])).toEqual([undefined])
      // Within the session's span, and still more than 30 minutes older than its newest event.
      await touch(store, visitor, [130])
      expect(await touch(store, visitor, [99])).toEqual([undefined])
    })

    it('take a repeated batch back, however late', async () => {
      const visitor = newVisitor()
      const minutes = [0, 10, 40, 65, 200, 290, 300]
      const ids = await touch(store, visitor, minutes)
      await touch(store, visitor, [600])
      expect(await touch(other, visitor, minutes)).toEqual(ids)
      expect(await touch(store, visitor, [40, 200])).toEqual([ids[2], ids[4]])
    })

    it('take a repeated batch of more events than are remembered back', async () => {
      const visitor = newVisitor()
      const minutes = Array.from({ length: 700 }, (_, index) => index)
      const ids = await touch(store, visitor, minutes)
      expect(new Set(ids).size).toBe(1)
      expect(await touch(store, visitor, minutes)).toEqual(ids)
    })

    it('of different visitors in one call are apart', async () => {
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

    it('of no visitor are none', async () => {
      expect(await store.touchSessions([])).toEqual({ status: 'ok', visitors: [] })
    })

    it('are those of the definition, whatever comes in whatever order on whichever edge', async () => {
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
            const expected = sorted.map((m) => reference.place(m))
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
        { numRuns: 200 },
      )
    })
  })

  describe('tokens', () => {
    const take = async (edge: StateStore, key: string, count: number, rate = 0.001) => {
      const outcome = await edge.takeTokens({ key, count, ratePerSecond: rate, burst: 10 })
      if (outcome.status !== 'ok') throw outcome.cause
      return outcome
    }

    it('are shared by all edges, up to the burst', async () => {
      expect(await take(store, 'a', 4)).toMatchObject({ allowed: true, limit: 10, remaining: 6, retryMs: 0 })
      expect(await take(other, 'a', 6)).toMatchObject({ allowed: true, remaining: 0 })
      expect(await take(store, 'a', 1)).toMatchObject({ allowed: false, remaining: 0 })
      expect(await take(store, 'b', 10)).toMatchObject({ allowed: true })
    })

    it('that are refused are not taken, and the time to wait is told', async () => {
      await take(store, 'c', 9)
      const refused = await take(store, 'c', 3)
      expect(refused).toMatchObject({ allowed: false, remaining: 1 })
      expect(refused.retryMs).toBeGreaterThan(1_900_000)
      expect(refused.retryMs).toBeLessThanOrEqual(2_000_000)
      expect(refused.resetMs).toBeGreaterThan(8_900_000)
      expect(await take(store, 'c', 1)).toMatchObject({ allowed: true })
    })

    it('beyond the burst are lent once to a full bucket', async () => {
      expect(await take(store, 'd', 25)).toMatchObject({ allowed: true, remaining: 0 })
      const refused = await take(store, 'd', 25)
      expect(refused.allowed).toBe(false)
      expect(refused.retryMs).toBeGreaterThan(24_900_000)
    })

    it('flow in', async () => {
      expect((await take(store, 'e', 10, 100)).allowed).toBe(true)
      const refused = await take(store, 'e', 1, 100)
      expect(refused.allowed).toBe(false)
      clock.ms += refused.retryMs
      await waitFor('a token', async () => ((await take(store, 'e', 1, 100)).allowed ? true : undefined))
      clock.ms = START_MS
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
    expect((await closed.takeTokens({ key: 'x', count: 1, ratePerSecond: 1, burst: 1 })).status).toBe(
      'unavailable',
    )
    expect((await store.salt(DAY)).status).toBe('ok')
  })
}

/** The definition of semantics.md, event by event, with everything remembered. */
class NaiveSessions {
  readonly #known = new Map<number, string>()
  #current: { readonly name: string; newest: number } | undefined
  #count = 0

  place(minute: number): string | undefined {
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
