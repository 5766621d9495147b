import type { EventFamily } from '../property-rule.ts'
import { requiredText, text } from '../property-shapes.ts'

/** Push notifications of campaigns. */
export const NOTIFICATION_EVENTS = {
  notification_received: { campaign_id: requiredText, notification_type: text },
  notification_clicked: { campaign_id: requiredText, notification_type: text },
  notification_dismissed: { campaign_id: requiredText, notification_type: text },
} as const satisfies EventFamily
