import { PROMOTED_ENTRIES } from '../../contract/promoted-properties.ts'
import { unreachable } from '../../kernel/assert.ts'
import type { PropertyValue } from '../event/event.ts'
import type { TextSpan } from '../event/event-row.ts'
import { isPlainInt, type PlainProperties, type PlainValue } from '../event/plain-properties.ts'
import type { StockText } from '../event/stock-text.ts'
import { ByteColumn } from './byte-column.ts'
import { PairColumn, textAt } from './pair-column.ts'
import { PROMOTED_ID_FIRST, PropertyKeys } from './property-keys.ts'
import { SourceText } from './source-text.ts'

const PROMOTED_COUNT = PROMOTED_ENTRIES.length

/** Stands for the offset of a promoted text that is not in the source. */
const STOCKED = -1

/** A promoted column; rows without text are filled in before the next text. */
class PromotedColumn extends ByteColumn {
  rowCount = 0
}

/**
 * The properties of all rows: the promoted columns and one map per property type. Promoted texts of the current row are only
 * recorded as spans of the source, so that they can be read and replaced until the row ends. A promoted property of another
 * type is in its map, and its text form in the column, so that queries read the column only.
 * Speed: `decode/json-batch-100`, `decode/binary-batch-100`.
 */
export class PropertyColumns {
  readonly source = new SourceText()
  readonly keys = new PropertyKeys()
  readonly promoted: readonly PromotedColumn[] = PROMOTED_ENTRIES.map(() => new PromotedColumn(2048))
  readonly strings = new PairColumn('text')
  readonly ints = new PairColumn(8)
  readonly doubles = new PairColumn(8)
  readonly bools = new PairColumn(1)
  readonly times = new PairColumn(8)
  readonly maps: readonly PairColumn[] = [this.strings, this.ints, this.doubles, this.bools, this.times]
  readonly #slotStarts = new Int32Array(PROMOTED_COUNT)
  readonly #slotLengths = new Int32Array(PROMOTED_COUNT)
  readonly #stock: (StockText | undefined)[] = new Array(PROMOTED_COUNT).fill(undefined)
  /** A bit for each promoted property of the row that has a text. */
  #slots = 0
  /** A bit for each of them whose text is the form of a value of another type. */
  #typed = 0

  /** Starts a row. */
  startRow(): void {
    this.#slots = 0
    this.#typed = 0
    this.source.startRow()
    this.keys.startRow()
    this.strings.startRow()
    this.ints.startRow()
    this.doubles.startRow()
    this.bools.startRow()
    this.times.startRow()
  }

