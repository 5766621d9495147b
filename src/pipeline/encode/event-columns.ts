import type { ProjectId } from '../../contract/ids.ts'
import { assert } from '../../kernel/assert.ts'
import type { Event, PropertyValue } from '../event/event.ts'
import { type PlainEvent, PlainProperties } from '../event/plain-properties.ts'
import { ByteCache } from './byte-cache.ts'
import { ByteColumn } from './byte-column.ts'
import { type AllocateBlock, type BlockColumns, type EventsBlock, encodeBlock } from './encode-block.ts'
import { textAt } from './pair-column.ts'
import { PropertyColumns } from './property-columns.ts'
import { removeRows } from './remove-rows.ts'

/** The request whose rows are added, and the last step of each row. */
export interface RowContext {
  readonly projectId: ProjectId
  /** Index of the request in its task. */
  readonly requestIndex: number
  /** Enrichment: reads and sets properties of the current row. */
  readonly finishRow?: FinishRow | undefined
}

/**
 * Called for each row after its properties are in the columns. Rows can be rolled back: when a scanner gives up, the slow
 * decoder adds the request again, and a rejected request leaves no rows. State outside the columns must allow for both.
 */
export type FinishRow = (columns: EventColumns, context: RowContext) => void

/** A cookieless row that needs {@link EventColumns.resolveIdentity} or {@link EventColumns.dropRow}. */
export interface PendingIdentity {
  readonly row: number
  readonly timeMs: number
  readonly requestIndex: number
}

/** Options of {@link EventColumns.finish}. */
export interface FinishOptions {
  /** Allocates the memory of the block; by default a new buffer. */
  readonly allocate?: AllocateBlock
  /** Called with the columns just before they are encoded. */
  readonly inspect?: (columns: BlockColumns, rowCount: number) => void
}

/** A state for {@link EventColumns.rollback}. */
export interface ColumnsMark {
  readonly numbers: Int32Array
}

const MARK_NUMBERS = 128

/** Kept texts of kinds, a power of two: most projects have fewer kinds. */
const KINDS_MAX = 256
const KIND_BYTES_MAX = 16_384

/**
 * The columns of `events` under construction: decoders add rows, rejected requests are rolled back as a whole, and the rest
 * becomes one stored block. Instances are reused.
 * Speed: `decode/json-batch-100`, `decode/binary-batch-100`, `decode/json-batch-1`.
 */
export class EventColumns {
  readonly properties = new PropertyColumns()
  readonly kinds = new ByteColumn(8192)
  /** Distinct ids of all rows but the pending ones, whose ids are inserted at the end. */
  readonly distinctIds = new ByteColumn(16_384)
  /** UUIDs as four 32-bit words each: the halves of the two UInt64 that ClickHouse keeps. */
  eventIds: Int32Array = new Int32Array(512)
  sessionIds: Int32Array = new Int32Array(512)
  #projects: Uint32Array = new Uint32Array(128)
  #times: Int32Array = new Int32Array(256)
  #cookieless: Uint8Array = new Uint8Array(128)
  #rowsMax = 128
  #rowCount = 0
  #kindStart = 0
  readonly #kindTexts = new ByteCache<string>(KINDS_MAX, KIND_BYTES_MAX)
  #pending: PendingIdentity[] = []
  /** Offset at which the distinct id of each pending row is inserted. */
  #pendingOffsets: number[] = []
  readonly #resolved = new Map<number, string>()
  readonly #dropped = new Set<number>()
  readonly #mark: ColumnsMark = { numbers: new Int32Array(MARK_NUMBERS) }

  /** Number of complete rows, and so the index of the current row. */
  get rowCount(): number {
    return this.#rowCount
  }

