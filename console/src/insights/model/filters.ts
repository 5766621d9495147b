import type { JsonObject } from '@bufbuild/protobuf'
import {
  type FilterDraft,
  type GroupDraft,
  hasCompleteFilter,
  isComplete,
  type Logic,
  OPERATORS,
  type Operator,
  SOURCES,
  type Source,
} from '../../picker/filter-draft.ts'
import { type Json, listOf } from './json.ts'

/** The path of a filter in the request, which leaves out incomplete filters. */
export function pathOfFilter(list: string, filters: readonly FilterDraft[], index: number): string {
  return `${list}[${filters.slice(0, index).filter(isComplete).length}]`
}

/** The complete filters of a list in proto JSON. */
export function encodeFilters(filters: readonly FilterDraft[]): JsonObject[] {
  return filters.filter(isComplete).map(encodeFilter)
}

/** A filter in proto JSON. */
export function encodeFilter({ property, operator, values, source }: FilterDraft): JsonObject {
  const { takes } = OPERATORS[operator]
  return {
    property,
    operator,
    source,
    ...(takes === 'one' && { value: values[0] ?? '' }),
    ...((takes === 'many' || takes === 'two') && { values: values.filter((value) => value !== '') }),
  }
}

/** The draft of a filter in proto JSON. */
export function decodeFilter({ property, operator, value, values, source }: Json): FilterDraft {
  const name = String(property ?? '')
  return {
    property: name,
    operator: isOperator(operator) ? operator : 'FILTER_OPERATOR_EQUALS',
    values: Array.isArray(values) ? values.map(String) : value === undefined ? [] : [String(value)],
    source: decodeSource(source, name),
  }
}

/** The source of a property; where a spec names none, the name of the property determines it. */
export function decodeSource(source: unknown, property: string): Source {
  const usual = property.startsWith('$') ? 'PROPERTY_SOURCE_AUTO' : 'PROPERTY_SOURCE_CUSTOM'
  return isSource(source) ? source : usual
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
  return parseList(text ?? '[]')?.filter(isDraft) ?? []
}

/** The filters of a parameter of an address; `undefined` when it has something else. */
export function parseAllFilters(text: string): readonly FilterDraft[] | undefined {
  const values = parseList(text)
  return values?.every(isDraft) ? values : undefined
}

function parseList(text: string): readonly unknown[] | undefined {
  try {
    const values: unknown = JSON.parse(text)
    return Array.isArray(values) ? values : undefined
  } catch {
    return undefined
  }
}

/** Filters as a parameter of an address; empty for none. */
export function writeFilters(drafts: readonly FilterDraft[]): string {
  return drafts.length === 0 ? '' : JSON.stringify(drafts)
}

function isDraft(value: unknown): value is FilterDraft {
  if (typeof value !== 'object' || value === null) return false
  const { property, operator, values, source } = value as Partial<Record<keyof FilterDraft, unknown>>
  const hasValues = Array.isArray(values) && values.every((one) => typeof one === 'string')
  return typeof property === 'string' && hasValues && isOperator(operator) && isSource(source)
}

function isOperator(value: unknown): value is Operator {
  return typeof value === 'string' && Object.hasOwn(OPERATORS, value)
}

function isSource(value: unknown): value is Source {
  return SOURCES.some((source) => source === value)
}
