import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asProjectId } from '../src/contract/ids.ts'
import { deleteProject } from '../src/control/projects/delete-project.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { openCatalog } from '../src/store/catalog/catalog.ts'
import { openClickHouse } from '../src/store/clickhouse/client.ts'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { createProject, type NewProject } from './harness/new-project.ts'
import {
  type ExportRow,
  makePlausibleExport,
  type PlausibleExport,
  SOURCES,
  VALUES,
} from './harness/plausible-export.ts'
import { type Ended, reasonOf, runMillrace, TestService } from './harness/service.ts'
import { findServiceEntry } from './harness/service-entry.ts'
import { isScaledOut } from './harness/topology.ts'
import { waitFor } from './harness/wait.ts'

const OVERVIEW = 'millrace.web.v1.WebAnalyticsService/QueryOverview'
const TABLE = 'millrace.web.v1.WebAnalyticsService/QueryTable'
const IMPORTS = 'millrace.web.v1.ImportsService'
const PROFILES = 'shared.profiles.v1.ProfilesService'

/** Two processes start again, and the import waits for them. */
const RESTART_MS_MAX = 120_000

const FIRST = '2025-03-20'
const LAST = '2025-04-20'
/** From noon to noon in UTC: days begin at 22:00 or, in March, at 23:00 of the day before. */
const ZONE = 'Europe/Berlin'
const RANGE = { from: '2025-03-21T12:00:00Z', to: '2025-04-10T12:00:00Z' }
/** The days that begin in {@link RANGE} there. */
const DAYS = { from: '2025-03-22', to: '2025-04-10' }

const EXPORT = makePlausibleExport({ firstDay: FIRST, lastDay: LAST, seed: 1 })

let service: TestService
let folder: string
let path: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-plausible-'))
  path = join(folder, 'shop_example_20250420.zip')
  writeFileSync(path, EXPORT.zip)
  service = await TestService.start({ SERVICE_QUERY_CACHE_SECONDS: '0' })
})

afterAll(async () => {
  await service?.destroy()
  rmSync(folder, { recursive: true, force: true })
})

/** Sums over rows of the export, added up one by one. */
function measure(rows: readonly ExportRow[], visitsColumn = 'visits'): object | undefined {
  if (rows.length === 0) return undefined
  let [visitors, visits, views, bounces, seconds] = [0, 0, 0, 0, 0]
  for (const row of rows) {
    visitors += Number(row.visitors)
    visits += Number(row[visitsColumn])
    views += Number(row.pageviews)
    bounces += Number(row.bounces)
    seconds += Number(row.visit_duration)
  }
  return {
    dailyVisitors: String(visitors),
    visits: String(visits),
    pageViews: String(views),
    viewsPerVisit: views / visits,
    bounceRate: 100 * (bounces / visits),
    visitDurationSeconds: seconds / visits,
  }
}

function rowsOf(
  name: string,
  { from, to }: { readonly from: string; readonly to: string },
  { tables }: PlausibleExport = EXPORT,
): readonly ExportRow[] {
  return (tables[name] ?? []).filter(({ date }) => String(date) >= from && String(date) <= to)
}

async function millrace(words: readonly string[]): Promise<Ended> {
  return await runMillrace([...words], service.environment)
}

async function importInto({ key }: NewProject, ...words: readonly string[]): Promise<Ended> {
  return await millrace(['import', 'plausible', path, '--key', key, ...words])
}

async function ask({ key }: NewProject, method: string, body: object): Promise<Record<string, unknown>> {
  const { status, body: answer } = await service.call(method, body, { 'x-api-key': key })
  expect(answer, `status ${status}`).not.toHaveProperty('code')
  return answer
}

async function overview(project: NewProject, more: object = {}): Promise<Record<string, unknown>> {
  return await ask(project, OVERVIEW, {
    timeRange: RANGE,
    granularity: 'GRANULARITY_DAY',
    timezone: ZONE,
    ...more,
  })
}

