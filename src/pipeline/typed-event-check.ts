import type { ColumnsRow } from './columns-row.ts'
import type { EventColumns } from './encode/event-columns.ts'
import type { CountedViolation } from './task.ts'
import {
  checkTypedEvent,
  hasTypedEventRules,
  type TypedEventViolation,
} from './typed-events/check-typed-event.ts'
import { describeViolations, SCHEMA_VIOLATION_PROPERTY } from './typed-events/schema-violation.ts'
import type { TypedEventMode } from './worker-settings.ts'

/** The first violation of a request whose batch is refused for it. */
export interface RefusedEvent {
  /** Place of the event in its batch. */
  readonly eventIndex: number
  readonly violation: TypedEventViolation
}

/** Checks the typed events of one task: marks and counts violations, or remembers the first one of a request. */
export class TypedEventCheck {
  readonly #mode: TypedEventMode
  readonly #counts = new Map<string, CountedViolation>()
  readonly #ofRequest: TypedEventViolation[] = []
  #refused: RefusedEvent | undefined
  #firstRow = 0

  constructor(mode: TypedEventMode) {
    this.#mode = mode
  }

  /** Violations of the events of requests that were kept, by kind and rule. */
  get counts(): readonly CountedViolation[] {
    return [...this.#counts.values()]
  }

  /** Begins a request whose first event becomes row `firstRow`. */
  startRequest(firstRow: number): void {
    this.#firstRow = firstRow
    this.#forgetRequest()
  }

  /** Counts the violations of a request whose rows are kept. */
  keepRequest(): void {
    for (const violation of this.#ofRequest) this.#count(violation)
  }

  /** The violation for which the request has to be refused, when violations are enforced. */
  get refused(): RefusedEvent | undefined {
    return this.#refused
  }

  /** Checks the current row. */
  check(columns: EventColumns, row: ColumnsRow): void {
    if (this.#mode === 'off') return
    // A decoder that gives up starts over from the first row.
    if (columns.rowCount === this.#firstRow) this.#forgetRequest()
    const { kind } = columns
    if (!hasTypedEventRules(kind)) return
    const violations = checkTypedEvent(kind, row)
    const [first] = violations
    if (!first) return
    if (this.#mode === 'enforce') {
      this.#refused ??= { eventIndex: columns.rowCount - this.#firstRow, violation: first }
      return
    }
    row.setText(SCHEMA_VIOLATION_PROPERTY, describeViolations(violations))
    this.#ofRequest.push(...violations)
  }

  #forgetRequest(): void {
    this.#refused = undefined
    this.#ofRequest.length = 0
  }

  #count({ kind, rule }: TypedEventViolation): void {
    const key = `${kind} ${rule}`
    this.#counts.set(key, { kind, rule, count: (this.#counts.get(key)?.count ?? 0) + 1 })
  }
}
