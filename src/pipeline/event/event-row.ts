import type { PropertyValue } from './event.ts'
import type { StockText } from './stock-text.ts'

/** Reads properties of one event, by their full keys. */
export interface ReadableRow {
  /** The value of a property; `undefined` when the event does not have it. */
  get(key: string): PropertyValue | undefined
}

/** Bytes that hold a text, with room to read three bytes beyond it. */
export interface TextBytes {
  readonly bytes: Uint8Array
  readonly view: DataView
}

/** The memory of a row's texts. What is added to it lasts until the next row. */
export interface TextSource extends TextBytes {
  /** Offset of the next added text. */
  readonly tail: number
  /** Adds a text as UTF-8 at `tail`, which may replace `bytes` and `view`; returns its byte length. */
  add(text: string): number
}

/** The place of a text in the source of its row, in bytes. */
export interface TextSpan {
  readonly start: number
  readonly length: number
}

/**
 * Properties of one event during enrichment. Rows have no objects of their own: the owner of the columns implements
 * this for its current row. Setting a property replaces its value and type. Promoted properties have an index, that of
 * {@link PROMOTED_INDEX}.
 */
export interface EditableRow {
  /** The text of a property; `undefined` when it is missing or of another type. */
  text(key: string): string | undefined
  /** Whether the event has the property, with a value of any type. */
  has(key: string): boolean
  /** Sets a text of at most 1024 code points. */
  setText(key: string, value: string): void
  /** Sets an Int64. */
  setInt(key: string, value: bigint): void
  /** Sets a finite double. */
  setDouble(key: string, value: number): void
  /** Sets a Boolean. */
  setBool(key: string, value: boolean): void
  /** Removes a property, if the event has it. */
  remove(key: string): void
  /** Whether the event has no value of a promoted property. Like queries, this treats an empty text as missing. */
  isUnset(index: number): boolean
  /** The texts of this row. */
  readonly source: TextSource
  /** The place of the text of a promoted property; `undefined` when it is missing, empty or of another type. */
  promotedSpan(index: number): TextSpan | undefined
  /** Sets a promoted property to a text of the source that is not empty, of at most 1024 code points. */
  setPromotedSpan(index: number, start: number, length: number): void
  /** Sets a promoted property to a text that is not empty, of at most 1024 code points. */
  setPromoted(index: number, value: StockText): void
  /** Removes a promoted property, if the event has it. */
  removePromoted(index: number): void
}

/** Whether the client sent no value of a property that is not promoted. */
export function isUnset(row: EditableRow, key: string): boolean {
  return !row.has(key) || row.text(key) === ''
}
