import type { EventFamily } from '../property-rule.ts'
import { coordinate, count, requiredText, text } from '../property-shapes.ts'

/** Moving about pages and screens. */
export const NAVIGATION_EVENTS = {
  page_view: {},
  screen_view: { screen_name: requiredText, screen_class: text },
  click: { class: text, id: text, tag: text, text, x: coordinate, y: coordinate },
  rage_click: { click_count: { type: 'int32', gte: 2 }, element: text, x: coordinate, y: coordinate },
  dead_click: { element: text, text, x: coordinate, y: coordinate },
  scroll: { percent: { type: 'int32', gte: 0, lte: 100 }, scroll_y: count },
} as const satisfies EventFamily
