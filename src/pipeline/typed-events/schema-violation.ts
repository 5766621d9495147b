import { LIMITS } from '../../kernel/limits.ts'
import type { TypedEventViolation } from './check-typed-event.ts'

/** The auto property that marks a stored event which breaks rules of its kind; only the server sets it. */
export const SCHEMA_VIOLATION_PROPERTY = '$schema_violation'

/** The text of {@link SCHEMA_VIOLATION_PROPERTY}: every violation as a sentence. The catalogue's texts are ASCII. */
export function describeViolations(violations: readonly TypedEventViolation[]): string {
  const sentences = violations.map(({ message }) => message).join('; ')
  return sentences.slice(0, LIMITS.stringCodePointsMax)
}
