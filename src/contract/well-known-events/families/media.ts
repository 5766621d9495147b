import type { EventFamily } from '../property-rule.ts'
import { duration, requiredText } from '../property-shapes.ts'

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
