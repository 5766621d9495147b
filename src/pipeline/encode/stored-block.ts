import { assert } from '../../kernel/assert.ts'
import { runAtOnce, type Steps } from '../../kernel/time-slices.ts'
import { COLUMNS } from './event-table-columns.ts'

/**
 * A stored block is the format between worker and journal: the values of every column and their offsets, without names and
 * types. Small blocks stay small, and many of them are joined into one Native block by copying, because the engine spends half
 * a millisecond on each block, however small (benchmark case `insert/native-50k-blocks-of-100`).
 *
 * Layout, little-endian: UInt32 layout number, UInt32 row count, UInt32 byte length of each stream, then the streams. A
 * column is one stream; a map is three: ends, keys, values.
 */
interface Column {
  /** Name and type, which precede its streams in a Native block. */
  readonly header: Buffer
  readonly shape: Shape
}

type Shape = 'fixed' | 'text' | 'map'

/** Streams of a column: a map is its ends, its keys and its values. */
const STREAMS = { fixed: 1, text: 1, map: 3 } as const satisfies Record<Shape, number>

/** Columns of each layout that a journal may still contain; new blocks have the last. Append only: freeze the columns of an
 * old layout before {@link COLUMNS} changes. */
const LAYOUTS: readonly (readonly Column[])[] = [COLUMNS.map(columnOf)]

const LAYOUT_NUMBER = LAYOUTS.length
const COUNT_BYTES = 4
const FIXED_BYTES = 2 * COUNT_BYTES
const END_BYTES = 8
const VARINT_BYTES_MAX = 5

/** Streams of a block of this release. */
export const STREAM_COUNT = countStreams(LAYOUTS.at(-1) ?? [])

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

/** Joins stored blocks into Native blocks, without pauses: see {@link joinStoredBlocks}. */
export function toNativeBlocks(blocks: readonly Buffer[]): Buffer[] {
  return runAtOnce(joinStoredBlocks(blocks, Buffer.allocUnsafe))
}

/**
 * Joins stored blocks into Native blocks, one per layout: the body of an INSERT. Columns that are empty in every row are left
 * out, because the engine fills in defaults at no cost. Throws on invalid blocks.
 */
export function* joinStoredBlocks(
  blocks: readonly Buffer[],
  allocate: (byteCount: number) => Buffer,
): Steps<Buffer[]> {
  const byLayout = Map.groupBy(blocks, (block) => block.readUInt32LE(0))
  const joined: Buffer[] = []
  for (const [layout, alike] of byLayout) {
    joined.push(yield* joinBlocks(LAYOUTS[layout - 1] ?? unknownLayout(layout), alike, allocate))
  }
  return joined
}

function unknownLayout(layout: number): never {
  throw new Error(`a stored block has layout ${layout}, which this release does not support`)
}

/** A block with the bounds of its streams. */
interface OpenBlock {
  readonly bytes: Buffer
  readonly rowCount: number
  /** Start of each stream, and the end of the last. */
  readonly bounds: readonly number[]
}

function openBlock(streamCount: number, bytes: Buffer): OpenBlock {
  const bounds = [FIXED_BYTES + streamCount * COUNT_BYTES]
  for (let index = 0; index < streamCount; index++) {
    bounds.push((bounds[index] ?? 0) + bytes.readUInt32LE(FIXED_BYTES + index * COUNT_BYTES))
  }
  if (bounds.at(-1) !== bytes.length) throw new Error('a stored block does not have the length in its header')
  return { bytes, rowCount: bytes.readUInt32LE(COUNT_BYTES), bounds }
}

/** A column of a layout, and the index of its first stream. */
interface IndexedColumn extends Column {
  readonly stream: number
}

function* joinBlocks(
  columns: readonly Column[],
  blocks: readonly Buffer[],
  allocate: (byteCount: number) => Buffer,
): Steps<Buffer> {
  const open: OpenBlock[] = []
  for (const bytes of blocks) {
    open.push(openBlock(countStreams(columns), bytes))
    yield
  }
  const sent = indexColumns(columns).filter((column) => !open.every((block) => isEmpty(column, block)))
  const rowCount = open.reduce((sum, block) => sum + block.rowCount, 0)
  const headerBytes = sent.reduce((sum, { header }) => sum + header.length, 0)
  const dataBytes = blocks.reduce((sum, bytes) => sum + bytes.length, 0)
  const native = allocate(2 * VARINT_BYTES_MAX + headerBytes + dataBytes)
  let at = writeVarint(native, sent.length, 0)
  at = writeVarint(native, rowCount, at)
  for (const { header, shape, stream } of sent) {
    at += header.copy(native, at)
    const start = at
    for (let index = stream; index < stream + STREAMS[shape]; index++) {
      for (const { bytes, bounds } of open) at += bytes.copy(native, at, bounds[index], bounds[index + 1])
      yield
    }
    if (shape === 'map') joinEnds(native.subarray(start), open)
  }
  return native.subarray(0, at)
}

function indexColumns(columns: readonly Column[]): IndexedColumn[] {
  let stream = 0
  return columns.map((column) => {
    const indexed = { ...column, stream }
    stream += STREAMS[column.shape]
    return indexed
  })
}

/** An empty text is one byte, its length; a map without pairs has no keys. */
function isEmpty({ shape, stream }: IndexedColumn, { bounds, rowCount }: OpenBlock): boolean {
  const streamBytes = (index: number): number => (bounds[index + 1] ?? 0) - (bounds[index] ?? 0)
  if (shape === 'text') return streamBytes(stream) === rowCount
  return shape === 'map' && streamBytes(stream + 1) === 0
}

/** Map ends count pairs from the start of their block; in a joined block they continue. */
function joinEnds(ends: Buffer, blocks: readonly OpenBlock[]): void {
  let pairCount = 0
  let at = 0
  for (const { rowCount } of blocks) {
    pairCount = shiftEnds(ends.subarray(at, at + rowCount * END_BYTES), pairCount)
    at += rowCount * END_BYTES
  }
}

/** Adds the pairs of the previous blocks to every end; returns the last end. */
function shiftEnds(ends: Buffer, pairCount: number): number {
  if (ends.length === 0) return pairCount
  // Half the cost of the methods of a Buffer, for 40 bytes of each event.
  const view = new DataView(ends.buffer, ends.byteOffset, ends.length)
  if (pairCount > 0) {
    for (let offset = 0; offset < ends.length; offset += END_BYTES) {
      // A batch has far fewer than 2^32 pairs, so the high half stays 0.
      view.setUint32(offset, view.getUint32(offset, true) + pairCount, true)
    }
  }
  return view.getUint32(ends.length - END_BYTES, true)
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

function countStreams(columns: readonly Column[]): number {
  return columns.reduce((sum, { shape }) => sum + STREAMS[shape], 0)
}

function columnOf([name, type]: readonly [name: string, type: string]): Column {
  const header = Buffer.concat([
    Buffer.of(name.length),
    Buffer.from(name),
    Buffer.of(type.length),
    Buffer.from(type),
  ])
  return { header, shape: shapeOf(type) }
}

function shapeOf(type: string): Shape {
  if (type.startsWith('Map(')) return 'map'
  return type === 'String' ? 'text' : 'fixed'
}
