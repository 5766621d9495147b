import { type MessageKey, t } from '../../i18n/translate.ts'
import { DIMENSIONS, type DimensionName, labelOfValue } from './dimensions.ts'
import { type Operator, takesValue, type VisitFilter } from './view-state.ts'

/** The messages with the names of operators. */
export const OPERATOR_NAMES = {
  is: 'overview.is',
  'is-not': 'overview.isNot',
  contains: 'overview.contains',
  'does-not-contain': 'overview.containsNot',
  'is-set': 'overview.isSet',
  'is-not-set': 'overview.isNotSet',
} as const satisfies Record<Operator, MessageKey>

/** The name of a dimension. */
export function nameOfDimension(dimension: DimensionName): string {
  return t(DIMENSIONS[dimension].name)
}

/** A filter in words. */
export function sentenceOf({ dimension, operator, value }: VisitFilter): string {
  const parts = [nameOfDimension(dimension), t(OPERATOR_NAMES[operator])]
  return takesValue(operator) ? [...parts, labelOfValue(dimension, value)].join(' ') : parts.join(' ')
}

/** An operator as an entry of a list. */
export function optionOfOperator(value: Operator) {
  return { value, label: t(OPERATOR_NAMES[value]) }
}
