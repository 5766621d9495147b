import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../src/query/sql/sql.ts'
import { openClickHouse } from '../src/store/clickhouse/client.ts'
import { DATABASE, readEngineEndpoint } from '../src/store/embedded/engine.ts'
import { readSlice } from '../src/transfer/export/read-slice.ts'
import { BATCH_CREATE, type JsonEvent, makeEvent } from './harness/events.ts'
import {
  AMPLITUDE_EXPORT,
  GA4_EXPORT,
  MIXPANEL_EXPORT,
  POSTHOG_EXPORT,
  SIGN_IN_EXPORTS,
  toLines,
  toPosthogAnswer,
  UMAMI_EXPORT,
} from './harness/foreign-exports.ts'
import { ga4Lines, umamiDataLines, umamiLines } from './harness/large-exports.ts'
import { createProject, type NewProject } from './harness/new-project.ts'
import { type Ended, runMillrace, TestService } from './harness/service.ts'
import { findServiceEntry } from './harness/service-entry.ts'
import { isScaledOut } from './harness/topology.ts'
import { waitFor } from './harness/wait.ts'
import { makeZip } from './harness/zip.ts'

const DAYS = 60

/** Three processes start again, and the import waits for them. */
const RESTART_MS_MAX = 120_000
const DAY_MS = 86_400_000

/** Values that break naive copies: every type at its edges, and text that formats must escape. */
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

/** Formats whose imports are killed: the name, a file of so many events, and the people in it. */
const KILLED_FORMATS: readonly (readonly [string, (count: number) => Buffer, { readonly people: number }])[] =
  [
    ['ga4', (count) => gzipSync([...ga4Lines(count)].join('\n')), { people: 250 }],
    [
      'umami',
      (count) =>
        makeZip({
          'website_event.csv': Buffer.from([...umamiLines(count)].join('\r\n')),
          'event_data.csv': Buffer.from([...umamiDataLines(count, 10)].join('\r\n')),
        }),
      { people: 0 },
    ],
  ]

/** How many of them are killed. */
const KILLED_MAX = Number(process.env.MILLRACE_TEST_KILLED_IMPORTS ?? KILLED_FORMATS.length)

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
  const project = await createProject(service, 'Nasty')
  await send(project.key, NASTY)
  await send(project.key, NASTY)
  await untilStored(project.id, NASTY.length)
  const events = parseLines(await exported(project.id, 'jsonl'))
  expect(byId(events)).toEqual(byId(NASTY.map(canonical)))
})

test('a killed export resumes and has the bytes of an undisturbed one', async () => {
  const project = await createProject(service, 'Long')
  const start = Date.UTC(2025, 0, 1)
  const events = Array.from({ length: DAYS }, (_, day) =>
    makeEvent({ occurTime: new Date(start + day * DAY_MS).toISOString(), distinctId: `user-${day}` }),
  )
  await send(project.key, events)
  await untilStored(project.id, DAYS)
  const whole = await exported(project.id, 'jsonl')
  const out = join(folder, 'killed.jsonl.gz')
  const words = ['export', '--project', project.id, '--out', out, '--slice-rows', '1']
  const child = await launch(words)
  await waitFor('some slices', () =>
    JSON.parse(readFileSync(`${out}.progress`, 'utf8')).slicesDone >= 3 ? true : undefined,
  )
  child.kill('SIGKILL')
  await once(child, 'close')
  expect(child.signalCode).toBe('SIGKILL')
  const again = await millrace(words)
  expect(again.stderr).toContain('already exists')
  const { code } = await millrace([...words, '--resume'])
  expect(code).toBe(0)
  expect(gunzipSync(readFileSync(out)).toString('utf8')).toBe(whole)
  expect(() => readFileSync(`${out}.progress`)).toThrow('ENOENT')
})

