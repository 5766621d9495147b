import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../src/query/sql/sql.ts'
import { openClickHouse } from '../src/store/clickhouse/client.ts'
import { DATABASE, readEngineEndpoint } from '../src/store/embedded/engine.ts'
import { readSlice } from '../src/transfer/export/read-slice.ts'
import { BATCH_CREATE, type JsonEvent, makeEvent } from './harness/events.ts'
import { AMPLITUDE_EXPORT, MIXPANEL_EXPORT, POSTHOG_EXPORT, toLines } from './harness/foreign-exports.ts'
import { type Ended, runMillrace, TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const DAYS = 300
const DAY_MS = 86_400_000
const ENTRY = resolve(import.meta.dirname, '../src/bin/millrace.ts')

/** What breaks naive copies: every type of value at its edges, and text that formats must escape. */
const NASTY: readonly JsonEvent[] = [
  makeEvent({
    occurTime: '2024-02-29T23:59:59.999Z',
    distinctId: 'tab\there, "quotes", new\nline, back\\slash',
  }),
  makeEvent({
    occurTime: '1970-01-01T00:00:00Z',
    distinctId: '日本語 🦊 \u2028',
    autoProperties: {},
    customProperties: {},
  }),
  makeEvent({
    occurTime: '2105-12-31T23:59:59.999Z',
    autoProperties: {
      $pathname: { stringValue: '/a' },
      $hostname: { stringValue: 'shop.example' },
      $channel: { stringValue: 'Direct' },
      $url: { stringValue: 'https://shop.example/a?b="c"&d=\\e' },
      $title: { intValue: '-9223372036854775808' },
      $country: { stringValue: '' },
      $custom: { boolValue: false },
    },
    customProperties: {
      int: { intValue: '9223372036854775807' },
      exact: { intValue: '9007199254740993' },
      whole: { doubleValue: 1 },
      small: { doubleValue: 5e-324 },
      large: { doubleValue: 1.7976931348623157e308 },
      negativeZero: { doubleValue: -0 },
      third: { doubleValue: 0.3333333333333333 },
      yes: { boolValue: true },
      no: { boolValue: false },
      first: { timestampValue: '0001-01-01T00:00:00.000Z' },
      old: { timestampValue: '1899-12-31T23:59:59.999Z' },
      leap: { timestampValue: '2000-02-29T12:00:00.001Z' },
      far: { timestampValue: '2300-01-01T00:00:00.000Z' },
      last: { timestampValue: '9999-12-31T23:59:59.999Z' },
      empty: { stringValue: '' },
      text: { stringValue: 'comma, "quote", \n\r\t\u0001\\ 🦊 <&>' },
      'key "with", all\n🦊': { stringValue: '__proto__' },
      ['__proto__']: { stringValue: 'x' },
    },
  }),
]

let service: TestService
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-transfer-'))
  service = await TestService.start()
})

afterAll(async () => {
  await service?.destroy()
  rmSync(folder, { recursive: true, force: true })
})

test('an export has every event once, as it was sent', async () => {
  const project = await createProject('Nasty')
  await send(project.key, NASTY)
  await send(project.key, NASTY)
  await untilStored(project.id, NASTY.length)
  const events = parseLines(await exported(project.id, 'jsonl'))
  expect(byId(events)).toEqual(byId(NASTY.map(canonical)))
})

