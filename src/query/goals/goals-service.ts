import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import { projectIdOf } from '../../access/caller.ts'
import type { EventFilter } from '../../contract/gen/common/v1/filter_pb.js'
import type { GoalSchema, GoalsService } from '../../contract/gen/millrace/web/v1/goals_service_pb.js'
import { invalid } from '../../domain/insights/invalid.ts'
import { parseEventFilter } from '../../domain/insights/parse-filters.ts'
import {
  createGoal,
  deleteGoal,
  type Goal,
  type GoalContent,
  type GoalStore,
  type GoalTarget,
  loadGoals,
  replaceGoal,
} from './goal-store.ts'

/** `millrace.web.v1.GoalsService`: what a project counts as conversions. */
export function createGoalsService(store: GoalStore): ServiceImpl<typeof GoalsService> {
  return {
    create: async (request, context) => ({
      goal: toMessage(await createGoal(store, projectIdOf(context), parseContent(request))),
    }),
    list: async (_, context) => ({
      goals: (await loadGoals(store.catalog, projectIdOf(context))).map(toMessage),
    }),
    update: async (request, context) => {
      const key = { projectId: projectIdOf(context), id: request.id }
      return { goal: toMessage(await replaceGoal(store, key, parseContent(request))) }
    },
    delete: async ({ id }, context) => {
      await deleteGoal(store, { projectId: projectIdOf(context), id })
      return {}
    },
  }
}

/** The oneof of the messages; the rules of the interface reject an unset one. */
type SentTarget =
  | { readonly case: 'event'; readonly value: EventFilter }
  | { readonly case: 'pagePattern'; readonly value: string }
  | { readonly case: undefined; readonly value?: undefined }

interface SentGoal {
  readonly name: string
  readonly target: SentTarget
  readonly valueProperty: string
}

/** The rules of the interface have checked the texts. */
function parseContent({ name, target, valueProperty }: SentGoal): GoalContent {
  return { name, target: parseTarget(target), valueProperty }
}

function parseTarget(target: SentTarget): GoalTarget {
  switch (target.case) {
    case 'event':
      // Only a filter that queries accept is stored.
      parseEventFilter(target.value, { field: 'event', reason: 'INVALID_REQUEST' })
      return target
    case 'pagePattern':
      return target
    default:
      throw invalid('target', 'is required', 'INVALID_REQUEST')
  }
}

function toMessage({ createdMs, updatedMs, ...goal }: Goal): MessageInitShape<typeof GoalSchema> {
  return { ...goal, createTime: timestampFromMs(createdMs), updateTime: timestampFromMs(updatedMs) }
}
