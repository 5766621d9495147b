/**
 * One event under enrichment. A row has no object of its own: whoever keeps the columns implements this. Setting a
 * property replaces its value, whatever type that had.
 */
export interface EnrichedRow {
  /** The text of a property; undefined when it is missing or of another type. */
  text(key: string): string | undefined
  /** Whether the event carries the property, with a value of any type. */
  has(key: string): boolean
  /** Sets a text of at most 1024 code points. */
  setText(key: string, value: string): void
  /** Sets an Int64. */
  setInt(key: string, value: bigint): void
  /** Sets a finite double. */
  setDouble(key: string, value: number): void
  /** Sets a truth value. */
  setBool(key: string, value: boolean): void
  /** Takes a property away, if it is there. */
  remove(key: string): void
}

/** Whether a client sent no value: an empty text is none, as for every question that is asked later. */
export function isUnset(row: EnrichedRow, key: string): boolean {
  return !row.has(key) || row.text(key) === ''
}
