import {
  byteCount,
  coordinate,
  count,
  duration,
  type EventFamily,
  flag,
  requiredText,
  text,
} from '../property-rules.ts'

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

/** Moving about pages and screens. */
export const NAVIGATION_EVENTS = {
  page_view: {},
  screen_view: { screen_name: requiredText, screen_class: text },
  click: { class: text, id: text, tag: text, text, x: coordinate, y: coordinate },
  rage_click: { click_count: { type: 'int32', gte: 2 }, element: text, x: coordinate, y: coordinate },
  dead_click: { element: text, text, x: coordinate, y: coordinate },
  scroll: { percent: { type: 'int32', gte: 0, lte: 100 }, scroll_y: count },
} as const satisfies EventFamily

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

/** Forms. */
export const FORM_EVENTS = {
  form_start: { form_id: requiredText, form_name: text },
  form_submit: { form_id: requiredText, form_name: text, action: text },
} as const satisfies EventFamily

/** Files and exports. */
export const FILE_EVENTS = {
  file_uploaded: { file_id: requiredText, file_name: text, file_type: text, size_bytes: byteCount },
  file_downloaded: { file_id: requiredText, file_name: text, file_type: text, size_bytes: byteCount },
  export_started: { export_id: requiredText, export_type: text },
  export_completed: { export_id: requiredText, export_type: text, size_bytes: byteCount },
} as const satisfies EventFamily

/** Watching and listening. */
export const MEDIA_EVENTS = {
  video_started: { video_id: requiredText },
  video_play: { video_id: requiredText, position: duration },
  video_pause: { video_id: requiredText, position: duration },
  video_seeked: { video_id: requiredText, from_position: duration, to_position: duration },
  video_completed: { video_id: requiredText },
  audio_started: { audio_id: requiredText },
  audio_play: { audio_id: requiredText, position: duration },
  audio_pause: { audio_id: requiredText, position: duration },
  audio_seeked: { audio_id: requiredText, from_position: duration, to_position: duration },
  audio_completed: { audio_id: requiredText },
} as const satisfies EventFamily

/** Sharing. */
export const SOCIAL_EVENTS = {
  share: {},
} as const satisfies EventFamily

/** Push notifications of campaigns. */
export const NOTIFICATION_EVENTS = {
  notification_received: { campaign_id: requiredText, notification_type: text },
  notification_clicked: { campaign_id: requiredText, notification_type: text },
  notification_dismissed: { campaign_id: requiredText, notification_type: text },
} as const satisfies EventFamily

/** Help and feedback. */
export const SUPPORT_EVENTS = {
  feedback_submitted: { feedback_id: text, category: text, comment: text },
  nps_submitted: { score: { type: 'int32', gte: 0, lte: 10 }, comment: text },
  survey_started: { survey_id: requiredText },
  survey_completed: { survey_id: requiredText, question_count: count },
  support_ticket_created: { ticket_id: requiredText, category: text, priority: text },
  support_ticket_resolved: { ticket_id: requiredText, resolution: text },
  support_chat_started: { conversation_id: requiredText, topic: text },
  help_article_viewed: { article_id: requiredText, article_title: text, category: text },
} as const satisfies EventFamily

/** Errors. */
export const ERROR_EVENTS = {
  error_occurred: { error_code: requiredText, message: text, severity: text, unhandled: flag, stack: text },
} as const satisfies EventFamily
