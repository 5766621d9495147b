import { assert } from '../../kernel/assert.ts'
import { COLUMNS } from './event-table-columns.ts'
import { STORED_HEADER_BYTES, STREAM_COUNT, writeStoredHeader } from './stored-block.ts'

/** Project and distinct id of a row in a stored block. */
export interface StoredOwner {
  readonly project: number
  readonly distinctId: string
}

const COUNT_BYTES = 4
const END_BYTES = 8

/** Bytes per value of the fixed-width types. */
const WIDTHS: ReadonlyMap<string, number> = new Map([
  ['UInt32', 4],
  ['Int64', 8],
  ['Float64', 8],
  ['Bool', 1],
  ['UUID', 16],
  ["DateTime64(3, 'UTC')", 8],
])

/** Reads the owners of the rows in a stored block of this release; throws on other bytes. Rare, so simple rather than fast. */
export function readStoredOwners(block: Buffer): readonly StoredOwner[] {
  const { rowCount, columns } = openColumns(block)
  const projects = columns.get('project')?.[0] ?? Buffer.alloc(0)
  const ids = splitValues(columns.get('distinct_id')?.[0] ?? Buffer.alloc(0), 'String', rowCount)
  return ids.map((value, row) => ({
    project: projects.readUInt32LE(row * COUNT_BYTES),
    distinctId: value.subarray(readLength(value, 0).start).toString('utf8'),
  }))
}

/** The block without some of its rows. Throws on bytes that are not a stored block of this release. */
export function withoutRows(block: Buffer, removed: ReadonlySet<number>): Buffer {
  const { rowCount, columns } = openColumns(block)
  const streams = COLUMNS.flatMap(([name, type]) =>
    commitRows(columns.get(name) ?? [], type, { rowCount, removed }),
  )
  const header = Buffer.alloc(STORED_HEADER_BYTES)
  writeStoredHeader(
    header,
    rowCount - removed.size,
    streams.map(({ length }) => length),
  )
  return Buffer.concat([header, ...streams])
}

interface Rows {
  readonly rowCount: number
  readonly removed: ReadonlySet<number>
}

function commitRows(streams: readonly Buffer[], type: string, { rowCount, removed }: Rows): Buffer[] {
  const [first = Buffer.alloc(0), keys, values] = streams
  if (!keys || !values) {
    return [Buffer.concat(splitValues(first, type, rowCount).filter((_, row) => !removed.has(row)))]
  }
  const ends = splitValues(first, 'Int64', rowCount).map((end) => Number(end.readBigUInt64LE()))
  const pairCount = ends.at(-1) ?? 0
  const isKept = ends.flatMap((end, row) =>
    new Array<boolean>(end - (ends[row - 1] ?? 0)).fill(!removed.has(row)),
  )
  return [
    keepEnds(ends, removed),
    Buffer.concat(splitValues(keys, 'String', pairCount).filter((_, pair) => isKept[pair])),
    Buffer.concat(splitValues(values, valueType(type), pairCount).filter((_, pair) => isKept[pair])),
  ]
}

function keepEnds(ends: readonly number[], removed: ReadonlySet<number>): Buffer {
  let pairCount = 0
  const kept = ends.flatMap((end, row) => {
    if (removed.has(row)) return []
    pairCount += end - (ends[row - 1] ?? 0)
    const bytes = Buffer.alloc(END_BYTES)
    bytes.writeBigUInt64LE(BigInt(pairCount))
    return [bytes]
  })
  return Buffer.concat(kept)
}

/** The streams of each column, by name. */
function openColumns(block: Buffer): {
  readonly rowCount: number
  readonly columns: ReadonlyMap<string, readonly Buffer[]>
} {
  const rowCount = block.readUInt32LE(COUNT_BYTES)
  const expected = Buffer.alloc(STORED_HEADER_BYTES)
  const lengths = Array.from({ length: STREAM_COUNT }, (_, index) =>
    block.readUInt32LE((2 + index) * COUNT_BYTES),
  )
  writeStoredHeader(expected, rowCount, lengths)
  if (!expected.equals(block.subarray(0, STORED_HEADER_BYTES))) throw new Error('not a block of this release')
  let at = STORED_HEADER_BYTES
  const streams = lengths.map((length) => {
    at += length
    return block.subarray(at - length, at)
  })
  if (at !== block.length) throw new Error('a stored block does not have the length in its header')
  let next = 0
  const columns = new Map(
    COLUMNS.map(([name, type]) => {
      const from = next
      next += type.startsWith('Map(') ? 3 : 1
      return [name, streams.slice(from, next)]
    }),
  )
  return { rowCount, columns }
}

function valueType(mapType: string): string {
  return mapType.slice('Map(String, '.length, -1)
}

function splitValues(stream: Buffer, type: string, count: number): Buffer[] {
  const width = WIDTHS.get(type)
  let at = 0
  const values = Array.from({ length: count }, () => {
    const start = at
    at = width === undefined ? readLength(stream, start).end : start + width
    return stream.subarray(start, at)
  })
  assert(at === stream.length, `a stream of ${type} has as many values as rows`)
  return values
}

/** Start and end of the text whose length prefix is at `at`. */
function readLength(stream: Buffer, at: number): { readonly start: number; readonly end: number } {
  let length = 0
  let start = at
  for (let shift = 0; ; shift += 7) {
    const byte = stream.readUInt8(start++)
    length += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return { start, end: start + length }
  }
}
