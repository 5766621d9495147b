import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DATABASE, readEngineEndpoint } from '../src/store/embedded/engine.ts'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { makePlausibleExport, totalsOf } from './harness/plausible-export.ts'
import { PRIVATE_KEY, runMillrace, TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const IDENTIFY = 'sdk.profiles.v1.ProfilesSDKService/Identify'
const CLIENTS = 4
const BATCH = 20

/** How the events of the load wait: all of them in the journal, or most of them in ClickHouse and some on their way. */
const IN_JOURNAL = { SERVICE_BATCH_MAX_MS: '60000', SERVICE_BATCH_MAX_ROWS: '1000000' }
const ON_THEIR_WAY = { SERVICE_BATCH_MAX_MS: '1500', SERVICE_BATCH_MAX_ROWS: '2000' }

/** Acknowledged before a backup began, and all that was sent until it was over. */
interface Ledger {
  readonly before: ReadonlySet<string>
  readonly sent: ReadonlySet<string>
}

const opened: TestService[] = []
let folder: string
let service: TestService
let restored: TestService
let ledger: Ledger
let people: readonly string[]

const IMPORTED = makePlausibleExport({ firstDay: '2025-03-20', lastDay: '2025-04-20', seed: 3 })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-backups-'))
  service = await start(IN_JOURNAL)
  const visit = { ...makeEvent({ cookieless: true }), distinctId: undefined, sessionId: undefined }
  await service.call(BATCH_CREATE, { events: [visit] }, { 'user-agent': 'Firefox/128.0' })
  people = await identifyPeople(service)
  const path = join(folder, 'shop_example_20250420.zip')
  writeFileSync(path, IMPORTED.zip)
  const words = ['import', 'plausible', path, '--key', PRIVATE_KEY]
  expect(await runMillrace(words, service.environment)).toMatchObject({ code: 0 })
  ledger = await backUpUnderLoad(service, join(folder, 'one'))
  await service.shutDown()
  restored = await startRestored(join(folder, 'one'))
})

afterAll(async () => {
  for (const one of opened) await one.destroy()
  rmSync(folder, { recursive: true, force: true })
})

test('events acknowledged but still in the journal when a backup begins are restored once', async () => {
  expect(await compare(restored, ledger)).toEqual({ lost: [], doubled: 0, foreign: 1 })
})

test('events delivered to ClickHouse during a backup are restored once', async () => {
  const busy = await start(ON_THEIR_WAY)
  const busyLedger = await backUpUnderLoad(busy, join(folder, 'busy'))
  await busy.shutDown()
  const again = await startRestored(join(folder, 'busy'))
  expect(await compare(again, busyLedger)).toEqual({ lost: [], doubled: 0, foreign: 0 })
})

test('the restored sessions and users match the events', async () => {
  const sessions = await ask(
    'SELECT uniqExact(session_id), (SELECT uniqExact(session_id) FROM sessions) FROM events',
  )
  const users = await ask(
    'SELECT uniqExact(distinct_id), (SELECT uniqExact(distinct_id) FROM users) FROM events WHERE NOT cookieless',
  )
  for (const counts of [sessions, users]) {
    const [ofEvents, ofView] = counts.split('\t')
    expect(ofView).toBe(ofEvents)
  }
})

test('profiles and keys are restored, and the service accepts events', async () => {
  const found = await waitFor('the people', async () => {
    const ids = (await ask('SELECT DISTINCT external_id FROM profiles ORDER BY external_id')).split('\n')
    return ids.length === people.length ? ids : undefined
  })
  expect(found).toEqual(people)
  const { status, body } = await restored.call(BATCH_CREATE, { events: [makeEvent()] })
  expect([status, body]).toEqual([200, { accepted: 1 }])
})

test('imported days are restored', async () => {
  const { body } = await restored.call('millrace.web.v1.WebAnalyticsService/QueryOverview', {
    timeRange: { from: '2025-03-20T00:00:00Z', to: '2025-04-21T00:00:00Z' },
    granularity: 'GRANULARITY_DAY',
  })
  expect(body.importedTotals).toMatchObject(totalsOf(IMPORTED))
})

test('a backup contains no salt and no visitor session', () => {
  expect(readdirSync(service.dataDir)).toContain('volatile')
  expect(readdirSync(join(folder, 'one')).sort()).toEqual([
    'backup.json',
    'catalog.sqlite',
    'clickhouse',
    'journal',
    'journal-identify',
    'jwt-secret',
    'quarantine',
    'quarantine-identify',
    'secret-key',
  ])
  expect(statSync(join(folder, 'one')).mode & 0o777).toBe(0o700)
})

