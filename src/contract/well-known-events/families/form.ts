import type { EventFamily } from '../property-rule.ts'
import { requiredText, text } from '../property-shapes.ts'

/** Forms. */
export const FORM_EVENTS = {
  form_start: { form_id: requiredText, form_name: text },
  form_submit: { form_id: requiredText, form_name: text, action: text },
} as const satisfies EventFamily
