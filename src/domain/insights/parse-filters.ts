import {
  type EventFilter,
  FilterOperator,
  LogicalOperator,
  type PropertyFilter,
} from '../../contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../contract/gen/common/v1/property_pb.js'
import type { ErrorReason } from '../../contract/service-error.ts'
import type { Condition } from './condition.ts'
import { OPERATORS, type Operands, type Operator } from './condition.ts'
import { invalid } from './invalid.ts'
import { isPropertyName, resolveProperty, sourceViolation } from './property.ts'

/** A group of filters in the requests of insights and profiles. */
export interface FilterGroupMessage {
  readonly filters: readonly PropertyFilter[]
  readonly operator: LogicalOperator
}

/** The field of a request that contains filters, and the reason of errors about them. */
export interface FilterContext {
  /** Path of the field, for example `spec.filterGroups`. */
  readonly field: string
  readonly reason: ErrorReason
  /** The source of filters that name none; without it, a `$` in front of the name decides. */
  readonly sourceDefault?: PropertySource
}

/** Maximum filters of a list and lists of a query. The length of the statement limits their total size. */
const FILTERS_MAX = 50
const GROUPS_MAX = 20

const PLAIN_DECIMAL = /^-?[0-9]+([.][0-9]+)?$/

/** Parses groups of filters and how they combine. Throws `invalid_argument`. */
export function parseFilterGroups(
  groups: readonly FilterGroupMessage[],
  operator: LogicalOperator,
  context: FilterContext,
): Condition {
  if (groups.length > GROUPS_MAX)
    throw invalid(context.field, `must be at most ${GROUPS_MAX}`, context.reason)
  const of = groups.map((group, index) => {
    const field = `${context.field}[${index}]`
    if (group.filters.length === 0) throw invalid(`${field}.filters`, 'must not be empty', context.reason)
    return combine(group.operator, parseFilters(group.filters, { ...context, field: `${field}.filters` }))
  })
  return combine(operator, of)
}

/** Parses filters that all have to match. Throws `invalid_argument`. */
export function parseFilters(filters: readonly PropertyFilter[], context: FilterContext): Condition[] {
  if (filters.length > FILTERS_MAX)
    throw invalid(context.field, `must be at most ${FILTERS_MAX}`, context.reason)
  return filters.map((filter, index) =>
    parseFilter(filter, { ...context, field: `${context.field}[${index}]` }),
  )
}

/** The kind that an event filter names (empty: every kind) and the filters on top of it. */
export interface EventMatch {
  readonly kind: string
  /** Further kinds that match; absent when there are none. */
  readonly merged?: readonly string[]
  readonly condition: Condition
}

/** The kinds that match; `undefined` for every kind. */
export function kindsOfMatch({
  kind,
  merged = [],
}: Pick<EventMatch, 'kind' | 'merged'>): readonly string[] | undefined {
  return kind === '' ? undefined : [kind, ...merged]
}

/** Parses an event filter; an absent one matches every event. Throws `invalid_argument`. */
export function parseEventFilter(event: EventFilter | undefined, context: FilterContext): EventMatch {
  const filters = parseFilters(event?.filters ?? [], { ...context, field: `${context.field}.filters` })
  const { kind = '', mergedKinds = [] } = event ?? {}
  if (kind === '' && mergedKinds.length > 0) throw bad(context, 'mergedKinds', 'needs a kind')
  const merged = [...new Set(mergedKinds)].filter((other) => other !== kind && other !== '')
  const condition = { kind: 'all', of: filters } as const
  return merged.length === 0 ? { kind, condition } : { kind, merged, condition }
}

function combine(operator: LogicalOperator, of: readonly Condition[]): Condition {
  return { kind: operator === LogicalOperator.OR && of.length > 0 ? 'any' : 'all', of }
}

/** Parses one filter. Throws `invalid_argument`. */
export function parseFilter(filter: PropertyFilter, context: FilterContext): Condition {
  const { property: name, operator } = filter
  if (!isPropertyName(name)) throw bad(context, 'property', 'is not a property name')
  const source = filter.source === PropertySource.UNSPECIFIED ? context.sourceDefault : filter.source
  const violation = sourceViolation(name, source)
  if (violation) throw bad(context, 'property', violation)
  if (!isOperator(operator)) throw bad(context, 'operator', 'is required')
  return {
    kind: 'match',
    property: resolveProperty(name, source),
    operator,
    operands: parseOperands(filter, operator, context),
  }
}

/** Whether filters may name the operator. */
export function isOperator(operator: FilterOperator): operator is Operator {
  return operator !== FilterOperator.UNSPECIFIED && Object.hasOwn(OPERATORS, operator)
}

const OPERAND_PARSERS = {
  none: () => ({ kind: 'none' }),
  text: ({ value }, context) => {
    if (value === '') throw bad(context, 'value', 'is required by this operator')
    return { kind: 'text', text: value }
  },
  texts: ({ values }, context) => {
    if (values.length === 0) throw bad(context, 'values', 'needs at least one entry for this operator')
    if (values.includes('')) throw bad(context, 'values', 'must not have an empty entry')
    return { kind: 'texts', texts: values }
  },
  number: ({ value }, context) => ({ kind: 'number', number: parseNumber(value, 'value', context) }),
  numbers: ({ values }, context) => {
    const [low, high] = values
    if (low === undefined || high === undefined || values.length !== 2)
      throw bad(context, 'values', 'needs exactly two entries for this operator')
    const bounds = {
      low: parseNumber(low, 'values[0]', context),
      high: parseNumber(high, 'values[1]', context),
    }
    if (bounds.low > bounds.high) throw bad(context, 'values', 'must have the lower bound first')
    return { kind: 'numbers', ...bounds }
  },
} as const satisfies Record<Operands['kind'], (filter: SentOperands, context: FilterContext) => Operands>

/** The operands of a filter in a request. */
type SentOperands = Pick<PropertyFilter, 'value' | 'values'>

/** Parses the operands that an operator takes. Throws `invalid_argument`. */
export function parseOperands(filter: SentOperands, operator: Operator, context: FilterContext): Operands {
  return OPERAND_PARSERS[OPERATORS[operator].takes](filter, context)
}

function parseNumber(text: string, field: string, context: FilterContext): number {
  const number = PLAIN_DECIMAL.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(number)) throw bad(context, field, 'must be a decimal number')
  return number
}

function bad(context: FilterContext, field: string, description: string): Error {
  return invalid(`${context.field}.${field}`, description, context.reason)
}
