import { fromJson, type JsonObject, toJson } from '@bufbuild/protobuf'
import {
  type Cohort,
  type CohortDefinition,
  CohortDefinitionSchema,
} from '@contract/millrace/cohorts/v1/cohort_pb.js'
import type { CohortFilterDraft } from '../../cohorts/cohort-filters.ts'
import { decodeFilter, encodeFilter, encodeFilters } from '../../insights/model/filters.ts'
import { type Json, listOf, recordOf } from '../../insights/model/json.ts'
import { type FilterDraft, isComplete, type Logic } from '../../picker/filter-draft.ts'

/** How a number of events compares, as the contract names it. */
export const COUNT_OPERATORS = ['OPERATOR_AT_LEAST', 'OPERATOR_AT_MOST', 'OPERATOR_EXACTLY'] as const
/** How a number of events compares. */
export type CountOperator = (typeof COUNT_OPERATORS)[number]

/** Events, and the last days in which they happened; 0 days for any time. */
interface EventPart {
  readonly event: string
  readonly filters: readonly FilterDraft[]
  readonly days: number
}

/** A condition on people, as the editor has it. */
export type ConditionDraft =
  | (EventPart & {
      readonly kind: 'performed'
      readonly operator: CountOperator
      readonly count: number
      readonly isNegated: boolean
    })
  | (EventPart & { readonly kind: 'first'; readonly isNegated: boolean })
  /** Absent until a property is chosen. */
  | { readonly kind: 'property'; readonly filter: FilterDraft | undefined; readonly isNegated: boolean }
  /** An empty id until a cohort is chosen. */
  | { readonly kind: 'cohort'; readonly cohortId: string; readonly isNegated: boolean }

/** Conditions that are combined; groups are one level deep. */
export interface GroupOfConditions {
  readonly kind: 'group'
  readonly operator: Logic
  readonly conditions: readonly ConditionDraft[]
}

/** A row of the editor. */
export type RowDraft = ConditionDraft | GroupOfConditions

/** A definition, as the editor has it. */
export interface DefinitionDraft {
  readonly operator: Logic
  readonly rows: readonly RowDraft[]
}

/** A new condition of a kind. */
export function newCondition(kind: ConditionDraft['kind']): ConditionDraft {
  const events = { event: '', filters: [], days: 30, isNegated: false } as const
  switch (kind) {
    case 'performed':
      return { kind, ...events, operator: 'OPERATOR_AT_LEAST', count: 1 }
    case 'first':
      return { kind, ...events }
    case 'property':
      return { kind, filter: undefined, isNegated: false }
    case 'cohort':
      return { kind, cohortId: '', isNegated: false }
    default:
      return kind satisfies never
  }
}

/** A new definition with one condition. */
export function newDefinition(): DefinitionDraft {
  return { operator: 'LOGICAL_OPERATOR_AND', rows: [newCondition('performed')] }
}

/** Whether a condition is complete and part of the definition. */
export function isConditionComplete(condition: ConditionDraft): boolean {
  if (condition.kind === 'property') return condition.filter !== undefined && isComplete(condition.filter)
  return condition.kind !== 'cohort' || condition.cohortId !== ''
}

/** The rows that are part of the definition: complete conditions, and groups that have one. */
export function completeRows({ rows }: DefinitionDraft): readonly RowDraft[] {
  return rows.flatMap((row): readonly RowDraft[] => {
    if (row.kind !== 'group') return isConditionComplete(row) ? [row] : []
    const conditions = row.conditions.filter(isConditionComplete)
    return conditions.length === 0 ? [] : [{ ...row, conditions }]
  })
}

/** The definition of a draft; `undefined` while no condition is complete. */
export function encodeDefinition(draft: DefinitionDraft): CohortDefinition | undefined {
  const rows = completeRows(draft)
  if (rows.length === 0) return undefined
  const group = { operator: draft.operator, members: rows.map(encodeRow) }
  return fromJson(CohortDefinitionSchema, { group })
}

/** The conditions of a list of people as a definition; `undefined` where a cohort cannot have one of them, or there is none. */
export function definitionOfList({
  search,
  filters,
  cohorts,
}: {
  readonly search: string
  readonly filters: readonly FilterDraft[]
  readonly cohorts: readonly CohortFilterDraft[]
}): CohortDefinition | undefined {
  const rows: readonly ConditionDraft[] = [
    ...filters.map((filter) => ({ kind: 'property', filter, isNegated: false }) as const),
    ...cohorts.map(({ cohortId, negate }) => ({ kind: 'cohort', cohortId, isNegated: negate }) as const),
  ]
  const isOfPeople = filters.every(({ source }) => source === 'PROPERTY_SOURCE_PROFILE')
  if (search !== '' || !isOfPeople || !rows.every(isConditionComplete)) return undefined
  return encodeDefinition({ operator: 'LOGICAL_OPERATOR_AND', rows })
}

/** A complete row, its index in the draft, and the definition of all complete rows up to it. */
export interface CountedRow {
  readonly at: number
  readonly row: RowDraft
  readonly definition: CohortDefinition
}