async function table(project: NewProject, dimension: string, more: object = {}): Promise<Table> {
  const answer = await ask(project, TABLE, {
    timeRange: RANGE,
    timezone: ZONE,
    dimension: `DIMENSION_${dimension}`,
    limit: 100,
    ...more,
  })
  return answer as unknown as Table
}

interface Row {
  readonly value?: string
  readonly metrics: object
  readonly imported?: object
}

interface Table {
  readonly rows?: readonly Row[]
  readonly importedRows?: readonly Row[]
  readonly importedState?: string
  readonly importedTotalRows?: string
}

interface Point {
  readonly time: string
  readonly imported?: object
}

async function countRows({ id }: NewProject): Promise<number> {
  const clickhouse = openClickHouse(service.clickhouse(), {
    application: 'millrace-test',
    connectionsMax: 1,
    requestTimeoutMs: 30_000,
  })
  const query = `SELECT toUInt32(count()) AS rows FROM imported_days WHERE project = ${id}`
  const answer = await clickhouse.query({ query, format: 'JSONEachRow' })
  const [{ rows } = { rows: Number.NaN }] = await answer.json<{ readonly rows: number }>()
  await clickhouse.close()
  return rows
}

/** The numbers of each value, as the answer should have them: by daily visitors, then by value. */
function expectedRows(groups: ReadonlyMap<string, readonly ExportRow[]>, visitsColumn?: string): object[] {
  return [...groups]
    .map(([value, rows]) => ({ value, imported: measure(rows, visitsColumn) as { dailyVisitors: string } }))
    .sort(
      (a, b) =>
        Number(b.imported.dailyVisitors) - Number(a.imported.dailyVisitors) ||
        Buffer.compare(Buffer.from(a.value), Buffer.from(b.value)),
    )
}

function importedRows({ importedRows = [] }: Table): object[] {
  return importedRows.map(({ value = '', imported }) => ({ value, imported }))
}

function groupRows(name: string, readValue: (row: ExportRow) => string): Map<string, ExportRow[]> {
  return Map.groupBy(rowsOf(name, DAYS), readValue)
}

const sent = (occurTime: string) =>
  makeEvent({
    kind: 'page_view',
    occurTime,
    autoProperties: { $url: { stringValue: 'https://shop.example/docs' } },
  })

async function sendView({ key }: NewProject, occurTime: string): Promise<void> {
  const { status } = await service.call(BATCH_CREATE, { events: [sent(occurTime)] }, { 'x-api-key': key })
  expect(status).toBe(200)
}

test('totals and buckets are the sums of the days of the export, apart from own visits', async () => {
  const project = await createProject(service, 'Sums')
  const { code, stdout, stderr } = await importInto(project)
  expect([code, stderr.includes('stopped')]).toEqual([0, false])
  expect(stdout).toContain(`${FIRST} to ${LAST}`)
  expect(stdout).toContain('all days are shown')
  const days = await overview(project)
  expect(days.importedState).toBe('IMPORTED_STATE_INCLUDED')
  expect(days.importedTotals).toEqual(measure(rowsOf('visitors', DAYS)))
  expect(days.totals).toEqual({})
  const points = days.points as readonly Point[]
  expect(points).toHaveLength(21)
  // The first day began before the range.
  expect(points.map(({ imported }) => imported)).toEqual([
    undefined,
    ...rowsOf('visitors', DAYS).map((row) => measure([row])),
  ])
  const weeks = await overview(project, { granularity: 'GRANULARITY_WEEK' })
  expect((weeks.points as readonly Point[]).map(({ imported }) => imported)).toEqual(
    [
      ['2025-03-22', '2025-03-23'],
      ['2025-03-24', '2025-03-30'],
      ['2025-03-31', '2025-04-06'],
      ['2025-04-07', '2025-04-10'],
    ].map(([from = '', to = '']) => measure(rowsOf('visitors', { from, to }))),
  )
})

test('hours have no imported numbers, the totals of their days have', async () => {
  const project = await createProject(service, 'Hours')
  await importInto(project)
  const timeRange = { from: '2025-04-01T22:00:00Z', to: '2025-04-02T22:00:00Z' }
  const answer = await overview(project, { timeRange, granularity: 'GRANULARITY_HOUR' })
  expect((answer.points as readonly Point[]).filter(({ imported }) => imported)).toEqual([])
  expect(answer.importedTotals).toEqual(measure(rowsOf('visitors', { from: '2025-04-02', to: '2025-04-02' })))
})

