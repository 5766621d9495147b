import type { EventFamily } from '../property-rule.ts'
import { text } from '../property-shapes.ts'

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
