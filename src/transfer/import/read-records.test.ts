import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { makeZip } from '../../../test/harness/zip.ts'
import { parseTimeZone } from '../../domain/insights/time-zone.ts'
import { readRecords, type SourceOptions, type SourceRecord } from './read-records.ts'

const LINES = '{"kind":"a"}\r\n\n{"kind":"b"}'
const CSV =
  'kind,occurTime,distinctId,plan\na,t,u,"two\nlines"\nb,t,u,"comma, ""quote"""\nc,t,u,d,too many\ne,t,u,f\n'

const folder = mkdtempSync(join(tmpdir(), 'millrace-records-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['plain', Buffer.from(LINES)],
  ['gzip', gzipSync(LINES)],
  ['two gzip files as one', Buffer.concat([gzipSync(LINES.slice(0, 9)), gzipSync(LINES.slice(9))])],
])('lines are read with their numbers: %s', async (_, bytes) => {
  expect(await readFile(bytes)).toEqual([
    { format: 'jsonl', entry: '', line: 1, text: '{"kind":"a"}' },
    { format: 'jsonl', entry: '', line: 3, text: '{"kind":"b"}', isLast: true },
  ])
})

test('the files of an archive are read in order, compressed or not', async () => {
  const zip = makeZip({
    '1/a.json.gz': gzipSync('{"event_type":"a"}\n'),
    '1/b.json': Buffer.from('{"event_type":"b"}\n'),
  })
  expect(await readFile(zip)).toEqual([
    { format: 'amplitude', entry: '1/a.json.gz', line: 1, text: '{"event_type":"a"}' },
    { format: 'amplitude', entry: '1/b.json', line: 1, text: '{"event_type":"b"}' },
  ])
})

test('the data of events in an archive of Umami is read before the events', async () => {
  const header = 'session_id,event_id,created_at'
  const zip = makeZip({
    'a/website_event.csv': Buffer.from(`${header},url_path\r\ns,e,t,/\r\n`),
    'a/empty.csv': Buffer.from(''),
    'a/event_data.csv': Buffer.from(`\ufeff${header},data_key\r\ns,e,t,plan\r\n`),
  })
  expect(await readFile(zip)).toMatchObject([
    { format: 'umami', entry: 'a/event_data.csv', line: 2, row: { session_id: 's', data_key: 'plan' } },
    { format: 'umami', entry: 'a/website_event.csv', line: 2, row: { url_path: '/' } },
  ])
})

test('standard input is read like a file', async () => {
  const records = await collect('-', Readable.from([gzipSync(LINES)]))
  expect(records.map(({ text }) => text)).toEqual(['{"kind":"a"}', '{"kind":"b"}'])
})

test('a CSV row has the number of its first line, and a malformed row does not end the file', async () => {
  expect(await readFile(Buffer.from(CSV))).toMatchObject([
    { line: 2, row: { kind: 'a', plan: 'two\nlines' } },
    { line: 4, row: { kind: 'b', plan: 'comma, "quote"' } },
    { line: 5, text: 'c,t,u,d,too many', problem: 'the row has 5 cells, but the header has 4' },
    { line: 6, row: { kind: 'e', plan: 'f' } },
  ])
})

test('rows that end as on Windows have their text without the end of the line', async () => {
  expect(await readFile(Buffer.from(CSV.replaceAll('\n', '\r\n')))).toMatchObject([
    { line: 2, text: 'a,t,u,"two\r\nlines"', row: { plan: 'two\r\nlines' } },
    { line: 4 },
    { line: 5, text: 'c,t,u,d,too many' },
    { line: 6, text: 'e,t,u,f' },
  ])
})

test('a line beyond the size limit is rejected without being buffered', async () => {
  const bytes = Buffer.from(`{"kind":"a"}\n${'x'.repeat(5_000_000)}\n{"kind":"b"}\n`)
  const records = await readFile(bytes)
  expect(records.map(({ text, problem }) => problem ?? text)).toEqual([
    '{"kind":"a"}',
    'the line has more than 4194304 bytes',
    '{"kind":"b"}',
  ])
})

test('a truncated gzip file is an error', async () => {
  await expect(readFile(gzipSync(LINES.repeat(100)).subarray(0, 40))).rejects.toThrow(
    'unexpected end of file',
  )
})

const PAGE = {
  next: null,
  results: [{ event: 'a', properties: { results: [{}], text: '"]}\\' } }, { event: 'b' }],
}
const RECORDS = PAGE.results.map((record) => JSON.stringify(record))

