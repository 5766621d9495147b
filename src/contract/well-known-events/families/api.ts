import type { EventFamily } from '../property-rule.ts'
import { text } from '../property-shapes.ts'

/** Keys of a programming interface. */
export const API_EVENTS = {
  api_key_created: { api_key_id: text, name: text, scope: text },
  api_key_revoked: { api_key_id: text, name: text, reason: text },
} as const satisfies EventFamily
