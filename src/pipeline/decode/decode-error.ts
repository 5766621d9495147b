import type { FieldViolation } from '../../contract/service-error.ts'

/** The first rule that a batch breaks. It ends the decoding of that batch and never leaves the worker's task. */
export class DecodeError extends Error {
  readonly violation: FieldViolation

  /** `field` is a path such as `events[3].kind`; empty for the body as a whole. */
  constructor(field: string, problem: string) {
    super(field === '' ? `the body ${problem}` : `${field} ${problem}`)
    this.name = 'DecodeError'
    this.violation = { field, description: problem }
  }
}