test('an export has the range and the kinds that were asked for', async () => {
  const project = await createProject(service, 'Ranges')
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
  const project = await createProject(service, 'Columns')
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
    const [from, to] = [
      await createProject(service, `From ${format}`),
      await createProject(service, `To ${format}`),
    ]
    await send(from.key, NASTY)
    await untilStored(from.id, NASTY.length)
    const first = await exported(from.id, format)
    const file = join(folder, `round-trip.${format}`)
    writeFileSync(file, first)
    const { code, stdout } = await millrace(['import', file, '--project', to.id, '--key', to.key])
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`${NASTY.length} read, ${NASTY.length} accepted, 0 rejected`),
    ])
    await untilStored(to.id, NASTY.length)
    expect(await exported(to.id, format)).toBe(first)
  },
)

test('an export is in the order of day, kind, user and time in every project', async () => {
  const [from, to] = [await createProject(service, 'Sorted'), await createProject(service, 'Sorted again')]
  const start = Date.UTC(2025, 5, 1)
  const events = Array.from({ length: 200 }, (_, index) =>
    makeEvent({
      kind: index % 3 === 0 ? 'a' : 'b',
      occurTime: new Date(start + (index % 2) * DAY_MS + ((index * 7919) % 86_400) * 1000).toISOString(),
      distinctId: `user-${(index * 31) % 17}`,
    }),
  )
  await send(from.key, events)
  await untilStored(from.id, events.length)
  const first = await exported(from.id, 'jsonl')
  const keys = parseLines(first).map(({ kind, distinctId, occurTime }) =>
    [String(occurTime).slice(0, 10), kind, distinctId, occurTime].join(' '),
  )
  expect(keys).toEqual([...keys].sort())
  const file = join(folder, 'sorted.jsonl')
  writeFileSync(file, first)
  await millrace(['import', file, '--project', to.id, '--key', to.key])
  await untilStored(to.id, events.length)
  expect(await exported(to.id, 'jsonl')).toBe(first)
})

