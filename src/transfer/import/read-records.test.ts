import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { makeZip } from '../../../test/harness/zip.ts'
import { readRecords, type SourceRecord } from './read-records.ts'

const LINES = '{"kind":"a"}\r\n\n{"kind":"b"}'
const CSV = 'kind,plan\na,"two\nlines"\nb,"comma, ""quote"""\nc,d,too many\ne,f\n'

const folder = mkdtempSync(join(tmpdir(), 'millrace-records-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['plain', Buffer.from(LINES)],
  ['gzip', gzipSync(LINES)],
  ['two gzip files as one', Buffer.concat([gzipSync(LINES.slice(0, 9)), gzipSync(LINES.slice(9))])],
])('lines of a file are read with their numbers: %s', async (_, bytes) => {
  expect(await readFile(bytes)).toEqual([
    { format: 'jsonl', entry: '', line: 1, text: '{"kind":"a"}' },
    { format: 'jsonl', entry: '', line: 3, text: '{"kind":"b"}' },
  ])
})

test('an archive is read file by file, compressed or not', async () => {
  const zip = makeZip({
    '1/a.json.gz': gzipSync('{"event_type":"a"}\n'),
    '1/b.json': Buffer.from('{"event_type":"b"}\n'),
  })
  expect(await readFile(zip)).toEqual([
    { format: 'amplitude', entry: '1/a.json.gz', line: 1, text: '{"event_type":"a"}' },
    { format: 'amplitude', entry: '1/b.json', line: 1, text: '{"event_type":"b"}' },
  ])
})

test('the standard input is read like a file', async () => {
  const records = await collect('-', Readable.from([gzipSync(LINES)]))
  expect(records.map(({ text }) => text)).toEqual(['{"kind":"a"}', '{"kind":"b"}'])
})

test('rows of CSV have the line of their start, and a broken one does not end the file', async () => {
  expect(await readFile(Buffer.from(CSV))).toMatchObject([
    { line: 2, row: { kind: 'a', plan: 'two\nlines' } },
    { line: 4, row: { kind: 'b', plan: 'comma, "quote"' } },
    { line: 5, text: 'c,d,too many', problem: 'the row has 3 cells, and the header 2' },
    { line: 6, row: { kind: 'e', plan: 'f' } },
  ])
})

test('a line that is longer than any event is not held', async () => {
  const bytes = Buffer.from(`{"kind":"a"}\n${'x'.repeat(5_000_000)}\n{"kind":"b"}\n`)
  const records = await readFile(bytes)
  expect(records.map(({ text, problem }) => problem ?? text)).toEqual([
    '{"kind":"a"}',
    'the line has more than 4194304 bytes',
    '{"kind":"b"}',
  ])
})

test('a file that is cut off says so', async () => {
  await expect(readFile(gzipSync(LINES.repeat(100)).subarray(0, 40))).rejects.toThrow(
    'unexpected end of file',
  )
})

async function readFile(bytes: Uint8Array): Promise<SourceRecord[]> {
  const path = join(folder, 'source')
  writeFileSync(path, bytes)
  return await collect(path, Readable.from([]))
}

async function collect(path: string, stdin: Readable): Promise<SourceRecord[]> {
  const records: SourceRecord[] = []
  for await (const record of readRecords({ path, stdin, format: undefined })) records.push(record)
  return records
}