test('an export that was killed goes on and has the bytes of one that was not', async () => {
  const project = await createProject('Long')
  const start = Date.UTC(2025, 0, 1)
  const events = Array.from({ length: DAYS }, (_, day) =>
    makeEvent({ occurTime: new Date(start + day * DAY_MS).toISOString(), distinctId: `user-${day}` }),
  )
  await send(project.key, events)
  await untilStored(project.id, DAYS)
  const whole = await exported(project.id, 'jsonl')
  const out = join(folder, 'killed.jsonl.gz')
  const words = ['export', '--project', project.id, '--out', out, '--slice-rows', '1']
  const child = launch(words)
  await waitFor('some slices', () =>
    JSON.parse(readFileSync(`${out}.progress`, 'utf8')).slicesDone >= 3 ? true : undefined,
  )
  child.kill('SIGKILL')
  await once(child, 'close')
  expect(child.signalCode).toBe('SIGKILL')
  const again = await millrace(words)
  expect(again.stderr).toContain('is there already')
  const { code } = await millrace([...words, '--resume'])
  expect(code).toBe(0)
  expect(gunzipSync(readFileSync(out)).toString('utf8')).toBe(whole)
  expect(() => readFileSync(`${out}.progress`)).toThrow('ENOENT')
})

test('an export has the range and the kinds that were asked for', async () => {
  const project = await createProject('Ranges')
  await send(project.key, [
    makeEvent({ kind: 'a', occurTime: '2026-01-01T23:59:59.999Z' }),
    makeEvent({ kind: 'b', occurTime: '2026-01-02T00:00:00Z' }),
    makeEvent({ kind: 'c', occurTime: '2026-01-02T12:00:00Z' }),
    makeEvent({ kind: 'd', occurTime: '2026-01-03T00:00:00Z' }),
  ])
  await untilStored(project.id, 4)
  const range = ['--from', '2026-01-02', '--to', '2026-01-03T00:00:00Z']
  expect(parseLines(await exported(project.id, 'jsonl', range)).map(({ kind }) => kind)).toEqual(['b', 'c'])
  const one = await exported(project.id, 'jsonl', [...range, '--kinds', 'c,d'])
  expect(parseLines(one).map(({ kind }) => kind)).toEqual(['c'])
})

test('a Parquet export is a whole Parquet file', async () => {
  const project = await createProject('Columns')
  await send(project.key, NASTY)
  await untilStored(project.id, NASTY.length)
  const out = join(folder, 'events.parquet')
  const { code } = await millrace(['export', '--project', project.id, '--format', 'parquet', '--out', out])
  const bytes = readFileSync(out)
  expect([code, bytes.toString('latin1', 0, 4), bytes.toString('latin1', bytes.length - 4)]).toEqual([
    0,
    'PAR1',
    'PAR1',
  ])
})

test.each(['jsonl', 'csv'])(
  'events that went out and in again go out as the same bytes: %s',
  async (format) => {
    const [from, to] = [await createProject(`From ${format}`), await createProject(`To ${format}`)]
    await send(from.key, NASTY)
    await untilStored(from.id, NASTY.length)
    const first = await exported(from.id, format)
    const file = join(folder, `round-trip.${format}`)
    writeFileSync(file, first)
    const { code, stdout } = await millrace(['import', file, '--project', to.id, '--key', to.key])
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`${NASTY.length} read, ${NASTY.length} taken, 0 rejected`),
    ])
    await untilStored(to.id, NASTY.length)
    expect(sortLines(await exported(to.id, format))).toBe(sortLines(first))
  },
)

test.each([
  ['posthog', POSTHOG_EXPORT, { events: 2, rejected: 1, people: ['user-7'] }],
  ['mixpanel', MIXPANEL_EXPORT, { events: 2, rejected: 1, people: ['user-8'] }],
  ['amplitude', AMPLITUDE_EXPORT, { events: 2, rejected: 1, people: ['user-9'] }],
] as const)('an export of %s comes in once, however often', async (format, records, expected) => {
  const project = await createProject(`Of ${format}`)
  const file = join(folder, `${format}.gz`)
  writeFileSync(file, gzipSync(toLines(records)))
  const dry = await millrace(['import', file, '--dry-run'])
  expect([dry.code, dry.stdout]).toEqual([
    1,
    expect.stringContaining(`${expected.events} taken, ${expected.rejected} rejected`),
  ])
  const words = ['import', file, '--project', project.id, '--key', project.key]
  const [once_, twice] = [await millrace(words), await millrace(words)]
  expect([once_.code, once_.stdout]).toEqual([twice.code, twice.stdout])
  await untilStored(project.id, expected.events)
  const rejected = readFileSync(`${file}.rejected.jsonl`, 'utf8')
  expect(JSON.parse(rejected)).toMatchObject({ line: records.length, record: JSON.stringify(records.at(-1)) })
  await waitFor('the people', async () => {
    const people = await askStore(`SELECT DISTINCT external_id FROM profiles WHERE project = ${project.id}`)
    return people === expected.people.join('\n') ? true : undefined
  })
  const users = await askStore(
    `SELECT uniqExact(dictGetOrDefault(identities, 'user_hash', user_hash, user_hash)) FROM events FINAL WHERE project = ${project.id}`,
  )
  expect(Number(users)).toBeLessThanOrEqual(2)
})

