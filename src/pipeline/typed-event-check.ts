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
  #refused: RefusedEvent | undefined
  #firstRow = 0

  constructor(mode: TypedEventMode) {
    this.#mode = mode
  }

  /** Violations of events that were kept, by kind and rule. */
  get counts(): readonly CountedViolation[] {
    return [...this.#counts.values()]
  }

  /** Begins a request whose first event becomes row `firstRow`. */
  startRequest(firstRow: number): void {
    this.#refused = undefined
    this.#firstRow = firstRow
  }

  /** The violation for which the request has to be refused, when violations are enforced. */
  get refused(): RefusedEvent | undefined {
    return this.#refused
  }

  /** Checks the current row. */
  check(columns: EventColumns, row: ColumnsRow): void {
    if (this.#mode === 'off') return
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
    for (const violation of violations) this.#count(violation)
  }

  #count({ kind, rule }: TypedEventViolation): void {
    const key = `${kind} ${rule}`
    this.#counts.set(key, { kind, rule, count: (this.#counts.get(key)?.count ?? 0) + 1 })
  }
}
