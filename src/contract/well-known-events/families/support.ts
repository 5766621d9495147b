import type { EventFamily } from '../property-rule.ts'
import { count, requiredText, text } from '../property-shapes.ts'

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