test('a comparison has the imported days of its range', async () => {
  const project = await createProject(service, 'Comparison')
  await importInto(project)
  const timeRange = { from: '2025-04-10T22:00:00Z', to: '2025-04-20T22:00:00Z' }
  const answer = await overview(project, {
    timeRange,
    compareTo: { shift: { unit: 'CALENDAR_UNIT_WEEK', count: 1 } },
  })
  expect(answer.importedComparisonTotals).toEqual(
    measure(rowsOf('visitors', { from: '2025-04-04', to: '2025-04-13' })),
  )
})

const SIMPLE = [
  ['COUNTRY', 'locations', 'country', 'visits'],
  ['BROWSER', 'browsers', 'browser', 'visits'],
  ['OS', 'operating_systems', 'operating_system', 'visits'],
  ['DEVICE_TYPE', 'devices', 'device', 'visits'],
  ['ENTRY_PAGE', 'entry_pages', 'entry_page', 'entrances'],
  ['EXIT_PAGE', 'exit_pages', 'exit_page', 'exits'],
] as const

test('the rows of each table are the sums of the values of the export', async () => {
  const project = await createProject(service, 'Tables')
  await importInto(project)
  for (const [dimension, name, column, visits] of SIMPLE) {
    const names: Readonly<Record<string, string>> =
      VALUES[column.endsWith('_page') ? 'page' : (column as 'country')]
    const expected = expectedRows(
      groupRows(name, (row) => names[String(row[column])] ?? '?'),
      visits,
    )
    const answer = await table(project, dimension)
    expect(importedRows(answer), dimension).toEqual(expected)
    expect([answer.importedTotalRows, answer.rows]).toEqual([String(expected.length), undefined])
  }
  const bySource = (read: (source: (typeof SOURCES)[number]) => string) =>
    groupRows('sources', (row) => {
      const source = SOURCES.find(
        ({ source, referrer }) => source === row.source && referrer === row.referrer,
      )
      return source ? read(source) : '?'
    })
  expect(importedRows(await table(project, 'CHANNEL'))).toEqual(
    expectedRows(bySource(({ channel }) => channel)),
  )
  expect(importedRows(await table(project, 'REFERRER'))).toEqual(
    expectedRows(bySource(({ domain }) => domain)),
  )
  expect(importedRows(await table(project, 'UTM_CAMPAIGN'))).toEqual(
    expectedRows(groupRows('sources', ({ utm_campaign }) => String(utm_campaign))),
  )
})

test('pages have no bounces, and events only their number', async () => {
  const project = await createProject(service, 'Pages')
  await importInto(project)
  const [first] = (await table(project, 'PAGE', { search: 'BÜCHER' })).importedRows ?? []
  const rows = rowsOf('pages', DAYS).filter(({ page }) => page === '/bücher, "neu"')
  const sum = (column: string): number => rows.reduce((all, row) => all + Number(row[column]), 0)
  expect(first?.imported).toEqual({
    dailyVisitors: String(sum('visitors')),
    visits: String(sum('visits')),
    pageViews: String(sum('pageviews')),
    viewsPerVisit: sum('pageviews') / sum('visits'),
  })
  const kinds = (await table(project, 'EVENT_KIND', { search: 'outbound' })).importedRows ?? []
  const clicks = rowsOf('custom_events', DAYS).filter(({ name }) => name === 'Outbound Link: Click')
  expect(kinds.map(({ value, imported }) => [value, imported])).toEqual([
    [
      'outbound_link_click',
      {
        dailyVisitors: String(clicks.reduce((all, { visitors }) => all + Number(visitors), 0)),
        events: String(clicks.reduce((all, { events }) => all + Number(events), 0)),
      },
    ],
  ])
})

