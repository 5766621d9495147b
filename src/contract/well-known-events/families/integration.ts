import type { EventFamily } from '../property-rule.ts'
import { requiredText, text } from '../property-shapes.ts'

/** Connections to other products. */
export const INTEGRATION_EVENTS = {
  integration_connected: { integration_id: text, integration_type: requiredText },
  integration_disconnected: { integration_id: text, integration_type: requiredText, reason: text },
} as const satisfies EventFamily
