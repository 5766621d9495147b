import type { ByteColumn } from './byte-column.ts'
import { copyBytes, copyWords } from './copy-bytes.ts'
import { MAP_COLUMN_COUNT } from './event-table-columns.ts'
import type { PropertyColumns } from './property-columns.ts'
import { STORED_HEADER_BYTES, writeStoredHeader } from './stored-block.ts'

/** Rows of `events` in one stored block. */
export interface EventsBlock {
  readonly bytes: Buffer
  readonly rowCount: number
}

/** Allocates at least `byteCount` bytes for a block. */
export type AllocateBlock = (byteCount: number) => Buffer

/** The columns of a block; typed arrays may be longer than the rows. */
export interface BlockColumns {
  readonly projects: Uint32Array
  readonly kinds: ByteColumn
  /** Low and high half of each DateTime64(3). */
  readonly times: Int32Array
  readonly distinctIds: ByteColumn
  readonly sessionIds: Int32Array
  readonly eventIds: Int32Array
  readonly cookieless: Uint8Array
  readonly properties: PropertyColumns
}

/** Bytes of a row in the columns of fixed width, and in the ends of the maps. */
const FIXED_ROW_BYTES = 4 + 8 + 16 + 16 + 1 + MAP_COLUMN_COUNT * 8

/**
 * Encodes the first rows of the columns as one stored block. Typed arrays are copied as they are: all supported platforms and
 * the format are little-endian.
 */
export function encodeBlock(
  columns: BlockColumns,
  rowCount: number,
  allocate: AllocateBlock = Buffer.allocUnsafeSlow,
): EventsBlock {
  // Copying by words may write beyond the last stream.
  const block = new BlockWriter(allocate(sizeOf(columns, rowCount) + WORD_BYTES))
  block.numbers(columns.projects, rowCount)
  block.text(columns.kinds)
  block.numbers(columns.times, rowCount * 2)
  block.text(columns.distinctIds)
  block.numbers(columns.sessionIds, rowCount * 4)
  block.numbers(columns.eventIds, rowCount * 4)
  block.numbers(columns.cookieless, rowCount)
  for (const column of columns.properties.promoted) block.text(column)
  for (const map of columns.properties.maps) {
    block.numbers(map.ends, rowCount * 2)
    block.text(map.keys)
    block.text(map.values)
  }
  return { bytes: block.finish(rowCount), rowCount }
}

function sizeOf({ kinds, distinctIds, properties }: BlockColumns, rowCount: number): number {
  let size = STORED_HEADER_BYTES + FIXED_ROW_BYTES * rowCount + kinds.length + distinctIds.length
  for (const column of properties.promoted) size += column.length
  for (const map of properties.maps) size += map.keys.length + map.values.length
  return size
}

/** Up to this length a loop is faster than a call into native code; most streams of a one-row block are shorter. */
const LOOP_BYTES_MAX = 64

const WORD_BYTES = 4

/** Writes the streams, and then their lengths into the header. */
class BlockWriter {
  readonly #bytes: Buffer
  readonly #view: DataView
  readonly #streamBytes: number[] = []
  #length = STORED_HEADER_BYTES

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  /** A stream of bytes, such as texts. */
  text({ bytes, view, length }: ByteColumn): void {
    if (length > LOOP_BYTES_MAX) copyBytes(bytes, length, this.#bytes, this.#length)
    else copyWords(view, 0, this.#view, this.#length, length)
    this.#end(length)
  }

  /** A stream of numbers. */
  numbers(values: Uint8Array | Uint32Array | Int32Array, count: number): void {
    const byteLength = count * values.BYTES_PER_ELEMENT
    if (byteLength > LOOP_BYTES_MAX) {
      copyBytes(new Uint8Array(values.buffer, values.byteOffset), byteLength, this.#bytes, this.#length)
    } else if (values instanceof Uint8Array) {
      for (let index = 0; index < count; index++) this.#bytes[this.#length + index] = values[index] ?? 0
    } else {
      for (let index = 0; index < count; index++) {
        this.#view.setInt32(this.#length + index * WORD_BYTES, values[index] ?? 0, true)
      }
    }
    this.#end(byteLength)
  }

  finish(rowCount: number): Buffer {
    writeStoredHeader(this.#bytes, rowCount, this.#streamBytes)
    return this.#bytes.subarray(0, this.#length)
  }

  #end(byteLength: number): void {
    this.#length += byteLength
    this.#streamBytes.push(byteLength)
  }
}
