import './messages.ts'
import { PropertySource } from '@contract/common/v1/property_pb.js'
import type { NameKey } from '../i18n/translate.ts'

/** Operators: their name, and how many values each takes; `two` is a range. */
export const OPERATORS = {
  FILTER_OPERATOR_EQUALS: { name: 'picker.is', takes: 'one' },
  FILTER_OPERATOR_NOT_EQUALS: { name: 'picker.isNot', takes: 'one' },
  FILTER_OPERATOR_IN: { name: 'picker.isAnyOf', takes: 'many' },
  FILTER_OPERATOR_NOT_IN: { name: 'picker.isNoneOf', takes: 'many' },
  FILTER_OPERATOR_CONTAINS: { name: 'picker.contains', takes: 'one' },
  FILTER_OPERATOR_NOT_CONTAINS: { name: 'picker.containsNot', takes: 'one' },
  FILTER_OPERATOR_GT: { name: 'picker.greater', takes: 'one' },
  FILTER_OPERATOR_GTE: { name: 'picker.atLeast', takes: 'one' },
  FILTER_OPERATOR_LT: { name: 'picker.less', takes: 'one' },
  FILTER_OPERATOR_LTE: { name: 'picker.atMost', takes: 'one' },
  FILTER_OPERATOR_BETWEEN: { name: 'picker.isBetween', takes: 'two' },
  FILTER_OPERATOR_NOT_BETWEEN: { name: 'picker.isNotBetween', takes: 'two' },
  FILTER_OPERATOR_IS_SET: { name: 'picker.isSet', takes: 'none' },
  FILTER_OPERATOR_IS_NOT_SET: { name: 'picker.isNotSet', takes: 'none' },
} as const satisfies Readonly<
  Record<string, { readonly name: NameKey; readonly takes: 'none' | 'one' | 'two' | 'many' }>
>

/** An operator, as the contract names it. */
export type Operator = keyof typeof OPERATORS

/** The sources of properties, as the contract names them. */
export const SOURCES = [
  'PROPERTY_SOURCE_AUTO',
  'PROPERTY_SOURCE_CUSTOM',
  'PROPERTY_SOURCE_PROFILE',
  'PROPERTY_SOURCE_SESSION_ENTRY',
  'PROPERTY_SOURCE_FIRST_TOUCH',
] as const

/** The source of a property, as the contract names it. */
export type Source = (typeof SOURCES)[number]

/** The source of a property of a message; undefined for one that a draft cannot hold. */
export function sourceOfMessage(source: PropertySource, property: string): Source | undefined {
  if (source === PropertySource.UNSPECIFIED)
    return property.startsWith('$') ? 'PROPERTY_SOURCE_AUTO' : 'PROPERTY_SOURCE_CUSTOM'
  return SOURCES.find((name) => name === `PROPERTY_SOURCE_${PropertySource[source]}`)
}

/** The operator between filters or groups of filters. */
export type Logic = 'LOGICAL_OPERATOR_AND' | 'LOGICAL_OPERATOR_OR'

/** A property and where it is stored. */
export interface PropertyRef {
  readonly property: string
  readonly source: Source
}

/** A filter that is being edited. */
export interface FilterDraft extends PropertyRef {
  readonly operator: Operator
  /** As many as the operator takes, once the filter is complete. */
  readonly values: readonly string[]
}

/** Filters that are combined. */
export interface GroupDraft {
  readonly operator: Logic
  readonly filters: readonly FilterDraft[]
}

/** A filter without a property yet. */
export function newFilter(): FilterDraft {
  return { property: '', operator: 'FILTER_OPERATOR_EQUALS', values: [], source: 'PROPERTY_SOURCE_AUTO' }
}

/** Whether a filter is complete and part of the query. */
export function isComplete({ property, operator, values }: FilterDraft): boolean {
  const given = values.filter((value) => value.trim() !== '').length
  const isEnough = { none: true, one: given > 0, two: given === 2, many: given > 0 }
  return property !== '' && isEnough[OPERATORS[operator].takes]
}

/** Whether a group has a complete filter. */
export function hasCompleteFilter({ filters }: GroupDraft): boolean {
  return filters.some(isComplete)
}

/** The values that an operator keeps when it replaces another. */
export function keepValues(values: readonly string[], operator: Operator): readonly string[] {
  const countMax = { none: 0, one: 1, two: 2, many: values.length }
  return values.slice(0, countMax[OPERATORS[operator].takes])
}

/** Whether two references name the same property. */
export function isSameProperty(a: PropertyRef, b: PropertyRef): boolean {
  return a.property === b.property && a.source === b.source
}

/** The list with one entry moved; the same list when the new index is outside it. */
export function moveEntry<Entry>(
  list: readonly Entry[],
  { from, to }: { readonly from: number; readonly to: number },
): readonly Entry[] {
  const moved = list[from]
  if (moved === undefined || from === to || to < 0 || to >= list.length) return list
  return list.toSpliced(from, 1).toSpliced(to, 0, moved)
}
