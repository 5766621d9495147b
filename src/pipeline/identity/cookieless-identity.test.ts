import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type LocalRedis, startLocalRedis } from '../../../test/harness/local-redis.ts'
import { hasSystemTool } from '../../../test/harness/system-tool.ts'
import { asProjectId } from '../../contract/ids.ts'
import { createLogger } from '../../kernel/log.ts'
import { EmbeddedStateStore } from '../../store/state/embedded-state-store.ts'
import { openRedisStateStore } from '../../store/state/redis-state-store.ts'
import type { SaltOutcome, SessionTouch, StateStore, TouchOutcome } from '../../store/state/state-store.ts'
import { DAY_MS, dayExpiryMs } from '../../store/state/utc-day.ts'
import { type CookielessEvent, CookielessIdentity, type CookielessOutcome } from './cookieless-identity.ts'

const log = createLogger({ role: 'test', level: 'silent' })
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY = 60_000
const DAY_START_MS = DAY * DAY_MS
const V5 = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const clock = { ms: 0, nowMs: () => clock.ms }
let visitorCount = 0

beforeEach(() => {
  clock.ms = DAY_START_MS + DAY_MS / 2
})

const event = (minute: number, visitor: Partial<CookielessEvent> = {}): CookielessEvent => ({
  projectId: asProjectId(1),
  ip: '203.0.113.7',
  userAgent: 'Mozilla/5.0',
  timeMs: DAY_START_MS + minute * MINUTE_MS,
  ...visitor,
})
const sessionOf = (outcome: CookielessOutcome | undefined) =>
  outcome && 'sessionId' in outcome ? outcome.sessionId : undefined
const idOf = (outcome: CookielessOutcome | undefined) =>
  outcome && 'distinctId' in outcome ? outcome.distinctId : undefined

/** A store that answers as told and counts its calls. */
class ScriptedStore implements StateStore {
  saltOutcome: SaltOutcome = { status: 'ok', salt: new Uint8Array(32).fill(7) }
  areSessionsUp = true
  readonly offers: (Uint8Array | undefined)[] = []
  touchCalls = 0
  gate: Promise<void> = Promise.resolve()

  async salt(_day: number, offered?: Uint8Array): Promise<SaltOutcome> {
    this.offers.push(offered)
    await this.gate
    return this.saltOutcome
  }

  async touchSessions(touches: readonly SessionTouch[]): Promise<TouchOutcome> {
    this.touchCalls++
    if (!this.areSessionsUp) return { status: 'unavailable' as const, cause: new Error('down') }
    const id = '01900000-0000-7000-8000-000000000000'
    return {
      status: 'ok' as const,
      visitors: touches.map(({ timesMs }) => ({ status: 'ok' as const, ids: timesMs.map(() => id) })),
    }
  }

  async close() {}
}

function scripted() {
  const store = new ScriptedStore()
  return { store, identity: new CookielessIdentity({ store, clock }) }
}

describe('the distinct id', () => {
  it('is the first 16 bytes of the HMAC over project, address and user agent under the day’s salt', async () => {
    const { store, identity } = scripted()
    const salt = Buffer.alloc(32, 7)
    const message = Buffer.from(['42', '203.0.113.7', 'Mözilla/5.0'].join('\0'), 'utf8')
    const expected = createHmac('sha256', salt).update(message).digest().subarray(0, 16).toString('base64url')
    const [outcome] = await identity.resolve([
      event(0, { projectId: asProjectId(42), userAgent: 'Mözilla/5.0' }),
    ])
    expect(idOf(outcome)).toBe(`cookieless-${expected}`)
    expect(idOf(outcome)).toMatch(/^cookieless-[A-Za-z0-9_-]{22}$/)
    expect(store.touchCalls).toBe(1)
  })

  it.each<[string, Partial<CookielessEvent>]>([
    ['project', { projectId: asProjectId(2) }],
    ['address', { ip: '203.0.113.8' }],
    ['user agent', { userAgent: 'Mozilla/5.1' }],
  ])('depends on the %s', async (_, other) => {
    const { identity } = scripted()
    const [first, second, third] = await identity.resolve([event(0), event(0, other), event(1)])
    expect(idOf(second)).not.toBe(idOf(first))
    expect(idOf(third)).toBe(idOf(first))
  })
})