test('pages of values follow each other, and the number of values is that of all', async () => {
  const project = await createProject(service, 'Paging')
  await importInto(project)
  const all = importedRows(await table(project, 'OS'))
  const parts = await Promise.all(
    [0, 2, 4, 6].map(async (offset) => await table(project, 'OS', { offset, limit: 2 })),
  )
  expect(parts.flatMap(importedRows)).toEqual(all)
  expect(parts.map(({ importedTotalRows }) => importedTotalRows)).toEqual(['5', '5', '5', '5'])
})

test('one condition on an attribute filters imported days; others leave them out and say so', async () => {
  const project = await createProject(service, 'Filters')
  await importInto(project)
  const germany = { dimension: 'DIMENSION_COUNTRY', operator: 'FILTER_OPERATOR_EQUALS', value: 'DE' }
  const filtered = await overview(project, { filters: [germany] })
  expect(filtered.importedTotals).toEqual(
    measure(rowsOf('locations', DAYS).filter(({ country }) => country === 'DE')),
  )
  const desktop = {
    dimension: 'DIMENSION_DEVICE_TYPE',
    operator: 'FILTER_OPERATOR_NOT_EQUALS',
    value: 'desktop',
  }
  expect((await overview(project, { filters: [desktop] })).importedTotals).toEqual(
    measure(rowsOf('devices', DAYS).filter(({ device }) => device === 'Mobile' || device === 'Tablet')),
  )
  const leftOut = 'IMPORTED_STATE_NOT_FILTERABLE'
  for (const filters of [
    [germany, desktop],
    [{ dimension: 'DIMENSION_PAGE', operator: 'FILTER_OPERATOR_CONTAINS', value: 'docs' }],
    [{ dimension: 'DIMENSION_CITY', operator: 'FILTER_OPERATOR_EQUALS', value: 'Berlin' }],
    [{ ...germany, source: 'PROPERTY_SOURCE_FIRST_TOUCH' }],
  ]) {
    const answer = await overview(project, { filters })
    expect([answer.importedState, answer.importedTotals]).toEqual([leftOut, undefined])
  }
  expect((await table(project, 'BROWSER', { filters: [germany] })).importedState).toBe(leftOut)
  expect(importedRows(await table(project, 'COUNTRY', { filters: [germany] }))).toHaveLength(1)
  expect((await table(project, 'CITY')).importedState).toBe('IMPORTED_STATE_NO_SUCH_DIMENSION')
  expect((await table(project, 'GOAL')).importedState).toBe('IMPORTED_STATE_NO_SUCH_DIMENSION')
})

test('the same archive imported twice counts once', async () => {
  const project = await createProject(service, 'Twice')
  await importInto(project)
  const before = await overview(project)
  const { code, stdout } = await importInto(project)
  expect(code).toBe(0)
  expect(stdout).toContain('imported before: nothing was added')
  expect(await overview(project)).toEqual(before)
  const { stdout: listed } = await millrace(['imports', 'list', '--key', project.key])
  expect(listed.trim().split('\n')).toHaveLength(1)
})

test(
  'an import that is killed, and a service whose processes are killed under the next one, count every day once',
  async () => {
    const project = await createProject(service, 'Killed')
    const long = makePlausibleExport({ firstDay: '2024-01-01', lastDay: '2025-04-20', seed: 5 })
    const longPath = join(folder, 'long.zip')
    writeFileSync(longPath, long.zip)
    const words = ['import', 'plausible', longPath, '--key', project.key]
    const { path: entry, environment } = await findServiceEntry()
    const child = spawn(process.execPath, [entry, ...words], {
      env: { PATH: process.env.PATH ?? '', ...environment, ...service.environment },
      stdio: 'ignore',
    })
    const untilStored = async (rowsMin: number): Promise<number> =>
      await waitFor(`more than ${rowsMin} rows`, async () => {
        const { imports = [] } = await ask(project, `${IMPORTS}/List`, {})
        const [{ rows = '0' } = {}] = imports as readonly { readonly rows?: string }[]
        return Number(rows) > rowsMin ? Number(rows) : undefined
      })
    const rows = await untilStored(0)
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(child.signalCode).toBe('SIGKILL')
    expect((await overview(project)).importedState).toBeUndefined()
    const again = millrace(words)
    await untilStored(rows)
    for (const role of isScaledOut() ? (['query'] as const) : (['store', 'query'] as const))
      process.kill(service.pid(role), 'SIGKILL')
    expect(await again).toMatchObject({ code: 0, stdout: expect.stringContaining('all days are shown') })
    expect((await overview(project)).importedTotals).toEqual(measure(rowsOf('visitors', DAYS, long)))
    expect(importedRows(await table(project, 'COUNTRY'))).toEqual(
      expectedRows(Map.groupBy(rowsOf('locations', DAYS, long), ({ country }) => String(country))),
    )
  },
  RESTART_MS_MAX,
)

