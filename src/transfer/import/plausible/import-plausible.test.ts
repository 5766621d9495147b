import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePlausibleExport, toCsv } from '../../../../test/harness/plausible-export.ts'
import { makeZip } from '../../../../test/harness/zip.ts'
import { Progress } from '../../progress.ts'
import { SendError, type ServiceAnswer, ServiceClient } from '../../send/service-client.ts'
import { UnreadableSource } from '../unreadable-source.ts'
import { importPlausible, type PlausibleOutcome } from './import-plausible.ts'

const VISITORS = 'imported_visitors_20250401_20250402.csv'
const HEAD = '"date","visitors","pageviews","bounces","visits","visit_duration"\n'
const DAY = '"2025-04-01",119,304,77,134,21070\n'
const TARGET = { url: 'http://127.0.0.1:9', key: 'x' }

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-plausible-'))
})

afterAll(() => rmSync(folder, { recursive: true }))

/** A service that keeps what it is sent, and can fail. */
class Service extends ServiceClient {
  readonly stored: object[][] = []
  isFinished = false
  batchesUntilFailure = Number.POSITIVE_INFINITY

  constructor() {
    super(TARGET, { connectionsMax: 1, signal: new AbortController().signal })
  }

  override async ask(method: string, body: string): Promise<ServiceAnswer> {
    const request = JSON.parse(body)
    if (method.endsWith('/Create')) {
      const finished = this.isFinished ? { finishTime: '2025-05-01T00:00:00Z' } : {}
      return {
        body: { import: { id: 'i', shownUntil: request.lastDay, batches: this.stored.length, ...finished } },
      }
    }
    if (method.endsWith('/Finish')) {
      expect(request.batches).toBe(this.stored.length)
      this.isFinished = true
      return { body: {} }
    }
    if (this.batchesUntilFailure-- <= 0) throw new SendError('the service does not respond')
    expect(request.batch).toBe(this.stored.length)
    this.stored.push(request.rows)
    return { body: {} }
  }
}

async function importFiles(
  files: Readonly<Record<string, string>>,
  client?: ServiceClient,
): Promise<PlausibleOutcome & { readonly notices: readonly string[] }> {
  const bytes = Object.entries(files).map(([name, text]) => [name, Buffer.from(text)] as const)
  return await importArchive(makeZip(Object.fromEntries(bytes)), client)
}

async function importArchive(zip: Buffer, client?: ServiceClient) {
  const path = join(folder, 'export.zip')
  writeFileSync(path, zip)
  const notices: string[] = []
  const outcome = await importPlausible({
    path,
    name: 'export.zip',
    until: undefined,
    client,
    progress: new Progress({ output: { write: () => undefined }, unit: 'rows' }),
    onNotice: (text) => notices.push(text),
  })
  return { ...outcome, notices }
}

async function sentRows(files: Readonly<Record<string, string>>): Promise<readonly object[]> {
  const service = new Service()
  await importFiles({ [VISITORS]: HEAD + DAY, ...files }, service)
  return service.stored.flat().slice(1)
}

test('a day has its numbers, and the dimension of the whole', async () => {
  const service = new Service()
  const outcome = await importFiles({ [VISITORS]: HEAD + DAY }, service)
  expect(outcome).toMatchObject({ firstDay: '2025-04-01', lastDay: '2025-04-01', rows: 1, dimensions: [] })
  expect(service.stored).toEqual([
    [
      {
        day: '2025-04-01',
        dimension: 0,
        value: '',
        visitors: '119',
        visits: '134',
        pageViews: '304',
        bounces: '77',
        visitSeconds: '21070',
      },
    ],
  ])
})

test('versions of a browser add up to the browser under its name here', async () => {
  const rows = await sentRows({
    'imported_browsers_20250401_20250402.csv': [
      '"date","browser","browser_version","visitors","visits","visit_duration","bounces","pageviews"',
      '"2025-04-01","Microsoft Edge","111.0",1,2,987,0,3',
      '"2025-04-01","Microsoft Edge","112.0",4,5,13,1,7',
    ].join('\n'),
  })
  expect(rows).toEqual([
    {
      day: '2025-04-01',
      dimension: 15,
      value: 'Edge',
      visitors: '5',
      visits: '7',
      pageViews: '10',
      bounces: '1',
      visitSeconds: '1000',
    },
  ])
})