/** The definitions that a draft passes through, one for each of its complete rows. */
export function definitionsByRow(draft: DefinitionDraft): readonly CountedRow[] {
  return draft.rows.flatMap((_, at): readonly CountedRow[] => {
    const [row] = completeRows({ ...draft, rows: draft.rows.slice(at, at + 1) })
    const definition = row && encodeDefinition({ ...draft, rows: draft.rows.slice(0, at + 1) })
    return definition ? [{ at, row, definition }] : []
  })
}

function encodeRow(row: RowDraft): JsonObject {
  if (row.kind !== 'group') return { condition: encodeCondition(row) }
  const members = row.conditions.map((condition) => ({ condition: encodeCondition(condition) }))
  return { group: { operator: row.operator, members } }
}

function encodeCondition(condition: ConditionDraft): JsonObject {
  const negate: JsonObject = condition.isNegated ? { negate: true } : {}
  switch (condition.kind) {
    case 'performed': {
      const count = { operator: condition.operator, value: String(condition.count) }
      return { performed: { ...encodeEvents(condition), count }, ...negate }
    }
    case 'first':
      return { firstPerformed: encodeEvents(condition), ...negate }
    case 'property':
      return { trait: condition.filter ? { filter: encodeFilter(condition.filter) } : {}, ...negate }
    case 'cohort':
      return { cohort: { cohortId: condition.cohortId }, ...negate }
    default:
      return condition satisfies never
  }
}

function encodeEvents({ event, filters, days }: EventPart): JsonObject {
  const window = days === 0 ? { ever: true } : { lastDays: days }
  return { event: { kind: event, filters: encodeFilters(filters) }, window }
}

/** The draft of a stored definition; `undefined` for one with parts that the editor does not have. */
export function decodeDefinition(definition: CohortDefinition): DefinitionDraft | undefined {
  const { group, condition } = toJson(CohortDefinitionSchema, definition) as Json
  if (condition !== undefined) {
    const row = decodeCondition(recordOf(condition))
    return row && { operator: 'LOGICAL_OPERATOR_AND', rows: [row] }
  }
  const { operator, members, negate } = recordOf(group)
  if (negate === true) return undefined
  const rows = listOf(members).map(decodeRow)
  const known = rows.filter((row) => row !== undefined)
  return known.length === rows.length ? { operator: decodeLogic(operator), rows: known } : undefined
}

function decodeRow(member: Json): RowDraft | undefined {
  if (member.condition !== undefined) return decodeCondition(recordOf(member.condition))
  const { operator, members, negate } = recordOf(member.group)
  const conditions = listOf(members).map(({ condition }) =>
    condition === undefined ? undefined : decodeCondition(recordOf(condition)),
  )
  const known = conditions.filter((condition) => condition !== undefined)
  const isKnown = negate !== true && known.length === conditions.length
  return isKnown ? { kind: 'group', operator: decodeLogic(operator), conditions: known } : undefined
}

function decodeCondition({
  performed,
  firstPerformed,
  trait,
  cohort,
  negate,
}: Json): ConditionDraft | undefined {
  const isNegated = negate === true
  if (trait !== undefined) {
    const { filter } = recordOf(trait)
    const read = decodeFilter(recordOf(filter))
    return { kind: 'property', filter: { ...read, source: 'PROPERTY_SOURCE_PROFILE' }, isNegated }
  }
  if (cohort !== undefined)
    return { kind: 'cohort', cohortId: String(recordOf(cohort).cohortId ?? ''), isNegated }
  const events = decodeEvents(recordOf(performed ?? firstPerformed))
  if (!events) return undefined
  if (firstPerformed !== undefined) return { kind: 'first', ...events, isNegated }
  const count = decodeCount(recordOf(performed).count)
  return count && { kind: 'performed', ...events, ...count, isNegated }
}

/** A fixed range of time is nothing that the editor has. */
function decodeEvents({ event, window }: Json): EventPart | undefined {
  const { kind, filters } = recordOf(event)
  const { lastDays, range } = recordOf(window)
  if (range !== undefined) return undefined
  return {
    event: String(kind ?? ''),
    filters: listOf(filters).map(decodeFilter),
    days: Number(lastDays ?? 0),
  }
}

function decodeCount(
  count: Json[string],
): Pick<Extract<ConditionDraft, { kind: 'performed' }>, 'operator' | 'count'> | undefined {
  if (count === undefined) return { operator: 'OPERATOR_AT_LEAST', count: 1 }
  const { operator, value } = recordOf(count)
  const known = COUNT_OPERATORS.find((name) => name === operator)
  const number = Number(value ?? 0)
  return known && Number.isSafeInteger(number) ? { operator: known, count: number } : undefined
}

function decodeLogic(operator: unknown): Logic {
  return operator === 'LOGICAL_OPERATOR_OR' ? operator : 'LOGICAL_OPERATOR_AND'
}

/** The number of ids of a static cohort; `undefined` for a dynamic one. */
export function idCountOf({ content }: Cohort): number | undefined {
  return content.case === 'static' ? Number(content.value.count) : undefined
}

/** The different ids of a text with one on each line. */
export function parseIds(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== ''))]
}
