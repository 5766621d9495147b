import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { createClient } from 'redis'
import { afterEach, describe, expect, it } from 'vitest'
import { type LocalRedis, startLocalRedis } from '../../../test/harness/local-redis.ts'
import { hasSystemTool } from '../../../test/harness/system-tool.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import { createLogger } from '../../kernel/log.ts'
import { openRedisStateStore, RedisStateStore } from './redis-state-store.ts'
import { DAY_MS, utcDayText } from './utc-day.ts'

const log = createLogger({ role: 'test', level: 'silent' })
const DAY = 60_000
const clock = { nowMs: () => DAY * DAY_MS }
const TOUCH = [{ id: 'cookieless-x', day: DAY, timesMs: [DAY * DAY_MS] }]
const CALL_TIMEOUT_MS = 200

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function startRedis(options?: Parameters<typeof startLocalRedis>[0]): Promise<LocalRedis> {
  const redis = await startLocalRedis(options)
  cleanUps.push(redis.stop)
  return redis
}

async function openStore(url: string): Promise<RedisStateStore> {
  const store = await openRedisStateStore({ url, clock, log, callTimeoutMs: CALL_TIMEOUT_MS })
  cleanUps.push(async () => await store.close())
  return store
}

async function runCommand(url: string, ...args: string[]): Promise<unknown> {
  const client = createClient({ url })
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.sendCommand(args)
  } finally {
    client.destroy()
  }
}

const isWorking = (store: RedisStateStore) => async () =>
  (await store.touchSessions(TOUCH)).status === 'ok' ? true : undefined

