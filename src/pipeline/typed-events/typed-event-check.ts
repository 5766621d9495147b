import { LIMITS } from '../../kernel/limits.ts'
import type { EditableRow, ReadableRow } from '../event/event-row.ts'
import { checkTypedEvent, hasTypedEventRules, type TypedEventViolation } from './check-typed-event.ts'
import type { TypedEventRule } from './value-check.ts'

/** The treatment of a typed event that violates its schema. */
export type TypedEventMode = 'observe' | 'enforce' | 'off'

/** The number of violations of a rule of a typed event. */
export interface CountedViolation {
  readonly kind: string
  readonly rule: TypedEventRule
  readonly count: number
}

/** The columns that hold the current row. */
export interface CheckedColumns {
  /** Index of the current row. */
  readonly rowCount: number
  /** Kind of the current row's event. */
  readonly kind: string
}

/** The auto property that marks a stored event that violates its schema; only the server sets it. */
const SCHEMA_VIOLATION_PROPERTY = '$schema_violation'

/** The violation that rejects a whole batch: the first one in it. */
export interface RejectedEvent {
  /** Index of the event in its batch. */
  readonly eventIndex: number
  readonly violation: TypedEventViolation
}

/** Checks the typed events of one task: marks and counts violations (`observe`), or finds the first one of a request (`enforce`). */
export class TypedEventCheck {
  readonly #mode: TypedEventMode
  readonly #counts = new Map<string, CountedViolation>()
  readonly #ofRequest: TypedEventViolation[] = []
  #rejected: RejectedEvent | undefined
  #firstRow = 0

  constructor(mode: TypedEventMode) {
    this.#mode = mode
  }

  /** Violations in accepted requests, by kind and rule. */
  get counts(): readonly CountedViolation[] {
    return [...this.#counts.values()]
  }

  /** Starts a request; its first event becomes row `firstRow`. */
  startRequest(firstRow: number): void {
    this.#firstRow = firstRow
    this.#clearRequest()
  }

  /** Accepts the request: its violations count. */
  acceptRequest(): void {
    for (const violation of this.#ofRequest) this.#count(violation)
  }

  /** The violation that rejects the request, when violations are enforced. */
  get rejected(): RejectedEvent | undefined {
    return this.#rejected
  }

  /** Checks the current row. */
  check(columns: CheckedColumns, row: ReadableRow & EditableRow): void {
    if (this.#mode === 'off') return
    // A scanner that gave up left rows behind: the slow decoder starts again with the first row.
    if (columns.rowCount === this.#firstRow) this.#clearRequest()
    const { kind } = columns
    if (!hasTypedEventRules(kind)) return
    const violations = checkTypedEvent(kind, row)
    const [first] = violations
    if (!first) return
    if (this.#mode === 'enforce') {
      this.#rejected ??= { eventIndex: columns.rowCount - this.#firstRow, violation: first }
      return
    }
    row.setText(SCHEMA_VIOLATION_PROPERTY, describeViolations(violations))
    this.#ofRequest.push(...violations)
  }

  #clearRequest(): void {
    this.#rejected = undefined
    this.#ofRequest.length = 0
  }

  #count({ kind, rule }: TypedEventViolation): void {
    const key = `${kind} ${rule}`
    this.#counts.set(key, { kind, rule, count: (this.#counts.get(key)?.count ?? 0) + 1 })
  }
}

/** The text of {@link SCHEMA_VIOLATION_PROPERTY}: every violation as a sentence. The catalogue is ASCII, so cutting by length is safe. */
export function describeViolations(violations: readonly TypedEventViolation[]): string {
  const sentences = violations.map(({ message }) => message).join('; ')
  return sentences.slice(0, LIMITS.stringCodePointsMax)
}