describe('the day of an event', () => {
  it.each([
    ['today', DAY, 0, true],
    ['the last millisecond of today', DAY, DAY_MS - 1, true],
    ['the first of tomorrow', DAY + 1, 0, false],
    ['the first of yesterday', DAY - 1, 0, true],
    ['the last of the day before', DAY - 2, DAY_MS - 1, false],
    ['1970', 0, 0, false],
  ])('%s', async (_, day, ms, isServed) => {
    const { identity } = scripted()
    const [outcome] = await identity.resolve([event(0, { timeMs: day * DAY_MS + ms })])
    expect(outcome).toEqual(
      isServed
        ? expect.objectContaining({ distinctId: expect.any(String) })
        : { dropped: 'day_out_of_range' },
    )
  })

  it('ends its service with 00:00 UTC of day + 2', async () => {
    const { identity } = scripted()
    clock.ms = dayExpiryMs(DAY) - 1
    expect(idOf((await identity.resolve([event(0)]))[0])).toBeDefined()
    clock.ms = dayExpiryMs(DAY)
    expect(await identity.resolve([event(0)])).toEqual([{ dropped: 'day_out_of_range' }])
  })

  it('has a salt of its own, and drops of one day spare the other', async () => {
    const store = new ScriptedStore()
    store.salt = async (day) =>
      day === DAY ? { status: 'ok', salt: new Uint8Array(32) } : { status: 'corrupt' }
    const identity = new CookielessIdentity({ store, clock })
    const outcomes = await identity.resolve([event(0), event(-1), event(-5000), event(1)])
    expect(outcomes.map((outcome) => ('dropped' in outcome ? outcome.dropped : 'kept'))).toEqual([
      'kept',
      'salt_corrupt',
      'day_out_of_range',
      'kept',
    ])
  })
})

describe('the salt', () => {
  it.each([
    [{ status: 'unavailable', cause: new Error('down') }, 'salt_unavailable'],
    [{ status: 'corrupt' }, 'salt_corrupt'],
    [{ status: 'expired' }, 'day_out_of_range'],
  ] as const)('that is %j drops with %s, and is asked for again', async (saltOutcome, dropped) => {
    const { store, identity } = scripted()
    store.saltOutcome = saltOutcome
    expect(await identity.resolve([event(0), event(1)])).toEqual([{ dropped }, { dropped }])
    expect(store.touchCalls).toBe(0)
    store.saltOutcome = { status: 'ok', salt: new Uint8Array(32) }
    expect(idOf((await identity.resolve([event(0)]))[0])).toBeDefined()
  })

  it('is looked up once, however many calls wait for it', async () => {
    const { store, identity } = scripted()
    const { promise, resolve } = Promise.withResolvers<void>()
    store.gate = promise
    const calls = Array.from({ length: 10 }, () => identity.resolve([event(0)]))
    resolve()
    const outcomes = await Promise.all(calls)
    expect(store.offers).toEqual([undefined])
    expect(new Set(outcomes.map(([outcome]) => idOf(outcome))).size).toBe(1)
  })

  it('stays in use while the store is gone, and is offered to it again', async () => {
    const { store, identity } = scripted()
    const [before] = await identity.resolve([event(0)])
    store.saltOutcome = { status: 'unavailable', cause: new Error('down') }
    clock.ms += 10_000
    const [during] = await identity.resolve([event(0)])
    expect(idOf(during)).toBe(idOf(before))
    expect(store.offers).toEqual([undefined, new Uint8Array(32).fill(7)])
  })

  it('is given up for the one that the store has', async () => {
    const { store, identity } = scripted()
    const [before] = await identity.resolve([event(0)])
    store.saltOutcome = { status: 'ok', salt: new Uint8Array(32).fill(8) }
    clock.ms += 10_000
    await identity.resolve([event(0)])
    const [after] = await identity.resolve([event(0)])
    expect(idOf(after)).not.toBe(idOf(before))
  })
})

