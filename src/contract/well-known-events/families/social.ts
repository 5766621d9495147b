import type { EventFamily } from '../property-rule.ts'

/** Sharing. */
export const SOCIAL_EVENTS = {
  share: {},
} as const satisfies EventFamily