test('files that are written for the operator are as open as the operator wants', async () => {
  const project = await createProject('Open')
  const out = join(folder, 'open.jsonl')
  const bad = join(folder, 'bad.jsonl')
  writeFileSync(bad, '{}\n')
  const empty = join(folder, 'empty')
  const before = process.umask(0o027)
  await millrace(['export', '--project', project.id, '--out', out])
  await millrace(['import', bad, '--format', 'jsonl', '--project', project.id, '--key', project.key])
  await runMillrace(['export'], { SERVICE_DATA_DIR: empty })
  process.umask(before)
  expect([out, `${bad}.rejected.jsonl`].map(modeOf)).toEqual([0o640, 0o640])
  expect([empty, join(empty, 'catalog.sqlite')].map(modeOf)).toEqual([0o700, 0o600])
})

test('an import that was killed goes on, and every event is there once', async () => {
  const project = await createProject('Killed import')
  const count = 60_000
  const file = join(folder, 'large.jsonl')
  const lines = Array.from({ length: count }, (_, index) =>
    index % 20_000 === 7
      ? { kind: 'not a kind' }
      : makeEvent({ customProperties: { index: { intValue: String(index) } } }),
  )
  writeFileSync(file, toLines(lines))
  const words = ['import', file, '--project', project.id, '--key', project.key]
  const child = launch(words)
  await waitFor('some records', () =>
    JSON.parse(readFileSync(`${file}.progress`, 'utf8')).read > 0 ? true : undefined,
  )
  child.kill('SIGKILL')
  await once(child, 'close')
  expect(child.signalCode).toBe('SIGKILL')
  const { code, stdout } = await millrace([...words, '--resume'])
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining(`${count} read, ${count - 3} taken, 3 rejected`),
  ])
  await untilStored(project.id, count - 3)
  expect(
    readFileSync(`${file}.rejected.jsonl`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).line),
  ).toEqual([8, 20_008, 40_008])
})

test('a key of another project is refused before anything is read', async () => {
  const project = await createProject('Other')
  const { code, stderr } = await millrace(['import', 'no-such-file', '--project', project.id])
  expect([code, stderr]).toEqual([1, expect.stringContaining('the key is not of project Other')])
})

test('made-up traffic of the past is there once, however often it is sent', async () => {
  const project = await createProject('Generated')
  const words = [
    'generate',
    '--seed',
    '7',
    '--events',
    '3000',
    '--users',
    '200',
    '--days',
    '10',
    '--until',
    '2026-03-01',
  ]
  const [one, two] = [
    await millrace([...words, '--key', project.key]),
    await millrace([...words, '--key', project.key]),
  ]
  expect([one.code, one.stdout, two.stdout]).toEqual([0, '3000 events of 200 users are sent\n', one.stdout])
  await untilStored(project.id, 3000)
  expect(
    Number(await askStore(`SELECT count() FROM profiles FINAL WHERE project = ${project.id}`)),
  ).toBeGreaterThan(0)
})

