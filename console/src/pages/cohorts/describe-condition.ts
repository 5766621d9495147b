import '../../picker/messages.ts'
import { t } from '../../i18n/translate.ts'
import type { PropertyRef } from '../../picker/filter-draft.ts'
import { conditionSentence, labelOfEvent } from '../../picker/names.ts'
import type { ValueType } from '../../picker/value-types.ts'
import type { ConditionDraft, CountOperator, RowDraft } from './cohort-draft.ts'

/** The names of the comparisons of a number of events. */
export const OPERATOR_NAMES = {
  OPERATOR_AT_LEAST: 'cohorts.atLeast',
  OPERATOR_AT_MOST: 'cohorts.atMost',
  OPERATOR_EXACTLY: 'cohorts.exactly',
} as const satisfies Record<CountOperator, string>

/** The names of what a description refers to. */
export interface ConditionNames {
  readonly nameOfCohort: (id: string) => string
  readonly typeOf: (property: PropertyRef) => ValueType
}

/** A row of a definition in a few words, without the period. */
export function describeRow(row: RowDraft, names: ConditionNames): string {
  if (row.kind !== 'group') return describeCondition(row, names)
  const joint = t(row.operator === 'LOGICAL_OPERATOR_OR' ? 'picker.or' : 'picker.and')
  return row.conditions.map((condition) => describeCondition(condition, names)).join(` ${joint} `)
}

function describeCondition(condition: ConditionDraft, names: ConditionNames): string {
  if (condition.kind === 'cohort') {
    const name = names.nameOfCohort(condition.cohortId)
    return t(condition.isNegated ? 'cohorts.filterNotIn' : 'cohorts.filterIn', { name })
  }
  const text = describePlain(condition, names)
  return condition.isNegated ? t('cohorts.notOf', { condition: text }) : text
}

function describePlain(
  condition: Exclude<ConditionDraft, { kind: 'cohort' }>,
  { typeOf }: ConditionNames,
): string {
  switch (condition.kind) {
    case 'performed': {
      const { count, operator } = condition
      return t('cohorts.countOf', {
        event: labelOfEvent(condition.event),
        operator: t(OPERATOR_NAMES[operator]),
        count,
      })
    }
    case 'first':
      return t('cohorts.firstOf', { event: labelOfEvent(condition.event) })
    case 'property':
      return condition.filter ? conditionSentence(condition.filter, typeOf(condition.filter)) : ''
    default:
      return condition satisfies never
  }
}
