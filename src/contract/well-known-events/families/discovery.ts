import type { EventFamily } from '../property-rule.ts'
import { count, requiredText, text } from '../property-shapes.ts'

/** Searching, recommending and filtering. */
export const DISCOVERY_EVENTS = {
  search: { query: requiredText },
  search_result_clicked: { query: requiredText, result_id: requiredText, index: count },
  recommendation_viewed: { recommendation_id: requiredText, item_id: text, source: text, index: count },
  recommendation_clicked: {
    recommendation_id: requiredText,
    item_id: requiredText,
    source: text,
    index: count,
  },
  filter_applied: { key: requiredText, value: text },
  sort_changed: { key: requiredText, direction: text },
} as const satisfies EventFamily
