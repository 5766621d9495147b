import type { EventFamily } from '../property-rule.ts'
import { text } from '../property-shapes.ts'

/** Accounts: signing up, in and out. */
export const AUTH_EVENTS = {
  signup: {},
  signin: {},
  signout: {},
  email_verified: {},
  password_reset_requested: {},
  password_reset_completed: {},
  mfa_enabled: { method: text },
  mfa_disabled: { method: text },
} as const satisfies EventFamily
