import type { PropertyValue } from './event.ts'

/** Reads properties of one event, by their full keys. */
export interface ReadableRow {
  /** The value of a property; `undefined` when the event does not have it. */
  get(key: string): PropertyValue | undefined
}

/**
 * Properties of one event during enrichment. Rows have no objects of their own: the owner of the columns implements
 * this for its current row. Setting a property replaces its value and type.
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
}

/** Whether the client sent no value. Like queries, this treats an empty text as missing. */
export function isUnset(row: EditableRow, key: string): boolean {
  return !row.has(key) || row.text(key) === ''
}
