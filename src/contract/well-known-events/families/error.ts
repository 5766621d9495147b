import type { EventFamily } from '../property-rule.ts'
import { flag, requiredText, text } from '../property-shapes.ts'

/** What went wrong. */
export const ERROR_EVENTS = {
  error_occurred: { error_code: requiredText, message: text, severity: text, unhandled: flag, stack: text },
} as const satisfies EventFamily
