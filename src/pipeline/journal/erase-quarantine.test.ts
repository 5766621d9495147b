import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../../kernel/log.ts'
import { COLUMNS } from '../encode/event-table-columns.ts'
import { STORED_HEADER_BYTES, toNativeBlocks, writeStoredHeader } from '../encode/stored-block.ts'
import { readStoredOwners } from '../encode/stored-rows.ts'
import { eraseQuarantine } from './erase-quarantine.ts'
import { diskFiles } from './files.ts'
import { Quarantine } from './quarantine.ts'

const log = createLogger({ role: 'test', level: 'silent' })
const SEGMENT = 'a'.repeat(32)
const PERSON = 'alice@example.org'

let folder: string
let quarantine: Quarantine

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quarantine-'))
  quarantine = await Quarantine.open(diskFiles, folder)
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

interface Owner {
  readonly project: number
  readonly distinctId: string
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  // Two bytes of length also for short texts: a varint may be longer than it needs to be.
  return Buffer.concat([Buffer.of((bytes.length & 0x7f) | 0x80, bytes.length >> 7), bytes])
}

function int64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(BigInt(value))
  return bytes
}

/** Row `n` has `n` entries in each map, and its number in every column. */
function streamsOf([name, type]: readonly [string, string], owners: readonly Owner[]): Buffer[] {
  const rows = owners.map((_, row) => row)
  if (type.startsWith('Map(')) {
    const pairs = rows.flatMap((row) => new Array<number>(row).fill(row))
    const value = type.slice('Map(String, '.length, -1)
    const ends = rows.map((row) => int64(pairs.filter((of) => of <= row).length))
    return [ends, pairs.map((row) => text(`key${row}`)), pairs.map((row) => cell(value, row))].map((cells) =>
      Buffer.concat(cells),
    )
  }
  if (name === 'distinct_id') return [Buffer.concat(owners.map(({ distinctId }) => text(distinctId)))]
  if (name === 'project') return [Buffer.from(new Uint32Array(owners.map(({ project }) => project)).buffer)]
  return [Buffer.concat(rows.map((row) => cell(type, row)))]
}

function cell(type: string, row: number): Buffer {
  if (type === 'String') return text(`value${row}`)
  if (type === 'Bool') return Buffer.of(row % 2)
  return type === 'UUID' ? Buffer.alloc(16, row) : int64(row)
}

function blockOf(owners: readonly Owner[]): Buffer {
  const streams = COLUMNS.flatMap((column) => streamsOf(column, owners))
  const header = Buffer.alloc(STORED_HEADER_BYTES)
  writeStoredHeader(
    header,
    owners.length,
    streams.map(({ length }) => length),
  )
  return Buffer.concat([header, ...streams])
}

async function add(payload: Buffer, reason: 'rejected' | 'damaged' = 'rejected', rows = 3): Promise<void> {
  const offset = (await quarantine.list()).length
  const error = `Cannot parse '${PERSON}'`
  await quarantine.add({ reason, error, rows, segment: SEGMENT, offset, payload }, log)
}

async function erase(): Promise<number> {
  const findErased = async (ids: readonly string[]) => new Set(ids.filter((id) => id === PERSON))
  return await eraseQuarantine(quarantine, { project: 1, text: PERSON, findErased }, log)
}

const [BOB, ALICE, ALICE_ELSEWHERE]: readonly Owner[] = [
  { project: 1, distinctId: 'bob' },
  { project: 1, distinctId: PERSON },
  { project: 2, distinctId: PERSON },
]

test("the user's rows are erased, and the others make the block that they would have made alone", async () => {
  const owners = [BOB, ALICE, BOB, ALICE_ELSEWHERE, ALICE].filter((owner) => owner !== undefined)
  const before = blockOf(owners)
  await add(before)
  expect(await erase()).toBe(2)
  const [entry] = await quarantine.list()
  expect(entry).toMatchObject({ rows: 3, error: "Cannot parse '?'" })
  const after = entry ? await quarantine.read(entry) : Buffer.alloc(0)
  expect(readStoredOwners(after)).toEqual([BOB, BOB, ALICE_ELSEWHERE])
  const [native] = toNativeBlocks([after])
  expect(native?.includes('key2')).toBe(true)
  expect(native?.includes('key1')).toBe(false)
  expect(native?.includes('value4')).toBe(false)
})

test('a block with rows of the user only is removed', async () => {
  await add(blockOf([ALICE, ALICE].filter((owner) => owner !== undefined)))
  expect(await erase()).toBe(2)
  expect(readdirSync(folder)).toEqual([])
})

test('a block without the user is unchanged', async () => {
  const block = blockOf([BOB, ALICE_ELSEWHERE].filter((owner) => owner !== undefined))
  await add(block)
  expect(await erase()).toBe(0)
  const [entry] = await quarantine.list()
  expect(entry && (await quarantine.read(entry))).toEqual(block)
})

test('rows of Identify calls are erased by either of their ids', async () => {
  const lines = [
    { project: 1, external_id: PERSON, anonymous_id: '' },
    { project: 1, external_id: 'bob', anonymous_id: '' },
    { project: 1, external_id: 'carol', anonymous_id: PERSON },
  ]
  await add(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
  expect(await erase()).toBe(2)
  const [entry] = await quarantine.list()
  const left = entry ? (await quarantine.read(entry)).toString() : ''
  expect(left).toBe(`${JSON.stringify(lines[1])}\n`)
})

test('damaged bytes that contain the id are removed', async () => {
  await add(Buffer.from(`\u0000garbage${PERSON}garbage`), 'damaged', 7)
  await add(Buffer.from('garbage'), 'damaged')
  expect(await erase()).toBe(7)
  expect(await quarantine.list()).toHaveLength(1)
})

test('the erasure of a project removes all its rows, and leaves unreadable entries', async () => {
  const owners = [BOB, ALICE, ALICE_ELSEWHERE].filter((owner) => owner !== undefined)
  await add(blockOf(owners))
  await add(Buffer.from(`cut off ${PERSON}`), 'damaged')
  const findErased = async (ids: readonly string[]) => new Set(ids)
  expect(await eraseQuarantine(quarantine, { project: 1, findErased }, log)).toBe(2)
  const [entry, damaged] = await quarantine.list()
  expect(entry && readStoredOwners(await quarantine.read(entry))).toEqual([ALICE_ELSEWHERE])
  expect(damaged?.reason).toBe('damaged')
})