test.each([
  ['posthog', POSTHOG_EXPORT, { events: 2, rejected: 1, people: ['user-7'] }],
  ['mixpanel', MIXPANEL_EXPORT, { events: 2, rejected: 1, people: ['user-8'] }],
  ['amplitude', AMPLITUDE_EXPORT, { events: 2, rejected: 1, people: ['user-9'] }],
  ['ga4', GA4_EXPORT, { events: 2, rejected: 1, people: ['user-10'] }],
] as const)('an export of %s comes in once, however often', async (format, records, expected) => {
  const project = await createProject(service, `Of ${format}`)
  const file = join(folder, `${format}.gz`)
  writeFileSync(file, gzipSync(toLines(records)))
  const dry = await millrace(['import', file, '--dry-run'])
  expect([dry.code, dry.stdout]).toEqual([
    1,
    expect.stringContaining(`${expected.events} accepted, ${expected.rejected} rejected`),
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

test.each(Object.entries(SIGN_IN_EXPORTS))(
  '%s: the visit in which somebody signs in is one session, and no bounce',
  async (name, records) => {
    const project = await createProject(service, `Visit of ${name}`)
    const file = join(folder, `visit of ${name}.json`)
    writeFileSync(file, JSON.stringify(records))
    const { code, stderr } = await millrace(['import', file, '--project', project.id, '--key', project.key])
    expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
    await untilStored(project.id, 4)
    expect(await sessionMetricsOf(project)).toEqual({ sessions: 1, bounceRate: 0 })
  },
)

test('an archive of Umami comes in once, with the data of its events', async () => {
  const project = await createProject(service, 'Of umami')
  const file = join(folder, 'umami.zip')
  const files = Object.entries(UMAMI_EXPORT).map(([name, text]) => [name, Buffer.from(text)])
  writeFileSync(file, makeZip(Object.fromEntries(files)))
  const words = ['import', file, '--project', project.id, '--key', project.key]
  const outcomes = [await millrace(words), await millrace(words)]
  expect(outcomes.map(({ code, stdout }) => [code, stdout.split('\n')[0]])).toEqual([
    [1, `${file}: 5 read, 2 accepted, 1 rejected`],
    [1, `${file}: 5 read, 2 accepted, 1 rejected`],
  ])
  const rejected = JSON.parse(readFileSync(`${file}.rejected.jsonl`, 'utf8'))
  expect(rejected).toMatchObject({ entry: 'website_event.csv', line: 4, record: 'w,s,v,e,too short' })
  await untilStored(project.id, 2)
  expect(parseLines(await exported(project.id, 'jsonl'))).toMatchObject([
    { kind: 'Sign..20_22.Up..22.', distinctId: 'ann', customProperties: { seats: { intValue: '3' } } },
    { kind: 'page_view', autoProperties: { $browser: { stringValue: 'Chrome' } } },
  ])
})

test('a Parquet file of PostHog is imported in every compression', async () => {
  const project = await createProject(service, 'Parquet')
  const file = join(folder, 'posthog.parquet')
  const rows = POSTHOG_EXPORT.slice(0, 3).map((record) => {
    const { properties, ...others } = record as { readonly properties: object }
    return { ...others, properties: JSON.stringify(properties) }
  })
  const words = ['import', file, '--project', project.id, '--key', project.key]
  const summary = expect.stringContaining('3 read, 2 accepted, 0 rejected')
  for (const method of ['none', 'snappy', 'gzip', 'brotli', 'zstd']) {
    writeFileSync(file, await makeParquet(rows, method))
    const { code, stdout, stderr } = await millrace([...words, '--dry-run'])
    expect([method, code, stdout, code === 0 ? '' : stderr]).toEqual([method, 0, summary, ''])
  }
  expect(await millrace(words)).toMatchObject({ code: 0, stdout: summary })
  await untilStored(project.id, 2)
  expect(parseLines(await exported(project.id, 'jsonl'))).toMatchObject([
    { kind: 'Order.._Completed..21.', occurTime: '2024-05-02T08:05:00.500Z', distinctId: 'user-7' },
    { kind: 'page_view', occurTime: '2024-05-02T10:00:00.123Z' },
  ])
  writeFileSync(file, await makeParquet(rows, 'lz4'))
  const { code, stderr } = await millrace([...words, '--dry-run'])
  expect([code, stderr]).toEqual([1, expect.stringContaining('LZ4')])
})

test('a page of the PostHog API is the events of an export, and its next page is asked for', async () => {
  const project = await createProject(service, 'API of posthog')
  const [exportFile, answerFile] = [join(folder, 'export.jsonl.br'), join(folder, 'answer.json')]
  writeFileSync(exportFile, brotliCompressSync(toLines(POSTHOG_EXPORT)))
  writeFileSync(
    answerFile,
    JSON.stringify(toPosthogAnswer('https://eu.posthog.com/api/x?token=secret'), null, 2),
  )
  const words = ['--project', project.id, '--key', project.key]
  const [one, two] = [
    await millrace(['import', exportFile, ...words]),
    await millrace(['import', answerFile, ...words]),
  ]
  const summary = expect.stringContaining('4 read, 2 accepted, 1 rejected')
  expect([one.stdout, two.stdout]).toEqual([summary, summary])
  expect([two.stderr.includes('has a next page'), two.stderr.includes('secret')]).toEqual([true, false])
  await untilStored(project.id, 2)
})

test('an old export of Mixpanel is read in the time zone of its project', async () => {
  const project = await createProject(service, 'Zone')
  const file = join(folder, 'zone.jsonl')
  writeFileSync(file, toLines(MIXPANEL_EXPORT.slice(0, 1)))
  const words = ['import', file, '--project', project.id, '--key', project.key, '--time-zone']
  const wrong = await millrace([...words, 'Europe/Atlantis'])
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('a name such as Europe/Berlin')])
  await millrace([...words, 'America/Los_Angeles'])
  await untilStored(project.id, 1)
  expect(parseLines(await exported(project.id, 'jsonl'))).toMatchObject([
    { occurTime: '2024-05-02T17:00:00.000Z' },
  ])
})

test('a file that cannot be read stops an import before anything is sent, without advice to resume', async () => {
  const project = await createProject(service, 'Missing')
  const file = join(folder, 'present.jsonl')
  writeFileSync(file, toLines([makeEvent({})]))
  const words = ['--project', project.id, '--key', project.key]
  const outcomes = await Promise.all(
    [join(folder, 'no-such-file'), folder].map(
      async (path) => await millrace(['import', file, path, ...words]),
    ),
  )
  expect(outcomes.map(({ code, stdout }) => [code, stdout])).toEqual([
    [1, ''],
    [1, ''],
  ])
  expect(outcomes.map(({ stderr }) => stderr.trim())).toEqual([
    `millrace: there is no file ${join(folder, 'no-such-file')}`,
    `millrace: ${folder} is not a regular file; for a pipe use -, standard input`,
  ])
  writeFileSync(file, 'BZh91AY')
  const unreadable = await millrace(['import', file, ...words])
  expect([unreadable.code, unreadable.stderr]).toEqual([1, expect.stringContaining('bzip2 -d <file>')])
  expect(unreadable.stderr).not.toContain('--resume')
})

test('files that are written for the operator are as open as the operator wants', async () => {
  const project = await createProject(service, 'Open')
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

test('a killed import resumes, and every event is stored once', async () => {
  const project = await createProject(service, 'Killed import')
  const count = 60_000
  const file = join(folder, 'large.jsonl')
  const lines = Array.from({ length: count }, (_, index) =>
    index % 20_000 === 7
      ? { kind: 'not a kind' }
      : makeEvent({ customProperties: { index: { intValue: String(index) } } }),
  )
  writeFileSync(file, toLines(lines))
  const words = ['import', file, '--project', project.id, '--key', project.key]
  const child = await launch(words)
  await waitFor('some records', () =>
    JSON.parse(readFileSync(`${file}.progress`, 'utf8')).read > 0 ? true : undefined,
  )
  child.kill('SIGKILL')
  await once(child, 'close')
  expect(child.signalCode).toBe('SIGKILL')
  const { code, stdout } = await millrace([...words, '--resume'])
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining(`${count} read, ${count - 3} accepted, 3 rejected`),
  ])
  await untilStored(project.id, count - 3)
  expect(
    readFileSync(`${file}.rejected.jsonl`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).line),
  ).toEqual([8, 20_008, 40_008])
})

test.each(KILLED_FORMATS.slice(0, KILLED_MAX))(
  'an import of %s that is killed, and a service whose processes are killed under the next one, store every event once',
  async (format, makeFile, { people }) => {
    const project = await createProject(service, `Killed ${format}`)
    const count = 16_000
    const file = join(folder, `killed.${format}`)
    writeFileSync(file, makeFile(count))
    const words = ['import', file, '--key', project.key]
    const child = await launch(words)
    const untilSome = async (): Promise<void> => {
      await waitFor('some records', () => {
        const { read } = JSON.parse(readFileSync(`${file}.progress`, 'utf8'))
        return read > 0 ? true : undefined
      })
    }
    await untilSome()
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(child.signalCode).toBe('SIGKILL')
    rmSync(`${file}.progress`)
    const again = millrace(words)
    await untilSome()
    for (const role of isScaledOut() ? (['edge', 'query'] as const) : (['store', 'query', 'edge'] as const))
      process.kill(service.pid(role), 'SIGKILL')
    expect(await again).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${count} accepted, 0 rejected`),
    })
    await untilStored(project.id, count)
    const sql = (what: string) => `SELECT ${what} FROM events FINAL WHERE project = ${project.id}`
    expect(await askStore(sql('uniqExact(event_id)'))).toBe(String(count))
    await waitFor('the people', async () => {
      const known = `SELECT uniqExact(external_id) FROM profiles WHERE project = ${project.id}`
      return (await askStore(known)) === String(people) ? true : undefined
    })
  },
  RESTART_MS_MAX,
)

test('an import with the key of another project reads nothing', async () => {
  const project = await createProject(service, 'Other')
  const { code, stderr } = await millrace(['import', 'no-such-file', '--project', project.id])
  expect([code, stderr]).toEqual([1, expect.stringContaining('the key does not belong to project Other')])
})

test('generated traffic of the past is stored once, even if it is sent again', async () => {
  const project = await createProject(service, 'Generated')
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
  expect([one.code, one.stdout, two.stdout]).toEqual([0, 'sent 3000 events of 200 users\n', one.stdout])
  await untilStored(project.id, 3000)
  expect(
    Number(await askStore(`SELECT count() FROM profiles FINAL WHERE project = ${project.id}`)),
  ).toBeGreaterThan(0)
})

test('generated traffic from now on arrives at its rate', async () => {
  const project = await createProject(service, 'Live')
  const words = ['generate', '--rate', '100', '--for', '2s', '--users', '20', '--key', project.key]
  expect(await millrace(words)).toMatchObject({ code: 0, stdout: 'sent 200 events of 20 users\n' })
  await untilStored(project.id, 200)
  const spread = await askStore(
    `SELECT date_diff('ms', min(time), max(time)) FROM events WHERE project = ${project.id}`,
  )
  expect(Number(spread)).toBe(1990)
})

test('an export whose query fails midway exits with an error', async () => {
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

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}

async function millrace(
  words: readonly string[],
  extra: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return await runMillrace(words, { ...service.environment, ...extra })
}

async function launch(words: readonly string[]): Promise<ChildProcess> {
  const entry = await findServiceEntry()
  return spawn(process.execPath, [entry.path, ...words], {
    env: { PATH: process.env.PATH ?? '', ...entry.environment, ...service.environment },
    stdio: 'ignore',
  })
}

async function send(key: string, events: readonly JsonEvent[]): Promise<void> {
  // JSON.stringify writes negative zero as 0.
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

/** The service's count of sessions of the day of {@link SIGN_IN_EXPORTS}. */
async function sessionMetricsOf({ key }: NewProject): Promise<{ sessions: number; bounceRate: number }> {
  const ask = async (metric: string): Promise<number> => {
    const { body } = await service.call(
      'shared.insights.v1.InsightsService/Query',
      {
        spec: { insightType: 'INSIGHT_TYPE_SEGMENTATION', session: { metric } },
        timeRange: { from: '2024-05-02T00:00:00Z', to: '2024-05-03T00:00:00Z' },
        granularity: 'GRANULARITY_DAY',
      },
      { 'x-api-key': key },
    )
    const { total = 0 } = body.segmentation as { readonly total?: number }
    return total
  }
  return {
    sessions: await ask('SESSION_METRIC_SESSIONS'),
    bounceRate: await ask('SESSION_METRIC_BOUNCE_RATE'),
  }
}

/** A Parquet file as the engine writes it, from rows whose times are text. */
async function makeParquet(rows: readonly object[], method: string): Promise<Buffer> {
  const times = ['timestamp', 'created_at'].map(
    (name) => `parseDateTime64BestEffortOrNull(${name}, 6, 'UTC') AS ${name}`,
  )
  const names = 'uuid, event, distinct_id, properties'
  const structure =
    'uuid String, event String, distinct_id String, properties String, timestamp String, created_at String'
  const lines = rows.map((row) => JSON.stringify(row)).join('\n')
  const literal = lines.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
  return await askStoreForBytes(
    `SELECT ${names}, ${times.join(', ')} FROM format(JSONEachRow, '${structure}', '${literal}') ` +
      `FORMAT Parquet SETTINGS output_format_parquet_compression_method = '${method}'`,
  )
}

async function askStore(sql: string): Promise<string> {
  return (await askStoreForBytes(sql)).toString('utf8').trim()
}

async function askStoreForBytes(sql: string): Promise<Buffer> {
  const endpoint = readEngineEndpoint(service.dataDir)
  if (!endpoint) throw new Error('the store does not run')
  const response = await fetch(`${endpoint.url}/?database=${DATABASE}`, {
    method: 'POST',
    headers: { 'x-clickhouse-user': endpoint.admin.user, 'x-clickhouse-key': endpoint.admin.password },
    body: sql,
  })
  if (!response.ok) throw new Error(await response.text())
  return Buffer.from(await response.arrayBuffer())
}
