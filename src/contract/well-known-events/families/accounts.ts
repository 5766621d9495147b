import { type EventFamily, requiredText, text } from '../property-rules.ts'

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

/** Keys of a programming interface. */
export const API_EVENTS = {
  api_key_created: { api_key_id: text, name: text, scope: text },
  api_key_revoked: { api_key_id: text, name: text, reason: text },
} as const satisfies EventFamily

/** Connections to other products. */
export const INTEGRATION_EVENTS = {
  integration_connected: { integration_id: text, integration_type: requiredText },
  integration_disconnected: { integration_id: text, integration_type: requiredText, reason: text },
} as const satisfies EventFamily

/** Invitations of people. */
export const INVITATION_EVENTS = {
  invite_sent: {
    invite_id: text,
    workspace_id: text,
    inviter_id: text,
    invitee_id: text,
    invitee_email: text,
    role: text,
  },
  invite_accepted: {
    invite_id: text,
    workspace_id: text,
    inviter_id: text,
    invitee_id: text,
    invitee_email: text,
    role: text,
  },
} as const satisfies EventFamily

/** Shared workspaces and their members. */
export const WORKSPACE_EVENTS = {
  workspace_created: { workspace_id: requiredText, workspace_name: text },
  workspace_joined: { workspace_id: requiredText, role: text },
  workspace_deleted: { workspace_id: requiredText, reason: text },
  workspace_role_changed: {
    workspace_id: requiredText,
    member_id: requiredText,
    previous_role: text,
    new_role: requiredText,
  },
  workspace_settings_updated: { workspace_id: requiredText, setting: requiredText },
} as const satisfies EventFamily
