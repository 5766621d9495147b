import type { EventColumns } from './encode/event-columns.ts'

const NONE: ReadonlySet<string> = new Set()

/** The rows of one request whose kinds are blocked. They are validated like others, and dropped when the request is accepted. */
export class BlockedRows {
  readonly #kinds: ReadonlySet<string>
  readonly #firstRow: number
  readonly #rows: number[] = []

  /** The first event of the request becomes row `firstRow`. */
  constructor(kinds: readonly string[], firstRow: number) {
    this.#kinds = kinds.length === 0 ? NONE : new Set(kinds)
    this.#firstRow = firstRow
  }

  /** Number of rows. */
  get count(): number {
    return this.#rows.length
  }

  /** Whether the current row is blocked: it needs no further steps. */
  take(columns: EventColumns): boolean {
    if (this.#kinds.size === 0) return false
    const row = columns.rowCount
    // A scanner that gave up left rows behind: the slow decoder starts again with the first row.
    if (row === this.#firstRow) this.#rows.length = 0
    if (!this.#kinds.has(columns.kind)) return false
    this.#rows.push(row)
    return true
  }

  /** Drops the rows from the columns. */
  drop(columns: EventColumns): void {
    for (const row of this.#rows) columns.dropRow(row)
  }
}
