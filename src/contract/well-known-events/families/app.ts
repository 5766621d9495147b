import type { EventFamily } from '../property-rule.ts'
import { requiredText, text } from '../property-shapes.ts'

/** The life of an installed app. */
export const APP_EVENTS = {
  app_open: {},
  app_close: {},
  app_install: { app_version: text, install_source: text },
  app_update: { app_version: requiredText, previous_version: text },
  app_backgrounded: {},
  app_foregrounded: {},
  app_crashed: { error_message: text, error_type: text },
  feature_used: { feature_id: requiredText, feature_name: text },
} as const satisfies EventFamily
