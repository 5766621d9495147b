import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copySegments } from './copy-segments.ts'
import { encodeHeader, encodeSeal, HEADER_BYTES, recordMarker } from './record.ts'

const ID = 'a0'.repeat(16)
const OTHER_ID = 'b1'.repeat(16)
const FILE = `000000000001-${ID}.segment`

let from: string
let to: string

beforeEach(() => {
  from = mkdtempSync(join(tmpdir(), 'millrace-copy-'))
  to = join(from, 'copy')
})

afterEach(() => rmSync(from, { recursive: true, force: true }))

test('a copy of an open segment ends with its last whole record', async () => {
  const whole = Buffer.concat([record('one'), record('two')])
  writeFileSync(
    join(from, FILE),
    Buffer.concat([whole, record('torn').subarray(0, -1), record('left over', OTHER_ID)]),
  )
  await copySegments(from, to)
  expect(readFileSync(join(to, FILE))).toEqual(whole)
})

test('a sealed segment is copied with its seal, without the bytes after it', async () => {
  const sealed = Buffer.concat([record('one'), encodeSeal(recordMarker(ID))])
  writeFileSync(join(from, FILE), Buffer.concat([sealed, record('two')]))
  await copySegments(from, to)
  expect(readFileSync(join(to, FILE))).toEqual(sealed)
})

test('a record after damage is copied too', async () => {
  const bytes = Buffer.concat([record('one'), Buffer.from('damage'), record('two')])
  writeFileSync(join(from, FILE), bytes)
  await copySegments(from, to)
  expect(readFileSync(join(to, FILE))).toEqual(bytes)
})

test('files without records and spare files are not copied', async () => {
  writeFileSync(join(from, FILE), record('stale', OTHER_ID))
  writeFileSync(join(from, `${OTHER_ID}.spare`), record('stale', OTHER_ID))
  await copySegments(from, to)
  expect(readdirSync(to)).toEqual([])
})

test('a missing journal counts as empty', async () => {
  await copySegments(join(from, 'none'), to)
  expect(readdirSync(to)).toEqual([])
})

function record(text: string, id = ID): Buffer {
  const payload = Buffer.from(text)
  const header = Buffer.alloc(HEADER_BYTES)
  encodeHeader(header, { marker: recordMarker(id), payload, rowCount: 1 })
  return Buffer.concat([header, payload])
}