test('imported days survive the erasure of a person, and go with their project', async () => {
  const project = await createProject(service, 'Deleted')
  await importInto(project)
  const shown = measure(rowsOf('visitors', DAYS))
  await ask(project, 'sdk.profiles.v1.ProfilesSDKService/Identify', { externalId: 'ann' })
  const { requestId } = await waitFor('the person', async () => {
    const { status, body } = await service.call(
      `${PROFILES}/DeleteDataSubject`,
      { externalId: 'ann' },
      { 'x-api-key': project.key },
    )
    return status === 200 ? body : undefined
  })
  await waitFor('the erasure', async () => {
    const { status } = await ask(project, `${PROFILES}/GetDeletionRequest`, { requestId })
    return status === 'COMPLIANCE_REQUEST_STATUS_COMPLETED' ? true : undefined
  })
  expect((await overview(project)).importedTotals).toEqual(shown)
  expect(await countRows(project)).toBeGreaterThan(100)
  const catalog = openCatalog(service)
  await deleteProject(catalog, systemClock, asProjectId(Number(project.id)))
  await catalog.destroy()
  await waitFor('the rows to be erased', async () => ((await countRows(project)) === 0 ? true : undefined))
})

test('imported days end before the first own page view, unless a last day is named', async () => {
  const project = await createProject(service, 'Switch')
  await sendView(project, '2025-04-08T13:00:00Z')
  await sendView(project, '2025-04-09T13:00:00Z')
  await waitFor('the own visits', async () => {
    const { totals } = await overview(project)
    return (totals as { visits?: string }).visits === '2' ? true : undefined
  })
  const { stdout } = await importInto(project)
  expect(stdout).toContain('days up to 2025-04-07 are shown')
  expect(stdout).toContain('page views of its own since 2025-04-08')
  const until = { from: DAYS.from, to: '2025-04-07' }
  const answer = await overview(project)
  expect(answer.importedTotals).toEqual(measure(rowsOf('visitors', until)))
  expect(answer.totals).toMatchObject({ visits: '2', pageViews: '2' })
  const own = (await table(project, 'PAGE')).importedRows?.find(({ value }) => value === '/docs')
  expect(own).toMatchObject({ metrics: { visits: '2', pageViews: '2' } })
  const named = await importInto(project, '--until', '2025-04-08')
  expect(named.stdout).toContain('days up to 2025-04-08 are shown')
  expect((await overview(project)).importedTotals).toEqual(
    measure(rowsOf('visitors', { from: DAYS.from, to: '2025-04-08' })),
  )
  const kept = await importInto(project)
  expect(kept.stdout).toContain('days up to 2025-04-08 are shown')
})

test('own data from before the export leave no day, which is an error', async () => {
  const project = await createProject(service, 'Late')
  await sendView(project, '2024-01-01T13:00:00Z')
  await waitFor('the own visit', async () => {
    const timeRange = { from: '2024-01-01T00:00:00Z', to: '2024-01-02T00:00:00Z' }
    const { totals } = await overview(project, { timeRange })
    return (totals as { visits?: string }).visits === '1' ? true : undefined
  })
  const { code, stderr } = await importInto(project)
  expect(code).toBe(1)
  expect(stderr).toContain('page views of its own since 2024-01-01')
  expect((await millrace(['imports', 'list', '--key', project.key])).stdout).toBe('')
})