describe('a clock that is set', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each([
    ['back by hours', -5 * HOUR_MS],
    ['forward by hours', 5 * HOUR_MS],
    ['forward across the end of the salt', 2 * DAY_MS],
  ])('%s: a salt is wiped when it expires by the clock, even if it is not used', async (_, jumpMs) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
    const { store, identity } = scripted()
    const pass = (ms: number): void => {
      for (let passed = 0; passed < ms; passed += MINUTE_MS) {
        clock.ms += MINUTE_MS
        vi.advanceTimersByTime(MINUTE_MS)
      }
    }
    await identity.resolve([event(0)])
    clock.ms += jumpMs
    pass(Math.max(MINUTE_MS, dayExpiryMs(DAY) - clock.ms))
    // Whether it is gone shows in what is offered to the store when the clock has a day on which it would be used.
    clock.ms = DAY_START_MS + DAY_MS / 2
    await identity.resolve([event(0)])
    expect(store.offers).toEqual([undefined, undefined])
  })

  it('forward past midnight and back: ids stay, and the days served are those of the clock', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'millrace-clock-'))
    const store = new EmbeddedStateStore({ dataDir, clock, log })
    const identity = new CookielessIdentity({ store, clock })
    const [noon, tomorrow, yesterday] = [event(0), event(1440), event(-1)]
    const keptOf = async () =>
      (await identity.resolve([noon, tomorrow, yesterday])).map((outcome) => 'distinctId' in outcome)
    const [before] = await identity.resolve([noon])
    expect(await keptOf()).toEqual([true, false, true])
    clock.ms += 13 * HOUR_MS
    expect(await keptOf()).toEqual([true, true, false])
    store.sweep()
    clock.ms -= 13 * HOUR_MS
    expect(await keptOf()).toEqual([true, false, true])
    const [after] = await identity.resolve([noon])
    identity.close()
    await store.close()
    rmSync(dataDir, { recursive: true })
    expect(after).toEqual(before)
  })
})

describe('the session', () => {
  it('is one per visitor and day while the store is gone', async () => {
    const { store, identity } = scripted()
    store.areSessionsUp = false
    const batch = [event(0), event(700), event(-60), event(0, { ip: '203.0.113.9' })]
    const first = (await identity.resolve(batch)).map(sessionOf)
    expect(first[0]).toMatch(V5)
    expect(first[1]).toBe(first[0])
    expect(new Set(first).size).toBe(3)
    expect((await scriptedDown().resolve(batch)).map(sessionOf)).toEqual(first)
  })

  it('is one per visitor and day when the store is full', async () => {
    const { store, identity } = scripted()
    store.touchSessions = async (touches) => ({
      status: 'ok',
      visitors: touches.map(() => ({ status: 'full' })),
    })
    const outcomes = await identity.resolve([event(0), event(700)])
    expect(outcomes.map(sessionOf)).toEqual(
      (await scriptedDown().resolve([event(0), event(700)])).map(sessionOf),
    )
  })

  it('costs one call to the store, and none for nothing', async () => {
    const { store, identity } = scripted()
    await identity.resolve([event(0), event(1), event(-1), event(0, { userAgent: 'x' })])
    expect(store.touchCalls).toBe(1)
    expect(await identity.resolve([])).toEqual([])
    expect(store.touchCalls).toBe(1)
  })
})

function scriptedDown(): CookielessIdentity {
  const { store, identity } = scripted()
  store.areSessionsUp = false
  return identity
}

