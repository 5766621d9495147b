import { PROMOTED_ENTRIES } from '../../contract/promoted-properties.ts'
import { ByteColumn, copyWords } from './byte-column.ts'
import type { PropertyColumns } from './property-columns.ts'

/** Rows of `events` in one Native block. */
export interface EventsBlock {
  /** Memory of its own, which can be moved to another thread. */
  readonly bytes: Buffer
  readonly rowCount: number
}

/** Everything that a block is made of; in typed arrays, what lies behind the rows is left alone. */
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

/** The columns in the order of the block, before the promoted ones and after them. */
const COLUMNS_BEFORE = [
  ['project', 'UInt32'],
  ['kind', 'String'],
  ['time', "DateTime64(3, 'UTC')"],
  ['distinct_id', 'String'],
  ['session_id', 'UUID'],
  ['event_id', 'UUID'],
  ['cookieless', 'Bool'],
] as const

const COLUMNS_AFTER = [
  ['strings', 'Map(String, String)'],
  ['ints', 'Map(String, Int64)'],
  ['doubles', 'Map(String, Float64)'],
  ['bools', 'Map(String, Bool)'],
  ['times', "Map(String, DateTime64(3, 'UTC'))"],
] as const

const PROMOTED_COLUMNS = PROMOTED_ENTRIES.map(([, column]) => [column, 'String'] as const)

/** Name and type of each column as they stand in the block, each with its byte length before it. */
const HEADERS: readonly ByteColumn[] = [...COLUMNS_BEFORE, ...PROMOTED_COLUMNS, ...COLUMNS_AFTER].map(
  ([name, type]) => {
    const header = new ByteColumn(128)
    for (const text of [name, type]) {
      header.varint(text.length)
      for (const byte of Buffer.from(text)) header.byte(byte)
    }
    return header
  },
)

const HEADER_BYTES = HEADERS.reduce((sum, header) => sum + header.length, 0)

/** Bytes of a row in the columns of fixed width, and in the ends of the maps. */
const FIXED_ROW_BYTES = 4 + 8 + 16 + 16 + 1 + COLUMNS_AFTER.length * 8

const COUNT_BYTES_MAX = 10

/** Words are written whole, also the last one of a part. */
const SLACK_BYTES = 4

/**
 * The first rows of the columns as one block of ClickHouse's Native format: the column count and the row count, then each
 * column as name, type and values. Columns are sent with their plain type; the engine casts to LowCardinality, which is
 * cheaper than sending dictionaries. Typed arrays are copied as they lie in memory: all supported platforms are
 * little-endian, as the format is.
 */
export function encodeBlock(columns: BlockColumns, rowCount: number): EventsBlock {
  const block = new BlockWriter(sizeOf(columns, rowCount))
  block.varint(HEADERS.length)
  block.varint(rowCount)
  block.numbers(columns.projects, rowCount)
  block.text(columns.kinds, 0)
  block.numbers(columns.times, rowCount * 2)
  block.text(columns.distinctIds, 0)
  block.numbers(columns.sessionIds, rowCount * 4)
  block.numbers(columns.eventIds, rowCount * 4)
  block.numbers(columns.cookieless, rowCount)
  for (const column of columns.properties.promoted) block.text(column, rowCount - column.rowCount)
  for (const map of columns.properties.maps) {
    block.numbers(map.ends, rowCount * 2)
    block.append(map.keys)
    block.append(map.values)
  }
  return { bytes: block.finish(), rowCount }
}

function sizeOf({ kinds, distinctIds, properties }: BlockColumns, rowCount: number): number {
  let size = COUNT_BYTES_MAX + HEADER_BYTES + FIXED_ROW_BYTES * rowCount + kinds.length + distinctIds.length
  for (const column of properties.promoted) size += column.length + rowCount - column.rowCount
  for (const map of properties.maps) size += map.keys.length + map.values.length
  return size
}

/** Parts up to this length are copied by a loop: below it, the call into native code costs more than it saves. */
const LOOP_BYTES_MAX = 128

class BlockWriter {
  readonly #bytes: Buffer
  readonly #view: DataView
  #length = 0
  #columnCount = 0

  constructor(bytesMax: number) {
    this.#bytes = Buffer.allocUnsafeSlow(bytesMax + SLACK_BYTES)
    this.#view = new DataView(this.#bytes.buffer)
  }

  varint(value: number): void {
    let rest = value
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.#bytes[this.#length++] = rest
  }

  /** A column of texts; `emptyCount` empty ones are added. */
  text(column: ByteColumn, emptyCount: number): void {
    this.#header()
    this.append(column)
    const end = this.#length + emptyCount
    if (emptyCount > LOOP_BYTES_MAX) this.#bytes.fill(0, this.#length, end)
    else for (let at = this.#length; at < end; at += 4) this.#view.setInt32(at, 0, true)
    this.#length = end
  }

  /** A column of fixed width, or the ends of a map. */
  numbers(values: Uint8Array | Uint32Array | Int32Array, count: number): void {
    this.#header()
    const byteLength = count * values.BYTES_PER_ELEMENT
    this.#bytes.set(new Uint8Array(values.buffer, values.byteOffset, byteLength), this.#length)
    this.#length += byteLength
  }

  append({ bytes, view, length }: ByteColumn): void {
    if (length > LOOP_BYTES_MAX) this.#bytes.set(bytes.subarray(0, length), this.#length)
    else copyWords(view, 0, this.#view, this.#length, length)
    this.#length += length
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #header(): void {
    const header = HEADERS[this.#columnCount++]
    if (header !== undefined) this.append(header)
  }
}