test('of archives with the same days the one imported last is shown, and deleting it shows the earlier one', async () => {
  const project = await createProject(service, 'Overlap')
  await importInto(project)
  const later = makePlausibleExport({ firstDay: '2025-04-01', lastDay: '2025-04-05', seed: 2 })
  const laterPath = join(folder, 'later.zip')
  writeFileSync(laterPath, later.zip)
  const { stdout } = await millrace(['import', 'plausible', laterPath, '--key', project.key])
  const both = measure([
    ...rowsOf('visitors', { from: DAYS.from, to: '2025-03-31' }),
    ...rowsOf('visitors', { from: '2025-04-01', to: '2025-04-05' }, later),
    ...rowsOf('visitors', { from: '2025-04-06', to: DAYS.to }),
  ])
  expect((await overview(project)).importedTotals).toEqual(both)
  const [, id = ''] = /import ([\da-f-]{36});/.exec(stdout) ?? []
  const deleted = await millrace(['imports', 'delete', id, '--key', project.key])
  expect([deleted.code, deleted.stdout]).toEqual([0, `deleted import ${id}\n`])
  expect((await overview(project)).importedTotals).toEqual(measure(rowsOf('visitors', DAYS)))
})

test('an unfinished import is not shown, and batches come in order', async () => {
  const project = await createProject(service, 'Parts')
  const { import: created } = await ask(project, `${IMPORTS}/Create`, {
    name: 'x.zip',
    digest: 'x',
    firstDay: FIRST,
    lastDay: LAST,
  })
  const { id } = created as { readonly id: string }
  const rows = [{ day: '2025-04-01', visitors: '3', visits: '4' }]
  const call = async (method: string, body: object) =>
    await service.call(`${IMPORTS}/${method}`, body, { 'x-api-key': project.key })
  expect(reasonOf((await call('AddRows', { id, batch: 1, rows })).body)).toBe('BATCH_OUT_OF_ORDER')
  expect(reasonOf((await call('Finish', { id, batches: 1 })).body)).toBe('BATCH_OUT_OF_ORDER')
  await ask(project, `${IMPORTS}/AddRows`, { id, batch: 0, rows: [...rows, ...rows] })
  await ask(project, `${IMPORTS}/AddRows`, { id, batch: 0, rows })
  expect((await overview(project)).importedState).toBeUndefined()
  await ask(project, `${IMPORTS}/Finish`, { id, batches: 1 })
  expect((await overview(project)).importedTotals).toEqual({ dailyVisitors: '6', visits: '8' })
  expect(reasonOf((await call('AddRows', { id, batch: 1, rows })).body)).toBe('BATCH_OUT_OF_ORDER')
})

test.each([
  [{ day: '2025-03-19' }, 'rows[0].day'],
  [{ day: '2025-02-30' }, 'rows[0].day'],
  [{ day: FIRST, dimension: 'DIMENSION_COUNTRY', value: 'DE' }, 'rows[0].dimension'],
  [{ day: FIRST, visitors: '-1' }, 'rows[0].visitors'],
  [{ day: FIRST, visits: '1000000000001' }, 'rows[0].visits'],
  [{ day: FIRST, value: 'x'.repeat(1025) }, 'rows[0].value'],
])('the row %j is refused', async (row, field) => {
  const project = await createProject(service, `Refused ${field} ${JSON.stringify(row).slice(0, 60)}`)
  const { import: created } = await ask(project, `${IMPORTS}/Create`, {
    name: 'x.zip',
    digest: 'x',
    firstDay: FIRST,
    lastDay: LAST,
  })
  const { id } = created as { readonly id: string }
  const { status, body } = await service.call(
    `${IMPORTS}/AddRows`,
    { id, rows: [row] },
    { 'x-api-key': project.key },
  )
  expect([status, body.code]).toEqual([400, 'invalid_argument'])
  expect(JSON.stringify(body)).toContain(field)
})

test('a dry run checks the archive and sends nothing', async () => {
  const project = await createProject(service, 'Dry')
  const { stdout } = await importInto(project, '--dry-run')
  expect(stdout).toContain('all valid; nothing was sent')
  expect((await millrace(['imports', 'list', '--key', project.key])).stdout).toBe('')
})