test('columns in another order, a byte order mark and line ends of Windows change nothing', async () => {
  const plain = await sentRows({
    'imported_devices_20250401_20250402.csv': 'date,device,visitors,visits\n2025-04-01,Laptop,3,4\n',
  })
  const other = await sentRows({
    'imported_devices_20250401_20250402.csv':
      '\ufeffvisits,visitors,device,date\r\n4,3,Laptop,2025-04-01\r\n',
  })
  expect(other).toEqual(plain)
  expect(plain).toEqual([{ day: '2025-04-01', dimension: 17, value: 'desktop', visitors: '3', visits: '4' }])
})

test('a column that an older export lacks is unknown, not 0', async () => {
  const rows = await sentRows({
    'imported_sources_20211230_20220106.csv': [
      '"date","source","utm_medium","utm_campaign","utm_content","utm_term","visitors","visits","visit_duration","bounces"',
      '"2025-04-01","Hacker News","referral","","","",2,2,0,2',
    ].join('\n'),
  })
  const numbers = { day: '2025-04-01', visitors: '2', visits: '2', visitSeconds: '0', bounces: '2' }
  // No channel and no source of a campaign can be told.
  expect(rows).toEqual([
    { ...numbers, dimension: 6, value: 'Hacker News' },
    { ...numbers, dimension: 8, value: 'referral' },
    { ...numbers, dimension: 9, value: '' },
    { ...numbers, dimension: 10, value: '' },
    { ...numbers, dimension: 11, value: '' },
  ])
})

test('how long pages were read is no event', async () => {
  const rows = await sentRows({
    'imported_custom_events_20250401_20250402.csv':
      'date,name,link_url,path,visitors,events\n2025-04-01,engagement,,,9,9\n2025-04-01,404,,/x,1,2\n',
  })
  expect(rows).toEqual([{ day: '2025-04-01', dimension: 19, value: '404', visitors: '1', events: '2' }])
})

test('files of a folder are found, those of no table are named or ignored', async () => {
  const { notices, rows } = await importFiles({
    [`export/${VISITORS}`]: HEAD + DAY,
    'export/imported_custom_props_20250401_20250402.csv': 'date,property\n',
    [`__MACOSX/export/._${VISITORS}`]: 'binary',
    'export/readme.txt': 'x',
  })
  expect([notices, rows]).toEqual([['not imported: imported_custom_props'], 1])
})

test('an interrupted import continues with the batch that is missing, and a finished one sends nothing', async () => {
  const { zip } = makePlausibleExport({ firstDay: '2024-01-01', lastDay: '2024-06-30', seed: 3 })
  const whole = new Service()
  await importArchive(zip, whole)
  expect(whole.stored.length).toBeGreaterThan(2)
  const service = new Service()
  service.batchesUntilFailure = 2
  await expect(importArchive(zip, service)).rejects.toThrow(SendError)
  expect(service.stored).toHaveLength(2)
  service.batchesUntilFailure = Number.POSITIVE_INFINITY
  await importArchive(zip, service)
  expect(service.stored).toEqual(whole.stored)
  const again = await importArchive(zip, service)
  expect([again.stored?.wasFinished, service.stored]).toEqual([true, whole.stored])
})

