import './messages.ts'
import { FilterOperator, type PropertyFilter } from '@contract/common/v1/filter_pb.js'
import type { Goal } from '@contract/millrace/web/v1/goals_service_pb.js'
import { t } from '../i18n/translate.ts'
import type { EventEntry } from './entries.ts'
import { type FilterDraft, OPERATORS, type Operator, sourceOfMessage } from './filter-draft.ts'
import { conditionSentence, labelOfEvent } from './names.ts'

/** The goals that a query can express as an event with filters; a pattern of paths with `*` has none. */
export function goalEntries(goals: readonly Goal[]): readonly EventEntry[] {
  return goals.flatMap((goal) => {
    const asked = askedEvent(goal)
    if (!asked) return []
    const conditions = asked.filters.map((filter) => conditionSentence(filter, 'text'))
    const event = labelOfEvent(asked.event)
    const description =
      conditions.length === 0
        ? event
        : t('picker.goalWhere', { event, conditions: conditions.join(`, ${t('picker.and')} `) })
    return [{ kind: 'goal', id: goal.id, label: goal.name, description, ...asked }]
  })
}

function askedEvent({ target }: Goal): Pick<EventEntry, 'event' | 'filters'> | undefined {
  if (target.case === 'event') {
    const filters = target.value.filters.map(draftOf)
    const known = filters.filter((filter) => filter !== undefined)
    return known.length === filters.length ? { event: target.value.kind, filters: known } : undefined
  }
  if (target.case !== 'pagePattern' || target.value.includes('*')) return undefined
  const path: FilterDraft = {
    property: '$pathname',
    source: 'PROPERTY_SOURCE_AUTO',
    operator: 'FILTER_OPERATOR_EQUALS',
    values: [target.value],
  }
  return { event: 'page_view', filters: [path] }
}

/** The draft of a filter of a message; undefined for one that a draft cannot hold. */
function draftOf({ property, operator, value, values, source }: PropertyFilter): FilterDraft | undefined {
  const operatorName = `FILTER_OPERATOR_${FilterOperator[operator]}`
  const sourceName = sourceOfMessage(source, property)
  if (!Object.hasOwn(OPERATORS, operatorName) || !sourceName) return undefined
  const name = operatorName as Operator
  const { takes } = OPERATORS[name]
  const given = { none: [], one: [value], two: values, many: values }[takes]
  return { property, source: sourceName, operator: name, values: given }
}
