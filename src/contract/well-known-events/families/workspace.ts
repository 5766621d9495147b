import type { EventFamily } from '../property-rule.ts'
import { requiredText, text } from '../property-shapes.ts'

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
