import type { JsonObject } from '@bufbuild/protobuf'
import { type Json, listOf } from './json.ts'

/** Operators, and how many values each takes. */
export const OPERATORS = {
  FILTER_OPERATOR_EQUALS: { label: 'is', takes: 'one' },
  FILTER_OPERATOR_NOT_EQUALS: { label: 'is not', takes: 'one' },
  FILTER_OPERATOR_CONTAINS: { label: 'contains', takes: 'one' },
  FILTER_OPERATOR_NOT_CONTAINS: { label: 'does not contain', takes: 'one' },
  FILTER_OPERATOR_IS_SET: { label: 'is set', takes: 'none' },
  FILTER_OPERATOR_IS_NOT_SET: { label: 'is not set', takes: 'none' },
  FILTER_OPERATOR_LT: { label: '<', takes: 'one' },
  FILTER_OPERATOR_LTE: { label: '≤', takes: 'one' },
  FILTER_OPERATOR_GT: { label: '>', takes: 'one' },
  FILTER_OPERATOR_GTE: { label: '≥', takes: 'one' },
  FILTER_OPERATOR_IN: { label: 'is any of', takes: 'many' },
  FILTER_OPERATOR_NOT_IN: { label: 'is none of', takes: 'many' },
  FILTER_OPERATOR_BETWEEN: { label: 'is between', takes: 'many' },
  FILTER_OPERATOR_NOT_BETWEEN: { label: 'is not between', takes: 'many' },
} as const
export type Operator = keyof typeof OPERATORS

/** The choices of a field for an operator. */
export const OPERATOR_CHOICES = (Object.keys(OPERATORS) as Operator[]).map((value) => ({
  value,
  label: OPERATORS[value].label,
}))

const SOURCES = ['PROPERTY_SOURCE_AUTO', 'PROPERTY_SOURCE_CUSTOM', 'PROPERTY_SOURCE_PROFILE'] as const

/** The source of a property, as the contract names it. */
export type Source = (typeof SOURCES)[number]

/** How filters or groups of filters are combined. */
export type Logic = 'LOGICAL_OPERATOR_AND' | 'LOGICAL_OPERATOR_OR'

/** A filter that is being edited. */
export interface FilterDraft {
  property: string
  operator: Operator
  /** One value a line for operators that take many. */
  value: string
  source: Source
}

/** Filters that are combined. */
export interface GroupDraft {
  operator: Logic
  filters: FilterDraft[]
}

/** A filter without a property yet. */
export function newFilter(): FilterDraft {
  return { property: '', operator: 'FILTER_OPERATOR_EQUALS', value: '', source: 'PROPERTY_SOURCE_AUTO' }
}

/** Whether a filter is complete and part of the query. */
export function isComplete({ property, operator, value }: FilterDraft): boolean {
  return property !== '' && (OPERATORS[operator].takes === 'none' || value.trim() !== '')
}

/** Whether a group has a complete filter. */
export function hasCompleteFilter({ filters }: GroupDraft): boolean {
  return filters.some(isComplete)
}

/** The path of a filter in the request, which leaves out incomplete filters. */
export function pathOfFilter(list: string, filters: readonly FilterDraft[], index: number): string {
  return `${list}[${filters.slice(0, index).filter(isComplete).length}]`
}

/** The complete filters of a list in proto JSON. */
export function encodeFilters(filters: readonly FilterDraft[]): JsonObject[] {
  return filters.filter(isComplete).map(encodeFilter)
}

/** A filter in proto JSON. */
export function encodeFilter({ property, operator, value, source }: FilterDraft): JsonObject {
  const { takes } = OPERATORS[operator]
  return {
    property,
    operator,
    source,
    ...(takes === 'one' && { value }),
    ...(takes === 'many' && { values: value.split('\n').filter((line) => line !== '') }),
  }
}

/** The draft of a filter in proto JSON. */
export function decodeFilter({ property, operator, value, values, source }: Json): FilterDraft {
  const name = String(property ?? '')
  const defaultSource = name.startsWith('$') ? 'PROPERTY_SOURCE_AUTO' : 'PROPERTY_SOURCE_CUSTOM'
  return {
    property: name,
    operator: isOperator(operator) ? operator : 'FILTER_OPERATOR_EQUALS',
    value: Array.isArray(values) ? values.join('\n') : String(value ?? ''),
    source: isSource(source) ? source : defaultSource,
  }
}

/** The complete filters of the groups of a spec in proto JSON; nothing when there are none. */
export function encodeGroups(groups: readonly GroupDraft[], operator: Logic): JsonObject {
  const complete = groups.filter(hasCompleteFilter)
  if (complete.length === 0) return {}
  const filterGroups = complete.map((group) => ({
    operator: group.operator,
    filters: encodeFilters(group.filters),
  }))
  return { filterGroups, filterGroupsOperator: operator }
}

/** The drafts of the groups of a spec in proto JSON. */
export function decodeGroups({ filterGroups, filterGroupsOperator }: Json): {
  readonly groups: GroupDraft[]
  readonly groupsOperator: Logic
} {
  const groups = listOf(filterGroups).map(({ operator, filters }) => ({
    operator: decodeLogic(operator),
    filters: listOf(filters).map(decodeFilter),
  }))
  return { groups, groupsOperator: decodeLogic(filterGroupsOperator) }
}

function decodeLogic(operator: unknown): Logic {
  return operator === 'LOGICAL_OPERATOR_OR' ? operator : 'LOGICAL_OPERATOR_AND'
}

/** Parses the filters of an address; none for a text that holds no filters. */
export function parseFilters(text: string | null): readonly FilterDraft[] {
  try {
    const values: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(values) ? values.filter(isDraft) : []
  } catch {
    return []
  }
}

/** Filters as a parameter of an address; empty for none. */
export function writeFilters(drafts: readonly FilterDraft[]): string {
  return drafts.length === 0 ? '' : JSON.stringify(drafts)
}

function isDraft(value: unknown): value is FilterDraft {
  if (typeof value !== 'object' || value === null) return false
  const { property, operator, value: text, source } = value as Partial<Record<keyof FilterDraft, unknown>>
  return typeof property === 'string' && typeof text === 'string' && isOperator(operator) && isSource(source)
}

function isOperator(value: unknown): value is Operator {
  return typeof value === 'string' && Object.hasOwn(OPERATORS, value)
}

function isSource(value: unknown): value is Source {
  return SOURCES.some((source) => source === value)
}
