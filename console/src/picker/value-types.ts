import './messages.ts'
import { PropertyValueType } from '@contract/common/v1/property_pb.js'
import type { NameKey } from '../i18n/translate.ts'
import { OPERATORS, type Operator } from './filter-draft.ts'

/** The kinds of values that filters and measures distinguish. */
export type ValueType = 'text' | 'number' | 'date' | 'yes or no'

/** The names of the value types. */
export const VALUE_TYPE_NAMES = {
  text: 'picker.typeText',
  number: 'picker.typeNumber',
  date: 'picker.typeDate',
  'yes or no': 'picker.typeBoolean',
} as const satisfies Record<ValueType, NameKey>

/** The value type of a property by the type that it has most often. */
export function valueTypeOf(type: PropertyValueType): ValueType {
  if (type === PropertyValueType.INTEGER || type === PropertyValueType.FLOAT) return 'number'
  if (type === PropertyValueType.BOOLEAN) return 'yes or no'
  if (type === PropertyValueType.DATETIME) return 'date'
  return 'text'
}

/** An operator in the words of a value type; some include their value. */
export interface OperatorForm {
  readonly operator: Operator
  readonly name: NameKey
  /** The values that the words include: "is true". */
  readonly values?: readonly [string]
}

const SET: readonly OperatorForm[] = [formOf('FILTER_OPERATOR_IS_SET'), formOf('FILTER_OPERATOR_IS_NOT_SET')]

/**
 * The operators of each value type. Dates offer no "before" or "in the last": the service compares instants as text, which
 * answers neither exactly.
 */
const FORMS = {
  text: [
    formOf('FILTER_OPERATOR_EQUALS'),
    formOf('FILTER_OPERATOR_NOT_EQUALS'),
    formOf('FILTER_OPERATOR_IN'),
    formOf('FILTER_OPERATOR_NOT_IN'),
    formOf('FILTER_OPERATOR_CONTAINS'),
    formOf('FILTER_OPERATOR_NOT_CONTAINS'),
    ...SET,
  ],
  number: [
    { operator: 'FILTER_OPERATOR_EQUALS', name: 'picker.equals' },
    { operator: 'FILTER_OPERATOR_NOT_EQUALS', name: 'picker.equalsNot' },
    formOf('FILTER_OPERATOR_GT'),
    formOf('FILTER_OPERATOR_GTE'),
    formOf('FILTER_OPERATOR_LT'),
    formOf('FILTER_OPERATOR_LTE'),
    formOf('FILTER_OPERATOR_BETWEEN'),
    formOf('FILTER_OPERATOR_NOT_BETWEEN'),
    formOf('FILTER_OPERATOR_IN'),
    ...SET,
  ],
  date: [formOf('FILTER_OPERATOR_EQUALS'), formOf('FILTER_OPERATOR_NOT_EQUALS'), ...SET],
  'yes or no': [
    { operator: 'FILTER_OPERATOR_EQUALS', name: 'picker.isTrue', values: ['true'] },
    { operator: 'FILTER_OPERATOR_EQUALS', name: 'picker.isFalse', values: ['false'] },
    ...SET,
  ],
} as const satisfies Record<ValueType, readonly OperatorForm[]>

function formOf(operator: Operator): OperatorForm {
  return { operator, name: OPERATORS[operator].name }
}

/** The operators of a value type, in the order of their list. */
export function operatorsOf(type: ValueType): readonly OperatorForm[] {
  return FORMS[type]
}

/** The words of an operator on a property of that type; other operators of old filters keep their plain words. */
export function findForm(
  { operator, values }: { readonly operator: Operator; readonly values: readonly string[] },
  type: ValueType,
): OperatorForm {
  const forms: readonly OperatorForm[] = FORMS[type]
  const fits = (form: OperatorForm): boolean =>
    form.operator === operator && (form.values === undefined || form.values[0] === values[0])
  return forms.find(fits) ?? formOf(operator)
}

/** Whether the values of a condition are numbers, independent of the type of the property. */
export function takesNumbers(operator: Operator, type: ValueType): boolean {
  if (/_(LTE?|GTE?|BETWEEN)$/.test(operator)) return true
  return type === 'number' && OPERATORS[operator].takes === 'one'
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/**
 * A typed number as the service compares it: whole numbers in digits, others in their shortest form. Undefined for a text
 * that is no number.
 */
export function parseNumber(typed: string): string | undefined {
  const text = typed.trim()
  // A number of more digits than a double holds stays as typed.
  if (/^-?(0|[1-9]\d*)$/.test(text)) return text === '-0' ? '0' : text
  const value = Number(text)
  return DECIMAL.test(text) && Number.isFinite(value) ? String(value) : undefined
}
