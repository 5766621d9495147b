import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { waitFor } from '../../../test/harness/wait.ts'
import { createLogger } from '../../kernel/log.ts'
import { EmbeddedStateStore } from './embedded-state-store.ts'
import type { StateStore } from './state-store.ts'
import { DAY_MS, dayExpiryMs, utcDayText } from './utc-day.ts'
import { openVolatileFolder } from './volatile-folder.ts'

const log = createLogger({ role: 'test', level: 'silent' })
const DAY = 60_000
const clock = { ms: DAY * DAY_MS, nowMs: () => clock.ms }

let dataDir: string
let stores: StateStore[]

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'millrace-state-'))
  stores = []
  clock.ms = DAY * DAY_MS
})

afterEach(async () => {
  for (const store of stores) await store.close()
  rmSync(dataDir, { recursive: true })
})

function openStore(options: { sessionBytesMax?: number } = {}): EmbeddedStateStore {
  const store = new EmbeddedStateStore({ dataDir, clock, log, ...options })
  stores.push(store)
  return store
}

const touchOf = (id: string, day = DAY) => ({ id: `cookieless-${id}`, day, timesMs: [day * DAY_MS] })
const saltPath = (day = DAY) => join(dataDir, 'volatile', 'salts', utcDayText(day))

describe('the embedded state store', () => {
  it('marks its folder as excluded from backups, readable by its owner only', () => {
    openStore()
    expect(readFileSync(join(dataDir, 'volatile', 'CACHEDIR.TAG'), 'utf8')).toMatch(
      /^Signature: 8a477f597d28d172789f06886806bc55\n/,
    )
    expect(statSync(join(dataDir, 'volatile', 'salts')).mode & 0o777).toBe(0o700)
  })

  it('keeps salts and sessions when it is opened again', async () => {
    const first = openStore()
    const before = [await first.salt(DAY), await first.touchSessions([touchOf('a')])]
    await first.close()
    const second = openStore()
    expect([await second.salt(DAY), await second.touchSessions([touchOf('a')])]).toEqual(before)
    expect(statSync(saltPath()).mode & 0o777).toBe(0o600)
  })

  it('keeps salts, and nothing else, after the machine crashed', async () => {
    const first = openStore()
    const before = await first.salt(DAY)
    await first.close()
    const state = readdirSync(join(dataDir, 'volatile')).filter((name) => name.startsWith('state-'))
    const next = openVolatileFolder(dataDir, 'another-boot')
    expect(state.length).toBe(1)
    expect(readdirSync(join(dataDir, 'volatile')).filter((name) => state.includes(name))).toEqual([])
    expect(next.statePath).toContain('state-another-boot')
    expect(await openStore().salt(DAY)).toEqual(before)
  })

  it.each([
    ['cut', () => truncateSync(saltPath(), 20)],
    ['empty', () => truncateSync(saltPath(), 0)],
    ['another day’s', () => writeFileSync(saltPath(), readFileSync(saltPath(DAY - 1)))],
    [
      'a flipped bit',
      () =>
        writeFileSync(
          saltPath(),
          readFileSync(saltPath()).map((byte, at) => (at === 9 ? byte ^ 1 : byte)),
        ),
    ],
  ])('reports a corrupt salt and keeps it: %s', async (_, damage) => {
    const store = openStore()
    await store.salt(DAY - 1)
    await store.salt(DAY)
    damage()
    expect(await store.salt(DAY)).toEqual({ status: 'corrupt' })
    expect(await openStore().salt(DAY, new Uint8Array(32))).toEqual({ status: 'corrupt' })
    clock.ms = dayExpiryMs(DAY)
    expect(await store.salt(DAY)).toEqual({ status: 'expired' })
  })

  it('reports an unreadable salt', async () => {
    const store = openStore()
    rmSync(join(dataDir, 'volatile', 'salts'), { recursive: true })
    expect(await store.salt(DAY)).toMatchObject({ status: 'unavailable' })
  })

  it('removes expired data at 00:00 UTC of day + 2 and not before', async () => {
    const store = openStore()
    await store.salt(DAY)
    writeFileSync(`${saltPath()}.left-by-a-crash`, 'x')
    const before = await store.touchSessions([touchOf('a')])
    clock.ms = dayExpiryMs(DAY) - 1
    store.sweep()
    expect(await store.touchSessions([touchOf('a')])).toEqual(before)
    expect(readdirSync(join(dataDir, 'volatile', 'salts')).length).toBe(2)
    clock.ms = dayExpiryMs(DAY)
    store.sweep()
    expect(readdirSync(join(dataDir, 'volatile', 'salts'))).toEqual([])
    clock.ms = DAY * DAY_MS
    expect(await store.touchSessions([touchOf('a')])).not.toEqual(before)
  })

  it('removes expired sessions in bounded batches, and eventually all of them', async () => {
    const store = openStore({ sessionBytesMax: 400_000 })
    const crowd = (day: number) => Array.from({ length: 2500 }, (_, index) => touchOf(String(index), day))
    await store.touchSessions(crowd(DAY))
    const next = touchOf('new', DAY + 2)
    clock.ms = dayExpiryMs(DAY)
    const statuses = async () => {
      const outcome = await store.touchSessions(crowd(DAY + 2))
      return outcome.status === 'ok' ? outcome.visitors.map(({ status }) => status) : []
    }
    const isFull = (await statuses()).includes('full')
    store.sweep()
    store.sweep()
    expect(isFull).toBe(true)
    expect(await statuses()).not.toContain('full')
    expect(await store.touchSessions([next])).toMatchObject({ status: 'ok' })
  })

  it('rejects new visitors at its limit, and continues to serve known ones', async () => {
    const store = openStore({ sessionBytesMax: 100_000 })
    const known = await store.touchSessions([touchOf('known')])
    const full = { status: 'ok', visitors: [{ status: 'full' }] }
    let crowds = 0
    await waitFor('the bound', async () => {
      const crowd = Array.from({ length: 500 }, (_, index) => touchOf(`${crowds} ${index}`))
      await store.touchSessions(crowd)
      crowds++
      return isDeepStrictEqual(await store.touchSessions([touchOf(`new ${crowds}`)]), full) ? true : undefined
    })
    expect(crowds).toBeLessThan(10)
    expect(await store.touchSessions([touchOf('known')])).toEqual(known)
  })

  // Each racer makes the day's salt and touches one visitor a hundred times.
  const racer = `
    const { EmbeddedStateStore } = await import(${JSON.stringify(import.meta.resolve('./embedded-state-store.ts'))})
    const race = async (dataDir) => {
      const nowMs = ${DAY * DAY_MS}
      const store = new EmbeddedStateStore({ dataDir, clock: { nowMs: () => nowMs }, log: { error() {} } })
      const { salt } = await store.salt(${DAY})
      const sessions = new Set()
      for (let round = 0; round < 100; round++) {
        const timesMs = [nowMs + round * 1000, nowMs + (round + 100) * 1000]
        const { visitors } = await store.touchSessions([{ id: 'raced', day: ${DAY}, timesMs }])
        for (const id of visitors[0].ids) sessions.add(id)
      }
      await store.close()
      return { salt: Buffer.from(salt).toString('hex'), sessions: [...sessions] }
    }`
  const runProcess = async () => {
    const code = `${racer}; process.stdout.write(JSON.stringify(await race(${JSON.stringify(dataDir)})))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
    return JSON.parse(stdout)
  }
  const runThread = async () => {
    const code = `import('node:worker_threads').then(async ({ parentPort }) => { ${racer}; parentPort.postMessage(await race(${JSON.stringify(dataDir)})) })`
    const worker = new Worker(code, { eval: true })
    return await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  }

  it('keeps working after a process is killed during a call', async () => {
    const store = openStore()
    for (let round = 0; round < 5; round++) {
      const code = `${racer}; process.stdout.write('.'); for (;;) await race(${JSON.stringify(dataDir)})`
      const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      try {
        await once(child.stdout, 'data')
        await waitFor('the child’s writes', () => (existsSync(saltPath()) ? true : undefined))
      } finally {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      expect((await store.touchSessions([touchOf('a')])).status).toBe('ok')
    }
  })

  it('gives concurrent processes and threads one salt, one session and each token once', async () => {
    const racers = [...Array.from({ length: 5 }, runProcess), ...Array.from({ length: 4 }, runThread)]
    const results = await Promise.all(racers)
    expect(new Set(results.map(({ salt }) => salt)).size).toBe(1)
    expect(new Set(results.flatMap(({ sessions }) => sessions)).size).toBe(1)
    expect(readdirSync(join(dataDir, 'volatile', 'salts'))).toEqual([utcDayText(DAY)])
  })
})