  /** Ends a row. */
  endRow(row: number): void {
    for (let slots = this.#slots; slots !== 0; slots &= slots - 1) {
      const index = 31 - Math.clz32(slots & -slots)
      const column = this.promoted[index]
      if (column === undefined) break
      if (column.rowCount < row) column.zeros(row - column.rowCount)
      const start = this.#slotStarts[index] ?? 0
      const stock = start === STOCKED ? this.#stock[index] : undefined
      if (stock === undefined) column.text(this.source, start, this.#slotLengths[index] ?? 0)
      else column.stock(stock)
      column.rowCount = row + 1
    }
    this.strings.endRow(row)
    this.ints.endRow(row)
    this.doubles.endRow(row)
    this.bools.endRow(row)
    this.times.endRow(row)
  }

  /** Adds a text of the source. The key must be new in this row, here and below. */
  addText(id: number, start: number, length: number): void {
    const index = this.keys.promoted[id] ?? -1
    if (index >= 0 && length > 0) {
      this.#slots |= 1 << index
      this.#slotStarts[index] = start
      this.#slotLengths[index] = length
      return
    }
    this.strings.key(this.keys, id)
    this.strings.values.text(this.source, start, length)
  }

  /** Adds an integer by its halves. */
  addInt(id: number, low: number, high: number): void {
    this.ints.key(this.keys, id)
    this.ints.values.int64(low, high)
    if (this.#isPromoted(id)) this.#promote(id, String((BigInt(high) << 32n) | BigInt(low >>> 0)))
  }

  /** Adds a finite number. */
  addDouble(id: number, value: number): void {
    this.doubles.key(this.keys, id)
    this.doubles.values.float64(value)
    if (this.#isPromoted(id)) this.#promote(id, String(value))
  }

  /** Adds a Boolean: 0 or 1. */
  addBool(id: number, value: number): void {
    this.bools.key(this.keys, id)
    this.bools.values.byte(value)
    if (this.#isPromoted(id)) this.#promote(id, value === 1 ? 'true' : 'false')
  }

  /** Adds a time in milliseconds since the Unix epoch. */
  addTime(id: number, timeMs: number): void {
    this.times.key(this.keys, id)
    const high = Math.floor(timeMs / 0x1_0000_0000)
    this.times.values.int64(timeMs - high * 0x1_0000_0000, high)
    if (this.#isPromoted(id)) this.#promote(id, new Date(timeMs).toISOString())
  }

  /** Whether the current row has a property, of any type. */
  has(key: string): boolean {
    const id = this.keys.idOf(key)
    return id !== undefined && this.keys.isSeen(id)
  }

  /** A property of the current row. */
  get(key: string): PropertyValue | undefined {
    const id = this.keys.idOf(key)
    if (id === undefined || !this.keys.isSeen(id)) return undefined
    const index = this.keys.promoted[id] ?? -1
    const isText = index >= 0 && (this.#slots & ~this.#typed & (1 << index)) !== 0
    return isText ? { type: 'string', value: this.#slotText(index) } : this.#fromMaps(id)
  }

  /** Whether the current row has no value, or an empty text, of a promoted property. */
  isUnset(index: number): boolean {
    return (this.#slots & (1 << index)) === 0
  }

  /** The place of a promoted text of the current row; `undefined` when it is missing, empty or of another type. */
  promotedSpan(index: number): TextSpan | undefined {
    if ((this.#slots & ~this.#typed & (1 << index)) === 0) return undefined
    const start = this.#slotStarts[index] ?? 0
    if (start !== STOCKED) return { start, length: this.#slotLengths[index] ?? 0 }
    const added = this.source.tail
    return { start: added, length: this.source.add(this.#slotText(index)) }
  }

  /** Sets a promoted property of the current row to a text of the source that is not empty. */
  setPromotedSpan(index: number, start: number, length: number): void {
    const id = PROMOTED_ID_FIRST + index
    if (!this.keys.see(id)) this.#drop(id)
    this.#slots |= 1 << index
    this.#slotStarts[index] = start
    this.#slotLengths[index] = length
  }

  /** Sets a promoted property of the current row to a text that is not empty. */
  setPromoted(index: number, value: StockText): void {
    const id = PROMOTED_ID_FIRST + index
    if (!this.keys.see(id)) this.#drop(id)
    this.#slots |= 1 << index
    this.#slotStarts[index] = STOCKED
    this.#stock[index] = value
  }

  /** Removes a promoted property from the current row. */
  removePromoted(index: number): void {
    const id = PROMOTED_ID_FIRST + index
    if (!this.keys.isSeen(id)) return
    this.#drop(id)
    this.keys.unsee(id)
  }

  /** Sets a property of the current row, replacing any value. */
  set(key: string, value: PropertyValue): void {
    const id = this.keys.intern(key)
    if (!this.keys.see(id)) this.#drop(id)
    switch (value.type) {
      case 'string': {
        const start = this.source.tail
        this.addText(id, start, this.source.add(value.value))
        break
      }
      case 'int':
        this.#addBigInt(id, value.value)
        break
      case 'double':
        this.addDouble(id, value.value)
        break
      case 'bool':
        this.addBool(id, value.value ? 1 : 0)
        break
      case 'time':
        this.addTime(id, value.value)
        break
      default:
        unreachable(value)
    }
  }

  /** Sets properties of the current row, replacing any values. Speed: `dialect/segment-15`. */
  setPlain({ keys, values }: PlainProperties): void {
    for (let index = 0; index < keys.length; index++) {
      const value = values[index]
      if (value !== undefined) this.#setPlain(keys[index] ?? '', value)
    }
  }

  /** Removes a property from the current row. */
  remove(key: string): void {
    const id = this.keys.idOf(key)
    if (id === undefined || !this.keys.isSeen(id)) return
    this.#drop(id)
    this.keys.unsee(id)
  }

  /** Fills the promoted columns with empty texts up to a row count. */
  padTo(rowCount: number): void {
    for (const column of this.promoted) {
      column.zeros(rowCount - column.rowCount)
      column.rowCount = rowCount
    }
  }

  /** Makes room for rows. */
  reserveRows(rowCount: number): void {
    for (const map of this.maps) map.reserveRows(rowCount)
  }

  /** Removes all rows. */
  clear(): void {
    for (const map of this.maps) map.clear()
    for (const column of this.promoted) {
      column.clear()
      column.rowCount = 0
    }
    this.source.release()
  }

  /** Writes the state into `numbers` from `at`, and returns the index after it. */
  save(numbers: Int32Array, at: number): number {
    let next = at
    for (const map of this.maps) next = map.save(numbers, next)
    for (const column of this.promoted) {
      numbers[next++] = column.length
      numbers[next++] = column.rowCount
    }
    return next
  }

  /** Restores a saved state. */
  restore(numbers: Int32Array, at: number): number {
    let next = at
    for (const map of this.maps) next = map.restore(numbers, next)
    for (const column of this.promoted) {
      column.length = numbers[next++] ?? 0
      column.rowCount = numbers[next++] ?? 0
    }
    return next
  }

  #setPlain(key: string, value: PlainValue): void {
    const id = this.keys.intern(key)
    if (!this.keys.see(id)) this.#drop(id)
    if (typeof value === 'string') {
      const start = this.source.tail
      this.addText(id, start, this.source.add(value))
    } else if (typeof value === 'boolean') this.addBool(id, value ? 1 : 0)
    else if (typeof value === 'bigint') this.#addBigInt(id, value)
    else if (isPlainInt(value)) this.addInt(id, value | 0, Math.floor(value / 0x1_0000_0000))
    else this.addDouble(id, value)
  }

  #addBigInt(id: number, value: bigint): void {
    const number = Number(value)
    if (Number.isSafeInteger(number)) this.addInt(id, number | 0, Math.floor(number / 0x1_0000_0000))
    else this.addInt(id, Number(BigInt.asIntN(32, value)), Number(value >> 32n))
  }

  #isPromoted(id: number): boolean {
    return (this.keys.promoted[id] ?? -1) >= 0
  }

  #promote(id: number, text: string): void {
    const index = this.keys.promoted[id] ?? -1
    const start = this.source.tail
    this.#slots |= 1 << index
    this.#typed |= 1 << index
    this.#slotStarts[index] = start
    this.#slotLengths[index] = this.source.add(text)
  }

  #drop(id: number): void {
    const index = this.keys.promoted[id] ?? -1
    const bit = index < 0 ? 0 : 1 << index
    const isOnlyText = (this.#slots & ~this.#typed & bit) !== 0
    this.#slots &= ~bit
    this.#typed &= ~bit
    if (isOnlyText) return
    for (const map of this.maps) map.remove(this.keys, id)
  }

  /** Text of a promoted property that the current row has. */
  #slotText(index: number): string {
    const start = this.#slotStarts[index] ?? 0
    if (start === STOCKED) return this.#stock[index]?.text ?? ''
    return this.source.text(start, this.#slotLengths[index] ?? 0)
  }

  #fromMaps(id: number): PropertyValue | undefined {
    const text = this.strings.findValue(this.keys, id)
    if (text >= 0) {
      const { start, end } = textAt(this.strings.values, text)
      const bytes = this.strings.values.bytes.subarray(start, end)
      return { type: 'string', value: Buffer.from(bytes).toString('utf8') }
    }
    const int = this.ints.findValue(this.keys, id)
    if (int >= 0) return { type: 'int', value: this.ints.values.view.getBigInt64(int, true) }
    const double = this.doubles.findValue(this.keys, id)
    if (double >= 0) return { type: 'double', value: this.doubles.values.view.getFloat64(double, true) }
    const bool = this.bools.findValue(this.keys, id)
    if (bool >= 0) return { type: 'bool', value: this.bools.values.bytes[bool] === 1 }
    const time = this.times.findValue(this.keys, id)
    if (time >= 0) return { type: 'time', value: Number(this.times.values.view.getBigInt64(time, true)) }
    return undefined
  }
}