test('backup and restore refuse a folder that is not empty', async () => {
  const again = await runMillrace(['backup', join(folder, 'one')], restored.environment)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('already exists and is not empty')])
  const into = await runMillrace(['restore', join(folder, 'one')], restored.environment)
  expect([into.code, into.stderr]).toEqual([1, expect.stringContaining('is not empty')])
})

test('a backup of a newer release and a folder without a backup are refused', async () => {
  const newer = join(folder, 'newer')
  mkdirSync(newer)
  const manifest = JSON.parse(readFileSync(join(folder, 'one', 'backup.json'), 'utf8'))
  writeFileSync(join(newer, 'backup.json'), JSON.stringify({ ...manifest, clickhouseSchema: 1_000_000 }))
  const empty = { ...restored.environment, SERVICE_DATA_DIR: join(folder, 'data') }
  const outcomes = [
    await runMillrace(['restore', newer], empty),
    await runMillrace(['restore', folder], empty),
  ]
  expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual([
    [1, expect.stringContaining('was made by a newer release')],
    [1, expect.stringContaining('is not a complete backup')],
  ])
})

test('an empty data folder is not backed up, and stays unchanged', async () => {
  const nothing = { ...restored.environment, SERVICE_DATA_DIR: join(folder, 'nothing') }
  const { code, stderr } = await runMillrace(['backup', join(folder, 'of-nothing')], nothing)
  expect([code, stderr]).toEqual([1, expect.stringContaining('has no data; set SERVICE_DATA_DIR')])
  expect(readdirSync(folder)).not.toContain('nothing')
})

test('a stopped service can be backed up', async () => {
  const { code, stderr } = await runMillrace(['backup', join(folder, 'stopped')], service.environment)
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  expect(readdirSync(join(folder, 'stopped'))).toContain('backup.json')
})

async function start(settings: Readonly<Record<string, string>>): Promise<TestService> {
  const one = await TestService.start(settings)
  opened.push(one)
  return one
}

async function startRestored(backup: string): Promise<TestService> {
  const one = await TestService.create()
  opened.push(one)
  const { code, stderr } = await runMillrace(['restore', backup], one.environment)
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  await one.launch()
  return one
}

async function compare(target: TestService, { before, sent }: Ledger) {
  const ids = await waitFor('what was acknowledged to be delivered', async () => {
    const stored = (await ask('SELECT toString(event_id) FROM events FINAL', target)).split('\n')
    const found = new Set(stored)
    return [...before].every((id) => found.has(id)) ? stored : undefined
  }).catch(async () => (await ask('SELECT toString(event_id) FROM events FINAL', target)).split('\n'))
  const found = new Set(ids)
  return {
    lost: [...before].filter((id) => !found.has(id)),
    doubled: ids.length - found.size,
    foreign: [...found].filter((id) => !sent.has(id)).length,
  }
}

async function backUpUnderLoad(target: TestService, to: string): Promise<Ledger> {
  const acknowledged = new Set<string>()
  const sent = new Set<string>()
  const state = { isOver: false }
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!state.isOver) {
      const events = Array.from({ length: BATCH }, (_, index) =>
        makeEvent({ distinctId: `user-${sent.size % 500}-${index}` }),
      )
      for (const { eventId } of events) sent.add(String(eventId))
      const { status } = await target.call(BATCH_CREATE, { events })
      if (status === 200) for (const { eventId } of events) acknowledged.add(String(eventId))
    }
  })
  await waitFor('some load', () => (acknowledged.size > 3000 ? true : undefined))
  const before = new Set(acknowledged)
  const { code, stderr } = await runMillrace(['backup', to], target.environment)
  state.isOver = true
  await Promise.all(clients)
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  return { before, sent }
}

async function identifyPeople(target: TestService): Promise<readonly string[]> {
  const ids = ['ada', 'bob', 'eve']
  for (const externalId of ids) {
    const { status } = await target.call(IDENTIFY, { externalId, traits: { plan: 'pro' } })
    expect(status).toBe(200)
  }
  return ids
}

async function ask(sql: string, target = restored): Promise<string> {
  const endpoint = readEngineEndpoint(target.dataDir)
  if (!endpoint) throw new Error('the store does not run')
  const response = await fetch(`${endpoint.url}/?database=${DATABASE}`, {
    method: 'POST',
    headers: { 'x-clickhouse-user': endpoint.admin.user, 'x-clickhouse-key': endpoint.admin.password },
    body: sql,
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.text()).trim()
}
