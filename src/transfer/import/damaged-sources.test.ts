import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { ga4Lines, umamiDataLines, umamiLines } from '../../../test/harness/large-exports.ts'
import { makeZip } from '../../../test/harness/zip.ts'
import { Progress } from '../progress.ts'
import { type Rejection, ServiceClient } from '../send/service-client.ts'
import type { ImportFormat } from './detect-format.ts'
import { type ImportOutcome, importFile } from './import-file.ts'
import { UnreadableSource } from './unreadable-source.ts'

const EVENTS = 120
const GA4 = `${[...ga4Lines(EVENTS)].join('\n')}\n`
const UMAMI = `${[...umamiLines(EVENTS)].join('\n')}\n`
const DATA = `${[...umamiDataLines(EVENTS, 10)].join('\n')}\n`

const folder = mkdtempSync(join(tmpdir(), 'millrace-damaged-'))

afterAll(() => rmSync(folder, { recursive: true }))

/** A service that keeps the ids of the events that it is sent. */
class Service extends ServiceClient {
  readonly ids = new Set<string>()
  sent = 0

  constructor() {
    super(
      { url: 'http://127.0.0.1:9', key: 'x' },
      { connectionsMax: 1, signal: new AbortController().signal },
    )
  }

  override async call(method: string, body: string): Promise<Rejection | undefined> {
    if (!method.endsWith('/BatchCreate')) return undefined
    const { events } = JSON.parse(body) as { readonly events: readonly { readonly eventId: string }[] }
    for (const { eventId } of events) this.ids.add(eventId)
    this.sent += events.length
    return undefined
  }
}

interface Given {
  readonly format?: ImportFormat | undefined
  readonly notices?: string[]
}

async function importBytes(
  bytes: string | Buffer,
  service: Service,
  { format, notices = [] }: Given = {},
): Promise<ImportOutcome> {
  const path = join(folder, 'export')
  writeFileSync(path, bytes)
  return await importFile({
    path,
    format,
    timeZone: undefined,
    start: 'afresh',
    client: service,
    stdin: Readable.from([]),
    onNotice: (text) => notices.push(text),
    createProgress: () => new Progress({ output: { write: () => undefined }, unit: 'records' }),
  })
}

async function readError(bytes: string | Buffer, service: Service, given: Given = {}): Promise<string> {
  const error = await importBytes(bytes, service, given).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UnreadableSource)
  return (error as Error).message
}

function makeArchive(more: Readonly<Record<string, string>> = {}): Buffer {
  const files = { 'event_data.csv': DATA, 'website_event.csv': UMAMI, ...more }
  return makeZip(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])))
}

function changeByte(bytes: Buffer, at: number, change = 1): Buffer {
  const changed = Buffer.from(bytes)
  changed.writeUInt8((changed.readUInt8(at) + change) % 256, at)
  return changed
}

const ARCHIVE = makeArchive()
const DIRECTORY = Buffer.from('PK\x01\x02', 'latin1')

test('what is whole of a file that is cut off is imported, and the whole file later adds the rest', async () => {
  const service = new Service()
  const gzip = gzipSync(GA4)
  const message = await readError(gzip.subarray(0, gzip.length * 0.9), service)
  const [, line] =
    /^after line (\d+): the gzip data is damaged or cut off .* import it from the start/.exec(message) ?? []
  expect([service.sent, service.ids.size]).toEqual([Number(line), Number(line)])
  expect(Number(line)).toBeGreaterThan(EVENTS / 2)
  const { accepted } = await importBytes(gzip, service)
  expect([accepted, service.ids.size]).toEqual([EVENTS, EVENTS])
})

test.each<readonly [string, Buffer, string]>([
  ['is cut off', ARCHIVE.subarray(0, -100), 'the zip archive is damaged or cut off'],
  [
    'has a damaged directory',
    changeByte(ARCHIVE, ARCHIVE.lastIndexOf(DIRECTORY)),
    'the directory of the zip archive is damaged or cut off',
  ],
  [
    'has a damaged file',
    changeByte(ARCHIVE, 700),
    'event_data.csv, after line 12: the file in the archive is damaged or cut off (the checksum is wrong)',
  ],
  [
    'has an encrypted file',
    changeByte(changeByte(ARCHIVE, ARCHIVE.indexOf(DIRECTORY) + 8), ARCHIVE.indexOf(DIRECTORY) + 10, 8),
    'event_data.csv: the file in the archive is encrypted',
  ],
  [
    'has a file of an unknown compression',
    changeByte(ARCHIVE, ARCHIVE.indexOf(DIRECTORY) + 10, 14),
    'compressed with method 14; unpack the archive',
  ],
])('nothing is sent of an archive that %s', async (_, bytes, message) => {
  const service = new Service()
  expect(await readError(bytes, service)).toContain(message)
  expect(service.sent).toBe(0)
})

