import type { EventFamily } from '../property-rule.ts'
import { byteCount, requiredText, text } from '../property-shapes.ts'

/** Files and exports. */
export const FILE_EVENTS = {
  file_uploaded: { file_id: requiredText, file_name: text, file_type: text, size_bytes: byteCount },
  file_downloaded: { file_id: requiredText, file_name: text, file_type: text, size_bytes: byteCount },
  export_started: { export_id: requiredText, export_type: text },
  export_completed: { export_id: requiredText, export_type: text, size_bytes: byteCount },
} as const satisfies EventFamily