test('made-up traffic from now on comes at its rate', async () => {
  const project = await createProject('Live')
  const words = ['generate', '--rate', '100', '--for', '2s', '--users', '20', '--key', project.key]
  expect(await millrace(words)).toMatchObject({ code: 0, stdout: '200 events of 20 users are sent\n' })
  await untilStored(project.id, 200)
  const spread = await askStore(
    `SELECT date_diff('ms', min(time), max(time)) FROM events WHERE project = ${project.id}`,
  )
  expect(Number(spread)).toBe(1990)
})

test('an export whose query fails on the way does not end as if it were whole', async () => {
  const endpoint = readEngineEndpoint(service.dataDir)
  if (!endpoint) throw new Error('the store does not run')
  const { user: username, password } = endpoint.reader
  const clickhouse = openClickHouse(
    { url: endpoint.url, username, password, database: DATABASE },
    { application: 'test', connectionsMax: 1, requestTimeoutMs: 30_000 },
  )
  const failing = sql`SELECT toString(throwIf(number = 20000000)) FROM numbers(30000000) FORMAT TSVRaw`
  const signal = new AbortController().signal
  let bytes = 0
  const readAll = async (): Promise<void> => {
    for await (const chunk of await readSlice(clickhouse, failing, signal)) bytes += chunk.length
  }
  await expect(readAll()).rejects.toThrow()
  expect(bytes).toBeGreaterThan(0)
  await clickhouse.close()
})

interface Project {
  readonly id: string
  readonly key: string
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}

async function createProject(name: string): Promise<Project> {
  const id = (await millrace(['projects', 'create', name])).stdout.trim()
  const key = (await millrace(['keys', 'create', id, 'private'])).stdout.trim()
  return { id, key }
}

async function millrace(
  words: readonly string[],
  extra: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return await runMillrace(words, { ...service.environment, ...extra })
}

function launch(words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [ENTRY, ...words], {
    env: { PATH: process.env.PATH ?? '', ...service.environment },
    stdio: 'ignore',
  })
}

async function send(key: string, events: readonly JsonEvent[]): Promise<void> {
  // JSON.stringify knows no negative zero.
  const text = JSON.stringify({ events }).replaceAll('"doubleValue":0}', '"doubleValue":-0}')
  const { status, body } = await service.call(BATCH_CREATE, text, { 'x-api-key': key })
  expect([status, body]).toEqual([200, { accepted: events.length }])
}

async function exported(project: string, format: string, more: readonly string[] = []): Promise<string> {
  const { code, stdout, stderr } = await millrace([
    'export',
    '--project',
    project,
    '--format',
    format,
    ...more,
  ])
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  return stdout
}

function parseLines(text: string): JsonEvent[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** Within a day an export goes by the hashes of users, which differ from project to project. */
function sortLines(text: string): string {
  return text.split('\n').sort().join('\n')
}

function byId(events: readonly JsonEvent[]): Record<string, JsonEvent> {
  return Object.fromEntries(events.map((event) => [String(event.eventId), event]))
}

/** An event as an export writes it: what enrichment adds is not compared here. */
function canonical(event: JsonEvent): JsonEvent {
  return {
    autoProperties: {},
    customProperties: {},
    ...event,
    occurTime: new Date(String(event.occurTime)).toISOString(),
  }
}

async function untilStored(project: string, count: number): Promise<void> {
  await waitFor(`${count} events of project ${project}`, async () =>
    (await countStored(project)) === count ? true : undefined,
  )
}

async function countStored(project: string): Promise<number> {
  return Number(await askStore(`SELECT count() FROM events FINAL WHERE project = ${project}`))
}

async function askStore(sql: string): Promise<string> {
  const endpoint = readEngineEndpoint(service.dataDir)
  if (!endpoint) throw new Error('the store does not run')
  const response = await fetch(`${endpoint.url}/?database=${DATABASE}`, {
    method: 'POST',
    headers: { 'x-clickhouse-user': endpoint.admin.user, 'x-clickhouse-key': endpoint.admin.password },
    body: sql,
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.text()).trim()
}