test('a file in an archive that is no export is named, and those of a system are none', async () => {
  const service = new Service()
  const system = { '__MACOSX/._website_event.csv': '\0\x05\x16', '.DS_Store': '\0\0\0' }
  expect(await importBytes(makeArchive(system), service)).toMatchObject({ accepted: EVENTS, rejected: {} })
  const other = await readError(makeArchive({ 'README.txt': 'An export.\n' }), service)
  expect(other).toContain(
    'README.txt: the format cannot be detected from the first record, which begins with "An export."',
  )
  const daily = await readError(makeArchive({ 'imported_visitors.csv': '"date","visitors"\n' }), service)
  expect(daily).toContain('import the archive with millrace import plausible')
  expect([service.ids.size, service.sent]).toEqual([EVENTS, 3 * EVENTS])
})

test('data that becomes a thousand times as large is no export', async () => {
  const service = new Service()
  const large = Buffer.concat([Buffer.from('{"kind":"a"}\n'), Buffer.alloc(70_000_000, ' ')])
  expect(await readError(gzipSync(large), service)).toContain('becomes more than 500 times as large')
  const zip = Buffer.from(ARCHIVE)
  const entry = zip.indexOf(DIRECTORY)
  zip.writeUInt16LE(8, entry + 10)
  zip.writeUInt32LE(2 ** 31, entry + 24)
  expect(await readError(zip, service)).toContain('event_data.csv: the file becomes more than 500 times')
})

test('a file that ends within a record has all others, and the last one is rejected', async () => {
  const service = new Service()
  const json = await importBytes(GA4.slice(0, -200), service)
  expect(json).toMatchObject({ accepted: EVENTS - 1 })
  expect(Object.keys(json.rejected)).toEqual([expect.stringContaining('the file may be cut off')])
  expect(JSON.parse(readFileSync(json.rejectedPath, 'utf8'))).toMatchObject({ line: EVENTS })
  const csv = await importBytes(UMAMI.slice(0, UMAMI.lastIndexOf('"Lamps, ""') + 10), service)
  expect(csv).toMatchObject({ accepted: EVENTS - 1 })
  expect(JSON.parse(readFileSync(csv.rejectedPath, 'utf8'))).toMatchObject({
    line: EVENTS + 1,
    reason: expect.stringContaining('Quote Not Closed'),
  })
})

test('a byte order mark, line ends of Windows and another order of columns change no event', async () => {
  const [plain, other] = [new Service(), new Service()]
  await importBytes(UMAMI, plain)
  const turned = UMAMI.trimEnd()
    .split('\n')
    .map((line) => line.replace(/^(.*?),(.*),([^,]*),([^,]*)$/, '$3,$2,$4,$1'))
  expect(await importBytes(`\ufeff${turned.join('\r\n')}\r\n`, other)).toMatchObject({
    accepted: EVENTS,
    rejected: {},
  })
  expect(other.ids).toEqual(plain.ids)
  await importBytes(`\ufeff${GA4.replaceAll('\n', '\r\n')}`, other)
  expect(other.ids.size).toBe(2 * EVENTS)
})

test.each<readonly [ImportFormat, string, string]>([
  ['umami', GA4, 'line 1 has no column event_id, which the format umami needs; its columns are '],
  ['umami', 'kind,occurTime,distinctId\na,b,c\n', 'its columns are kind, occurTime, distinctId'],
  ['csv', UMAMI, 'line 1 has no column kind, which the format csv needs'],
  ['csv', 'kind,occurTime,distinctId,kind\n', 'the column kind is in the header twice'],
  ['ga4', UMAMI, 'looks like umami: set --format umami, or none'],
  ['posthog', GA4, 'none of the first 120 records is of the format posthog (line 1: '],
  ['segment', GA4, 'the file looks like ga4'],
  ['jsonl', GA4, 'the file looks like ga4'],
])('nothing is sent when --format %s is not that of the file', async (format, text, message) => {
  const service = new Service()
  expect(await readError(text, service, { format })).toContain(message)
  expect(service.sent).toBe(0)
})

test.each([
  ['empty', '', 'the file has no record; check that the export is complete'],
  [
    'a header alone',
    UMAMI.slice(0, UMAMI.indexOf('\n')),
    'the file has no record; check that the export is complete',
  ],
  ['an empty archive', makeZip({}), 'the file has no record; check that the export is complete'],
])('a file without a record is no success: %s', async (_, bytes, notice) => {
  const notices: string[] = []
  expect(await importBytes(bytes, new Service(), { notices })).toMatchObject({ read: 0 })
  expect(notices).toEqual([notice])
})

test('text in UTF-16 is named with a remedy', async () => {
  const bytes = Buffer.from(`\ufeff${UMAMI}`, 'utf16le')
  expect(await readError(bytes, new Service())).toContain('iconv -f UTF-16 -t UTF-8 <file>')
})
