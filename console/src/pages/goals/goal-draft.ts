import type { MessageInitShape } from '@bufbuild/protobuf'
import type { EventFilter, EventFilterSchema, PropertyFilter } from '@contract/common/v1/filter_pb.js'
import type { Goal } from '@contract/millrace/web/v1/goals_service_pb.js'

/** A goal, as a form edits it. */
export interface GoalDraft {
  readonly name: string
  readonly kind: 'event' | 'page'
  /** The name of the event; empty for any event that meets the conditions. */
  readonly event: string
  /** Conditions that another client has set; the form keeps them. */
  readonly conditions: EventFilter | undefined
  /** The path of the page, with `*` for any text. */
  readonly pattern: string
  /** The property whose numbers add up to the value; empty for none. */
  readonly valueProperty: string
}

/** A goal with nothing in it yet. */
export const NEW_GOAL: GoalDraft = {
  name: '',
  kind: 'event',
  event: '',
  conditions: undefined,
  pattern: '',
  valueProperty: '',
}

/** The draft of a stored goal. */
export function readGoal({ name, target, valueProperty }: Goal): GoalDraft {
  const shared = { ...NEW_GOAL, name, valueProperty }
  if (target.case === 'pagePattern') return { ...shared, kind: 'page', pattern: target.value }
  const filter = target.value
  const hasConditions = filter !== undefined && filter.filters.length > 0
  return { ...shared, event: filter?.kind ?? '', conditions: hasConditions ? filter : undefined }
}

/** The conditions that events of the goal must meet, beside their name. */
export function conditionsOf({ kind, conditions }: GoalDraft): readonly PropertyFilter[] {
  return kind === 'event' ? (conditions?.filters ?? []) : []
}

/** Whether a draft has all that a goal needs. */
export function isGoalComplete(draft: GoalDraft): boolean {
  const { name, kind, event, pattern } = draft
  const hasEvent = event !== '' || conditionsOf(draft).length > 0
  return name.trim() !== '' && (kind === 'page' ? pattern.trim() !== '' : hasEvent)
}

/** The fields of a request that stores a goal. */
export interface GoalFields {
  readonly name: string
  readonly target:
    | { readonly case: 'pagePattern'; readonly value: string }
    | { readonly case: 'event'; readonly value: MessageInitShape<typeof EventFilterSchema> }
  readonly valueProperty: string
}

/** The fields that store a draft. */
export function encodeGoal(draft: GoalDraft): GoalFields {
  const { name, kind, event, pattern, valueProperty } = draft
  const filters = [...conditionsOf(draft)]
  const target =
    kind === 'page'
      ? ({ case: 'pagePattern', value: pattern.trim() } as const)
      : ({ case: 'event', value: { kind: event, filters } } as const)
  return { name: name.trim(), target, valueProperty }
}