describe.skipIf(!hasSystemTool('redis-server', 'redis-server'))('sessions over a real store', () => {
  let dataDir: string
  let redis: LocalRedis
  const stores: StateStore[] = []
  let identities: Record<'embedded' | 'redis', CookielessIdentity[]>

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'millrace-identity-'))
    clock.ms = DAY_START_MS + DAY_MS / 2
    redis = await startLocalRedis()
    const open = async (store: Promise<StateStore> | StateStore) => {
      stores.push(await store)
      return new CookielessIdentity({ store: await store, clock })
    }
    const openEmbedded = () => open(new EmbeddedStateStore({ dataDir, clock, log }))
    const openRedis = () => open(openRedisStateStore({ url: redis.url, clock, log, callTimeoutMs: 5000 }))
    identities = {
      embedded: [await openEmbedded(), await openEmbedded()],
      redis: [await openRedis(), await openRedis()],
    }
  })

  afterAll(async () => {
    for (const store of stores) await store.close()
    await redis?.stop()
    rmSync(dataDir, { recursive: true })
  })

  it.each(['embedded', 'redis'] as const)(
    'are UUIDv7, and UUIDv5 by window for late events: %s',
    async (kind) => {
      const [edge, other] = identities[kind]
      const visitor = { userAgent: `visitor ${visitorCount++}` }
      const at = async (identity: CookielessIdentity | undefined, ...minutes: number[]) =>
        (await identity?.resolve(minutes.map((minute) => event(minute, visitor))))?.map(sessionOf) ?? []
      const [first] = await at(edge, 200)
      const late = await at(edge, 169, 151, 149)
      expect(first).toMatch(V7)
      expect(late.every((session) => V5.test(session ?? ''))).toBe(true)
      expect(late[0]).toBe(late[1])
      expect(late[2]).not.toBe(late[1])
      expect(await at(other, 149, 169, 200)).toEqual([late[2], late[0], first])
      expect(await at(other, 170)).toEqual([first])
    },
  )

  it.each(['embedded', 'redis'] as const)(
    'do not depend on the order in a batch, nor on its repetition: %s',
    async (kind) => {
      const [edge, other] = identities[kind]
      const minute = fc.oneof(
        fc.integer({ min: 0, max: 24 }).map((n) => n * 30),
        fc.integer({ min: 0, max: 720 }),
      )
      const batch = fc.array(fc.record({ minute, who: fc.integer({ min: 0, max: 2 }) }), {
        minLength: 1,
        maxLength: 30,
      })
      await fc.assert(
        fc.asyncProperty(batch, batch, fc.infiniteStream(fc.nat()), async (before, items, shuffle) => {
          const run = visitorCount++
          const toEvents = (list: typeof items, twin: string) =>
            list.map(({ minute: m, who }) => event(m, { userAgent: `${twin} ${run} ${who}` }))
          const order = items
            .map((_, index) => ({ index, rank: shuffle.next().value }))
            .sort((a, b) => a.rank - b.rank)
          const shuffled = order.flatMap(({ index }) => items[index] ?? [])
          // Twins: other visitors with the same events, which come in another order.
          await edge?.resolve(toEvents(before, 'a'))
          await edge?.resolve(toEvents(before, 'b'))
          const plain = (await edge?.resolve(toEvents(items, 'a')))?.map(sessionOf) ?? []
          const mixed = (await other?.resolve(toEvents(shuffled, 'b')))?.map(sessionOf) ?? []
          const restored = order
            .map(({ index }, place) => ({ index, session: mixed[place] }))
            .sort((a, b) => a.index - b.index)
          expect(shapeOf(restored.map(({ session }) => session))).toEqual(shapeOf(plain))
          // Repeated whole, and in part, on the other edge.
          expect((await other?.resolve(toEvents(items, 'a')))?.map(sessionOf)).toEqual(plain)
          const half = items.slice(0, Math.ceil(items.length / 2))
          expect((await edge?.resolve(toEvents(half, 'a')))?.map(sessionOf)).toEqual(
            plain.slice(0, half.length),
          )
        }),
        { numRuns: 100 },
      )
    },
  )

  it('fall back within the timeout when Redis stops in the middle, and so do new days’ salts', async () => {
    const redisStore = await openRedisStateStore({ url: redis.url, clock, log, callTimeoutMs: 200 })
    stores.push(redisStore)
    const identity = new CookielessIdentity({ store: redisStore, clock })
    const [before] = await identity.resolve([event(0, { userAgent: 'stopped' })])
    redis.signal('SIGSTOP')
    const startMs = performance.now()
    const outcomes = await identity.resolve([
      event(0, { userAgent: 'stopped' }),
      event(-1, { userAgent: 'stopped' }),
    ])
    const tookMs = performance.now() - startMs
    redis.signal('SIGCONT')
    expect(idOf(outcomes[0])).toBe(idOf(before))
    expect(sessionOf(before)).toMatch(V7)
    expect(sessionOf(outcomes[0])).toMatch(V5)
    expect(outcomes[1]).toEqual({ dropped: 'salt_unavailable' })
    expect(tookMs).toBeLessThan(2000)
  })
})

/** The events of each session, with the kind of each. */
function shapeOf(sessions: readonly (string | undefined)[]): readonly string[] {
  const names = [...new Set(sessions)]
  return sessions.map((session) => `${names.indexOf(session)} v${session?.[14]}`)
}
