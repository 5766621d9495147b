import { assert } from '../../kernel/assert.ts'
import { COLUMNS } from './event-table-columns.ts'

/**
 * A stored block is what a worker hands on and the journal keeps: the values of every column, and where each begins, but
 * no names and types. Blocks of a few rows stay small that way, and many of them become one Native block by copying: the
 * engine needs half a millisecond for each block, however small (benchmark case `insert/native-50k-blocks-of-100`).
 *
 * Layout, little-endian: UInt32 layout number, UInt32 row count, UInt32 byte length of each stream, then the streams. A
 * column is one stream; a map is three: ends, keys, values.
 */
interface Stream {
  /** What stands before it in a Native block. */
  readonly header: Buffer
  /** Ends of maps count pairs from the start of their block, and go on counting in a joined one. */
  readonly isEnds: boolean
}

/** Streams of each layout that a journal may still hold; the last one is written. Append only. */
const LAYOUTS: readonly (readonly Stream[])[] = [COLUMNS.flatMap(streamsOf)]

const LAYOUT_NUMBER = LAYOUTS.length
const COUNT_BYTES = 4
const FIXED_BYTES = 2 * COUNT_BYTES
const END_BYTES = 8
const VARINT_BYTES_MAX = 5

/** Streams of a block of this release. */
export const STREAM_COUNT = (LAYOUTS.at(-1) ?? []).length

/** Bytes before the first stream. */
export const STORED_HEADER_BYTES = FIXED_BYTES + STREAM_COUNT * COUNT_BYTES

/** Writes the header of a stored block; `streamBytes` are the byte lengths of its streams. */
export function writeStoredHeader(block: Buffer, rowCount: number, streamBytes: readonly number[]): void {
  assert(streamBytes.length === STREAM_COUNT, 'a stored block has every stream')
  block.writeUInt32LE(LAYOUT_NUMBER, 0)
  block.writeUInt32LE(rowCount, COUNT_BYTES)
  streamBytes.forEach((length, index) => {
    block.writeUInt32LE(length, FIXED_BYTES + index * COUNT_BYTES)
  })
}

/** Joins stored blocks into Native blocks, one for each layout among them: the body of an INSERT. Throws on damage. */
export function toNativeBlocks(blocks: readonly Buffer[]): Buffer[] {
  const byLayout = Map.groupBy(blocks, (block) => block.readUInt32LE(0))
  return [...byLayout].map(([layout, alike]) =>
    joinBlocks(LAYOUTS[layout - 1] ?? unknownLayout(layout), alike),
  )
}

function unknownLayout(layout: number): never {
  throw new Error(`a stored block has layout ${layout}, which this release does not know`)
}

/** Where the streams of a block begin and end. */
interface OpenBlock {
  readonly bytes: Buffer
  readonly rowCount: number
  /** Start of each stream, and the end of the last. */
  readonly bounds: readonly number[]
}

function openBlock(streams: readonly Stream[], bytes: Buffer): OpenBlock {
  const bounds = [FIXED_BYTES + streams.length * COUNT_BYTES]
  streams.forEach((_, index) => {
    bounds.push((bounds[index] ?? 0) + bytes.readUInt32LE(FIXED_BYTES + index * COUNT_BYTES))
  })
  if (bounds.at(-1) !== bytes.length) throw new Error('a stored block is not as long as it says')
  return { bytes, rowCount: bytes.readUInt32LE(COUNT_BYTES), bounds }
}

function joinBlocks(streams: readonly Stream[], blocks: readonly Buffer[]): Buffer {
  const open = blocks.map((bytes) => openBlock(streams, bytes))
  const rowCount = open.reduce((sum, block) => sum + block.rowCount, 0)
  const headerBytes = streams.reduce((sum, { header }) => sum + header.length, 0)
  const dataBytes = blocks.reduce((sum, bytes) => sum + bytes.length, 0)
  const native = Buffer.allocUnsafe(2 * VARINT_BYTES_MAX + headerBytes + dataBytes)
  let at = writeVarint(native, streams.filter(({ header }) => header.length > 0).length, 0)
  at = writeVarint(native, rowCount, at)
  streams.forEach(({ header, isEnds }, index) => {
    at += header.copy(native, at)
    let pairCount = 0
    for (const { bytes, bounds } of open) {
      const start = at
      at += bytes.copy(native, at, bounds[index], bounds[index + 1])
      if (isEnds) pairCount = shiftEnds(native.subarray(start, at), pairCount)
    }
  })
  return native.subarray(0, at)
}

/** Adds the pairs of the blocks before to every end; answers the last one. */
function shiftEnds(ends: Buffer, pairCount: number): number {
  if (ends.length === 0) return pairCount
  if (pairCount > 0) {
    for (let offset = 0; offset < ends.length; offset += END_BYTES) {
      // A batch is far from 2^32 pairs, so that the high half stays 0.
      ends.writeUInt32LE(ends.readUInt32LE(offset) + pairCount, offset)
    }
  }
  return ends.readUInt32LE(ends.length - END_BYTES)
}

function writeVarint(buffer: Buffer, value: number, at: number): number {
  let rest = value
  let offset = at
  while (rest >= 0x80) {
    buffer[offset++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  buffer[offset++] = rest
  return offset
}

function streamsOf([name, type]: readonly [name: string, type: string]): Stream[] {
  const header = Buffer.concat([
    Buffer.of(name.length),
    Buffer.from(name),
    Buffer.of(type.length),
    Buffer.from(type),
  ])
  const nothing = Buffer.alloc(0)
  if (!type.startsWith('Map(')) return [{ header, isEnds: false }]
  return [
    { header, isEnds: true },
    { header: nothing, isEnds: false },
    { header: nothing, isEnds: false },
  ]
}