  /** Kind of the current row's event. */
  get kind(): string {
    const { start, end } = textAt(this.kinds, this.#kindStart)
    const known = this.#kindTexts.find(this.kinds.view, start, end - start)
    if (known !== undefined) return known
    const kind = Buffer.from(this.kinds.bytes.subarray(start, end)).toString('latin1')
    this.#kindTexts.add(this.kinds, start, end - start, kind)
    return kind
  }

  /** Cookieless rows, in order of arrival. */
  get pendingIdentities(): readonly PendingIdentity[] {
    return this.#pending
  }

  /** Whether the current row has a property, of any type. */
  hasProperty(key: string): boolean {
    return this.properties.has(key)
  }

  /** A property of the current row. */
  property(key: string): PropertyValue | undefined {
    return this.properties.get(key)
  }

  /** Sets a property of the current row, replacing any value. */
  setProperty(key: string, value: PropertyValue): void {
    this.properties.set(key, value)
  }

  /** Removes a property from the current row. */
  removeProperty(key: string): void {
    this.properties.remove(key)
  }

  /** Saves the current state. There is one mark at a time; a new one invalidates the last. */
  mark(): ColumnsMark {
    const { numbers } = this.#mark
    numbers[0] = this.#rowCount
    numbers[1] = this.kinds.length
    numbers[2] = this.distinctIds.length
    numbers[3] = this.#pending.length
    this.properties.save(numbers, 4)
    return this.#mark
  }

  /** Removes every row since the mark. */
  rollback({ numbers }: ColumnsMark): void {
    this.#rowCount = numbers[0] ?? 0
    this.kinds.length = numbers[1] ?? 0
    this.distinctIds.length = numbers[2] ?? 0
    this.#pending.length = numbers[3] ?? 0
    this.#pendingOffsets.length = numbers[3] ?? 0
    this.properties.restore(numbers, 4)
  }

  /** Starts a row. For decoders only, like the methods that follow: they write ids, kind and properties before the end. */
  startRow(): void {
    if (this.#rowCount === this.#rowsMax) this.#growRows()
    this.#kindStart = this.kinds.length
    this.properties.startRow()
  }

  /** Ends a row that has an identity. */
  endRow(timeMs: number, context: RowContext): void {
    this.#end(timeMs, context, 0)
  }

  /** Ends a cookieless row: its identity is derived later. */
  endCookielessRow(timeMs: number, context: RowContext): void {
    const row = this.#rowCount
    this.sessionIds.fill(0, row * 4, row * 4 + 4)
    this.#pending.push({ row, timeMs, requestIndex: context.requestIndex })
    this.#pendingOffsets.push(this.distinctIds.length)
    this.#end(timeMs, context, 1)
  }

  /** Adds an event from a slow decoder, or from another vendor's SDK. */
  addEvent(event: Event | PlainEvent, context: RowContext): void {
    const { source } = this.properties
    this.startRow()
    const row = this.#rowCount
    writeUuid(event.eventId, this.eventIds, row)
    let start = source.tail
    this.kinds.text(source, start, source.add(event.kind))
    if (!event.cookieless) {
      writeUuid(event.sessionId, this.sessionIds, row)
      start = source.tail
      const length = source.add(event.distinctId)
      this.distinctIds.text(source, start, length)
    }
    if (event.properties instanceof PlainProperties) this.properties.setPlain(event.properties)
    else for (const { key, value } of event.properties) this.properties.set(key, value)
    if (event.cookieless) this.endCookielessRow(event.timeMs, context)
    else this.endRow(event.timeMs, context)
  }

  /** Gives a pending row its ids; the session id is lower-case UUID text. */
  resolveIdentity(row: number, distinctId: string, sessionId: string): void {
    this.#resolved.set(row, distinctId)
    writeUuid(sessionId, this.sessionIds, row)
  }

  /** Gives a row a session that was not known before; lower-case UUID text. */
  setSession(row: number, sessionId: string): void {
    writeUuid(sessionId, this.sessionIds, row)
  }

  /** Drops a row: the block leaves it out. */
  dropRow(row: number): void {
    this.#dropped.add(row)
  }

  /** Whether a row was dropped. */
  isDropped(row: number): boolean {
    return this.#dropped.has(row)
  }

  /**
   * The block of all rows that were not dropped; every pending row must be resolved or dropped. Empties the columns.
   */
  finish({ allocate, inspect }: FinishOptions = {}): EventsBlock {
    const rowCount = this.#rowCount
    this.properties.padTo(rowCount)
    const distinctIds = this.#pending.length === 0 ? this.distinctIds : this.#joinDistinctIds()
    const columns = {
      projects: this.#projects,
      kinds: this.kinds,
      times: this.#times,
      distinctIds,
      sessionIds: this.sessionIds,
      eventIds: this.eventIds,
      cookieless: this.#cookieless,
      properties: this.properties,
    }
    const kept = this.#dropped.size === 0 ? rowCount : removeRows(columns, rowCount, this.#dropped)
    inspect?.(columns, kept)
    const block = encodeBlock(columns, kept, allocate)
    this.clear()
    return block
  }

  /** Removes all rows. */
  clear(): void {
    this.#rowCount = 0
    this.kinds.clear()
    this.distinctIds.clear()
    this.properties.clear()
    if (this.#dropped.size > 0) this.#dropped.clear()
    if (this.#pending.length === 0) return
    this.#pending = []
    this.#pendingOffsets = []
    this.#resolved.clear()
  }

  #end(timeMs: number, context: RowContext, cookieless: number): void {
    const row = this.#rowCount
    this.#projects[row] = context.projectId
    const high = Math.floor(timeMs / 0x1_0000_0000)
    this.#times[row * 2] = timeMs - high * 0x1_0000_0000
    this.#times[row * 2 + 1] = high
    this.#cookieless[row] = cookieless
    const { finishRow } = context
    if (finishRow !== undefined) finishRow(this, context)
    this.properties.endRow(row)
    this.#rowCount = row + 1
  }

  #joinDistinctIds(): ByteColumn {
    const { source } = this.properties
    const joined = new ByteColumn(this.distinctIds.length + this.#pending.length * 48)
    let copied = 0
    for (const [index, { row }] of this.#pending.entries()) {
      const offset = this.#pendingOffsets[index] ?? 0
      joined.copy(this.distinctIds, copied, offset - copied)
      copied = offset
      const distinctId = this.#dropped.has(row) ? '' : this.#resolved.get(row)
      assert(distinctId !== undefined, 'every cookieless row is resolved or dropped')
      source.startRow()
      const start = source.tail
      const length = source.add(distinctId)
      joined.text(source, start, length)
    }
    joined.copy(this.distinctIds, copied, this.distinctIds.length - copied)
    return joined
  }

  #growRows(): void {
    const rowsMax = this.#rowsMax * 2
    this.#projects = grow(this.#projects, new Uint32Array(rowsMax))
    this.#cookieless = grow(this.#cookieless, new Uint8Array(rowsMax))
    this.#times = grow(this.#times, new Int32Array(rowsMax * 2))
    this.eventIds = grow(this.eventIds, new Int32Array(rowsMax * 4))
    this.sessionIds = grow(this.sessionIds, new Int32Array(rowsMax * 4))
    this.properties.reserveRows(rowsMax)
    this.#rowsMax = rowsMax
  }
}

function grow<T extends Uint8Array | Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from)
  return to
}

/** Writes UUID text: 8-4-4-4-12 hexadecimal digits. */
function writeUuid(text: string, ids: Int32Array, row: number): void {
  const at = row * 4
  ids[at] = (digits(text, 9, 4) << 16) | digits(text, 14, 4)
  ids[at + 1] = digits(text, 0, 8)
  ids[at + 2] = digits(text, 28, 8)
  ids[at + 3] = (digits(text, 19, 4) << 16) | digits(text, 24, 4)
}

/** The number of `count` hexadecimal digits. */
function digits(text: string, start: number, count: number): number {
  let value = 0
  for (let at = start; at < start + count; at++) {
    const code = text.charCodeAt(at)
    // Letters of either case have 6 more than a multiple of 16, and the bit 0x40.
    value = (value << 4) | ((code & 0xf) + (code >> 6) * 9)
  }
  return value
}