describe('nothing is sent of an archive', () => {
  const pages = 'imported_pages_20250401_20250402.csv'
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
    ['without visitors', { 'imported_pages.csv': 'date,page,visitors\n' }, 'has no imported_visitors_'],
    ['of the dashboard', { 'visitors.csv': 'date,visitors\n' }, 'one view of the dashboard'],
    ['with a day twice', { [VISITORS]: HEAD + DAY + DAY }, 'line 3: 2025-04-01 is in the file twice'],
    [
      'with a negative number',
      { [VISITORS]: `${HEAD}2025-04-01,-1,1,1,1,1\n` },
      'line 2: visitors must be a whole',
    ],
    [
      'with a fraction',
      { [VISITORS]: `${HEAD}2025-04-01,1,1.5,1,1,1\n` },
      'pageviews must be a whole number',
    ],
    [
      'with a huge number',
      { [VISITORS]: `${HEAD}2025-04-01,1,1,1,1,1${'0'.repeat(12)}\n` },
      'at most 12 digits',
    ],
    [
      'with a date that does not exist',
      { [VISITORS]: `${HEAD}2025-02-30,1,1,1,1,1\n` },
      'date must be a date',
    ],
    ['of the future', { [VISITORS]: `${HEAD}2999-01-01,1,1,1,1,1\n` }, 'date must not be in the future'],
    ['of too many days', { [VISITORS]: `${HEAD}1970-01-01,1,1,1,1,1\n${DAY}` }, 'more than 10000'],
    [
      'with a column renamed',
      { [VISITORS]: 'date,people\n2025-04-01,1\n' },
      'has no column visitors; its columns are',
    ],
    [
      'with a column twice',
      { [VISITORS]: 'date,visitors,visitors\n2025-04-01,1,2\n' },
      'two columns of one name',
    ],
    ['with a short row', { [VISITORS]: `${HEAD}2025-04-01,1\n` }, 'Invalid Record Length'],
    ['with an open quote', { [VISITORS]: `${HEAD}"2025-04-01,1,1,1,1,1\n` }, 'is damaged or cut off'],
    ['with an endless row', { [VISITORS]: `${HEAD}"${'x'.repeat(70_000)}` }, 'is damaged or cut off'],
    ['without a row', { [VISITORS]: HEAD }, 'imported_visitors has no day'],
    ['with an empty file', { [VISITORS]: '' }, 'is empty'],
    ['with a table twice', { [VISITORS]: HEAD + DAY, [`a/${VISITORS}`]: HEAD + DAY }, 'in the archive twice'],
    [
      'with a path outside',
      { [VISITORS]: HEAD + DAY, [`../${VISITORS}`]: HEAD + DAY },
      'is damaged or cut off',
    ],
    ['with an absolute path', { [`/${VISITORS}`]: HEAD + DAY }, 'is damaged or cut off'],
    [
      'with an invalid row in a later file',
      { [VISITORS]: HEAD + DAY, [pages]: 'date,page,visitors\n2025-04-01,/,x\n' },
      `${pages}, line 2: visitors`,
    ],
  ]
  test.each(cases)('%s', async (_, files, message) => {
    const service = new Service()
    const error = await importFiles(files, service).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UnreadableSource)
    expect((error as Error).message).toContain(message)
    expect(service.stored).toEqual([])
  })

  test('that is none', async () => {
    await expect(importArchive(Buffer.from('PK\x03\x04 no archive'))).rejects.toThrow('"Export to CSV" made')
  })

  test('that is cut off', async () => {
    const { zip } = makePlausibleExport({ firstDay: '2025-04-01', lastDay: '2025-04-02', seed: 4 })
    await expect(importArchive(zip.subarray(0, -100))).rejects.toThrow(UnreadableSource)
  })

  test('whose content is longer than it declares', async () => {
    const zip = makeZip({ [VISITORS]: Buffer.from(HEAD + DAY) })
    const bomb = deflateRawSync(Buffer.alloc(50_000_000, '0'))
    await expect(importArchive(replaceContent(zip, bomb))).rejects.toThrow('is damaged or cut off')
  })
})

/** The archive of one stored file, with deflated content instead: its declared size stays. */
function replaceContent(zip: Buffer, content: Buffer): Buffer {
  const start = zip.indexOf('.csv') + 4
  const central = zip.indexOf('PK\x01\x02', 'latin1')
  const head = Buffer.from(zip.subarray(0, start))
  const tail = Buffer.from(zip.subarray(central))
  head.writeUInt16LE(8, 8)
  head.writeUInt32LE(content.length, 18)
  tail.writeUInt16LE(8, 10)
  tail.writeUInt32LE(content.length, 20)
  const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  tail.writeUInt32LE(start + content.length, end + 16)
  return Buffer.concat([head, content, tail])
}

test('texts are quoted as the engine of Plausible does', () => {
  expect(toCsv([{ date: '2025-04-01', page: 'a "b"', visits: 1, depth: '\\N' }])).toBe(
    '"date","page","visits","depth"\n"2025-04-01","a ""b""",1,\\N\n',
  )
})
