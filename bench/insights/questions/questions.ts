import type { InsightQuestion } from '../question.ts'
import { funnelQuestions } from './funnel.ts'
import { rankingQuestions } from './rankings.ts'
import { retentionQuestions } from './retention.ts'
import { sessionQuestions } from './sessions.ts'
import { trendsQuestions } from './trends.ts'
import { userFlowQuestions } from './user-flow.ts'

/** Every question, by type of insight. */
export const QUESTIONS: readonly InsightQuestion[] = [
  ...trendsQuestions,
  ...sessionQuestions,
  ...funnelQuestions,
  ...retentionQuestions,
  ...userFlowQuestions,
  ...rankingQuestions,
]