test.each([
  ['a list', JSON.stringify(PAGE.results)],
  ['a formatted list', JSON.stringify(PAGE.results, null, 2)],
  ['consecutive lists', PAGE.results.map((record) => JSON.stringify([record])).join('\n')],
  ['an answer of an API', JSON.stringify(PAGE)],
  ['a formatted answer', JSON.stringify({ count: 2, ...PAGE, last: [{ event: 'no' }] }, null, '\t')],
  [
    'an answer on each line',
    PAGE.results.map((record) => JSON.stringify({ next: null, results: [record] })).join('\n'),
  ],
  ['formatted objects', PAGE.results.map((record) => JSON.stringify(record, null, 2)).join('\n')],
  ['lines behind a byte order mark', `\ufeff${RECORDS.join('\n')}`],
])('records are found in every JSON layout: %s', async (_, text) => {
  const records = await readFile(Buffer.from(text))
  expect(records.map(({ text: found }) => JSON.parse(found))).toEqual(PAGE.results)
  expect(new Set(records.map(({ format }) => format))).toEqual(new Set(['posthog']))
})

test('records are found regardless of chunk boundaries', async () => {
  const bytes = Buffer.from(JSON.stringify(PAGE, null, 1))
  const pieces = Array.from(bytes, (byte) => Buffer.from([byte]))
  const records = await collect('-', Readable.from(pieces))
  expect(records.map(({ line, text }) => [line, JSON.parse(text)])).toEqual(
    PAGE.results.map((record, index) => [index === 0 ? 4 : 13, record]),
  )
})

test.each([
  ['null', []],
  ['"https://eu.posthog.com/api/projects/1/events?after=x"', [expect.stringContaining('has a next page')]],
])('a response with a next page causes a warning: next is %s', async (next, expected) => {
  const notices: string[] = []
  await readFile(Buffer.from(`{"next":${next},"results":[{"event":"a","properties":{"next":"x"}}]}`), {
    onNotice: (text) => notices.push(text),
  })
  expect(notices).toEqual(expected)
})

test('a truncated list is an error; a record that is too long is rejected', async () => {
  await expect(readFile(Buffer.from('[{"kind":"a"},{"kind":'))).rejects.toThrow('the file is truncated')
  const records = await readFile(
    Buffer.from(`[{"kind":"a"},{"kind":"${'x'.repeat(5_000_000)}"},{"kind":"b"}]`),
  )
  expect(records.map(({ text, problem }) => problem ?? text)).toEqual([
    '{"kind":"a"}',
    'the record has more than 4194304 bytes',
    '{"kind":"b"}',
  ])
})

test('brotli is detected from the name, also within an archive', async () => {
  const bytes = brotliCompressSync(LINES)
  const texts = async (from: Promise<SourceRecord[]>) => (await from).map(({ text }) => text)
  expect(await texts(readFile(bytes, { name: 'events.jsonl.br' }))).toEqual(['{"kind":"a"}', '{"kind":"b"}'])
  expect(await texts(readFile(makeZip({ 'a.br': bytes })))).toEqual(['{"kind":"a"}', '{"kind":"b"}'])
})

test.each([
  ['zstd', zstdCompressSync(LINES), 'the format is zstd; decompress it: zstd -d <file>'],
  ['bzip2', Buffer.from('BZh91AY'), 'the format is bzip2'],
  [
    'a Parquet file in an archive',
    makeZip({ 'a.parquet': Buffer.from('PAR1PAR1') }),
    'import it as a separate file',
  ],
  ['a truncated Parquet file', Buffer.from('PAR1....'), 'the Parquet file cannot be read'],
])('an unsupported format is named with a remedy: %s', async (_, bytes, message) => {
  await expect(readFile(bytes)).rejects.toThrow(message)
})

test('a time zone is only valid for Mixpanel', async () => {
  const timeZone = parseTimeZone('Europe/Berlin')
  await expect(readFile(Buffer.from(LINES), { timeZone })).rejects.toThrow('is for Mixpanel exports only')
  expect(await readFile(Buffer.from('{"event":"a","properties":{"time":1}}'), { timeZone })).toHaveLength(1)
})

interface Extra extends Partial<SourceOptions> {
  readonly name?: string
}

async function readFile(
  bytes: Uint8Array,
  { name = 'source', ...extra }: Extra = {},
): Promise<SourceRecord[]> {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return await collect(path, Readable.from([]), extra)
}

async function collect(
  path: string,
  stdin: Readable,
  extra: Partial<SourceOptions> = {},
): Promise<SourceRecord[]> {
  const records: SourceRecord[] = []
  for await (const record of readRecords({ path, stdin, format: undefined, ...extra })) records.push(record)
  return records
}