describe.skipIf(!hasSystemTool('redis-server', 'redis-server'))('the Redis state store', () => {
  it('answers within its timeout while the server is paused, then immediately, and recovers afterwards', async () => {
    const redis = await startRedis()
    const store = await openStore(redis.url)
    await store.touchSessions(TOUCH)
    redis.signal('SIGSTOP')
    const startMs = performance.now()
    const waiting = await Promise.all([store.touchSessions(TOUCH), store.salt(DAY)])
    const waitedMs = performance.now() - startMs
    expect(waiting.map(({ status }) => status)).toEqual(['unavailable', 'unavailable'])
    expect(waitedMs).toBeLessThan(CALL_TIMEOUT_MS * 5)
    // One after the other: half of the time that they would take if each waited for its timeout.
    const repeatCount = 50
    for (let index = 0; index < repeatCount; index++)
      expect((await store.touchSessions(TOUCH)).status).toBe('unavailable')
    expect(performance.now() - startMs - waitedMs).toBeLessThan((CALL_TIMEOUT_MS * repeatCount) / 2)
    redis.signal('SIGCONT')
    await waitFor('the store', isWorking(store))
  })

  it('is unavailable while the server is down, and works with a new one without scripts and salt', async () => {
    const redis = await startRedis()
    const store = await openStore(redis.url)
    const before = await store.salt(DAY)
    expect(before.status).toBe('ok')
    await redis.stop()
    await waitFor('the end', async () =>
      (await store.salt(DAY)).status === 'unavailable' ? true : undefined,
    )
    await startRedis({ port: redis.port })
    await waitFor('the store', isWorking(store))
    expect(await store.salt(DAY, before.status === 'ok' ? before.salt : undefined)).toEqual(before)
    expect(await (await openStore(redis.url)).salt(DAY, randomBytes(32))).toEqual(before)
  })

  it('opens without a reachable server', async () => {
    const store = await openStore('redis://127.0.0.1:1')
    expect(await store.salt(DAY)).toMatchObject({ status: 'unavailable' })
    expect(await store.checkPersistence()).toMatchObject({ status: 'unknown' })
  })

  it('bounds the number of queued calls', async () => {
    const redis = await startRedis()
    const store = await openStore(redis.url)
    redis.signal('SIGSTOP')
    const startMs = performance.now()
    const calls = Array.from({ length: 1500 }, () => store.touchSessions(TOUCH))
    const first = await Promise.race(calls)
    expect(first.status).toBe('unavailable')
    // One that is refused does not wait for its timeout, nor for those of the others in turn.
    expect(performance.now() - startMs).toBeLessThan(CALL_TIMEOUT_MS * 5)
    await Promise.all(calls)
  })

  it('is unavailable when the server is out of memory', async () => {
    const redis = await startRedis({ args: ['--maxmemory', '1', '--maxmemory-policy', 'noeviction'] })
    const store = await openStore(redis.url)
    expect((await store.touchSessions(TOUCH)).status).toBe('unavailable')
    expect((await store.salt(DAY)).status).toBe('unavailable')
  })

  it.each([
    ['text', ['SET', 'not a salt']],
    ['an empty value', ['SET', '']],
    ['another type', ['LPUSH', 'x']],
  ])('reports a corrupt salt: %s', async (_, [command = '', value = '']) => {
    const redis = await startRedis()
    const store = await openStore(redis.url)
    await runCommand(redis.url, command, `millrace:salt:${utcDayText(DAY)}`, value)
    expect((await store.salt(DAY)).status).toBe('corrupt')
    expect((await store.salt(DAY, randomBytes(32))).status).toBe('corrupt')
  })

  it('sets the expiry of every key from its day', async () => {
    const redis = await startRedis()
    const store = await openStore(redis.url)
    await store.salt(DAY)
    await store.touchSessions(TOUCH)
    const keys = [`millrace:salt:${utcDayText(DAY)}`, `millrace:session:${DAY}:cookieless-x`]
    const ends = await Promise.all(keys.map(async (key) => await runCommand(redis.url, 'PEXPIRETIME', key)))
    expect(ends).toEqual([(DAY + 2) * DAY_MS, (DAY + 2) * DAY_MS])
    await store.takeTokens([{ key: 'k', used: 1, wanted: 0 }], { ratePerSecond: 1, burst: 2 })
    expect(await runCommand(redis.url, 'PTTL', 'millrace:tokens:k')).toBeGreaterThan(0)
  })

  it.each([
    [[], { status: 'off' }],
    [['--save', '60 1'], { status: 'on', snapshots: true, appendOnlyFile: false }],
    [['--appendonly', 'yes'], { status: 'on', snapshots: false, appendOnlyFile: true }],
    [['--rename-command', 'CONFIG', ''], { status: 'unknown' }],
  ])('reports persistence: %j', async (args, expected) => {
    const redis = await startRedis({ args })
    expect(await (await openStore(redis.url)).checkPersistence()).toMatchObject(expected)
  })

  it('uses the password and the database of the URL', async () => {
    const redis = await startRedis({ args: ['--requirepass', 'p@ss:word'] })
    const url = `redis://:${encodeURIComponent('p@ss:word')}@127.0.0.1:${redis.port}/3`
    const store = await openStore(url)
    expect((await store.salt(DAY)).status).toBe('ok')
    expect(await runCommand(url, 'DBSIZE')).toBe(1)
    expect(await runCommand(url.replace(/3$/, '0'), 'DBSIZE')).toBe(0)
  })

  it('never logs or returns the password', async () => {
    const redis = await startRedis({ args: ['--requirepass', 'right'] })
    const lines: string[] = []
    const sink = new PassThrough().on('data', (line) => lines.push(String(line)))
    const spy = createLogger({ role: 'test', level: 'silent' })
    spy.warn = (...args: unknown[]) => void sink.write(args.map((arg) => describeLogged(arg)).join(' '))
    const url = `redis://:wrong-secret@127.0.0.1:${redis.port}`
    const store = await openRedisStateStore({ url, clock, log: spy })
    cleanUps.push(async () => await store.close())
    const outcome = await store.salt(DAY)
    expect(lines.length).toBeGreaterThan(0)
    expect(`${lines.join('\n')} ${describeLogged(outcome)}`).not.toContain('wrong-secret')
    expect(outcome).toMatchObject({
      status: 'unavailable',
      cause: { message: expect.stringContaining('WRONGPASS') },
    })
  })

  it.each(['http://secret@x', 'secret', 'redis://:secret@x/name', 'redis://:secret@x:99999'])(
    'refuses the URL %s without repeating it',
    (url) => {
      const open = () => new RedisStateStore({ url, clock, log })
      expect(open).toThrow('the Redis URL is not')
      expect(open).not.toThrow('secret')
    },
  )
})

function describeLogged(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part instanceof Error ? { ...part, message: part.message, stack: part.stack } : part,
  )
}
