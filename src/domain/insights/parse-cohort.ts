import { LogicalOperator } from '../../contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../contract/gen/common/v1/property_pb.js'
import {
  type CohortCondition,
  type CohortDefinition,
  type CohortGroup,
  type CountRule as CountRuleMessage,
  CountRule_Operator as Operator,
  type TraitCondition,
  type Window,
} from '../../contract/gen/millrace/cohorts/v1/cohort_pb.js'
import { dateOf, rangeOfDays, shiftDate } from '../calendar.ts'
import type { CohortLookup } from './cohort-filters.ts'
import type { CohortRule, CountRule } from './cohort-rule.ts'
import { invalid } from './invalid.ts'
import { type EventMatch, parseEventFilter, parseFilter } from './parse-filters.ts'
import { parseTimeRange, type RangeMs } from './time-range.ts'

/** The reason of errors in definitions. */
const REASON = 'INVALID_REQUEST'

const DEPTH_MAX = 4
const CONDITIONS_MAX = 50
const LAST_DAYS_MAX = 36_500

/** All possible event times. */
const EVER: RangeMs = { fromMs: 0, toMs: Date.UTC(2106, 0, 1) }

/** What a definition depends on besides its text. */
export interface DefinitionContext {
  /** The instant of the question, in milliseconds since the Unix epoch. */
  readonly nowMs: number
  /** IANA name of the project's time zone. */
  readonly timeZone: string
  /** The rules of other cohorts. */
  readonly lookup: CohortLookup
}

/** Parses a definition; errors name fields below `field`. Throws `invalid_argument`, or errors of the lookup. */
export function parseDefinition(
  definition: CohortDefinition,
  field: string,
  context: DefinitionContext,
): CohortRule {
  return new DefinitionParser(context).parse(definition, field, 0)
}

/** The cohorts that a definition refers to. Of a definition that is too deep, only those within the allowed depth. */
export function referencesOf({ node }: CohortDefinition, depth = 0): readonly string[] {
  if (node.case === 'group') {
    return depth === DEPTH_MAX ? [] : node.value.members.flatMap((member) => referencesOf(member, depth + 1))
  }
  const kind = node.value?.kind
  return kind?.case === 'cohort' ? [kind.value.cohortId] : []
}

class DefinitionParser {
  readonly #context: DefinitionContext
  #conditions = 0

  constructor(context: DefinitionContext) {
    this.#context = context
  }

  parse({ node }: CohortDefinition, field: string, depth: number): CohortRule {
    switch (node.case) {
      case 'group':
        return negatedIf(node.value.negate, this.#parseGroup(node.value, `${field}.group`, depth + 1))
      case 'condition':
        return negatedIf(node.value.negate, this.#parseCondition(node.value, `${field}.condition`))
      default:
        throw invalid(field, 'needs a group or a condition', REASON)
    }
  }

  #parseGroup({ members, operator }: CohortGroup, field: string, depth: number): CohortRule {
    if (depth > DEPTH_MAX) throw invalid(field, `groups must not nest deeper than ${DEPTH_MAX}`, REASON)
    if (members.length === 0) throw invalid(`${field}.members`, 'must not be empty', REASON)
    const of = members.map((member, index) => this.parse(member, `${field}.members[${index}]`, depth))
    return { kind: operator === LogicalOperator.OR ? 'any' : 'all', of }
  }

  #parseCondition({ kind }: CohortCondition, field: string): CohortRule {
    if (++this.#conditions > CONDITIONS_MAX)
      throw invalid(field, `a definition has at most ${CONDITIONS_MAX} conditions`, REASON)
    switch (kind.case) {
      case 'performed':
        return {
          kind: 'performed',
          event: parseEvent(kind.value, `${field}.performed`),
          count: parseCount(kind.value.count, `${field}.performed.count`),
          window: this.#parseWindow(kind.value.window, `${field}.performed.window`),
        }
      case 'firstPerformed':
        return {
          kind: 'first_performed',
          event: parseEvent(kind.value, `${field}.firstPerformed`),
          window: this.#parseWindow(kind.value.window, `${field}.firstPerformed.window`),
        }
      case 'trait':
        return { kind: 'trait', condition: parseTrait(kind.value, `${field}.trait.filter`) }
      case 'cohort':
        if (kind.value.cohortId === '') throw invalid(`${field}.cohort.cohortId`, 'is required', REASON)
        return this.#context.lookup(kind.value.cohortId)
      default:
        throw invalid(field, 'needs performed, firstPerformed, trait or cohort', REASON)
    }
  }

  #parseWindow(window: Window | undefined, field: string): RangeMs {
    if (!window) return EVER
    const { kind } = window
    switch (kind.case) {
      case 'lastDays':
        return this.#parseLastDays(kind.value, `${field}.lastDays`)
      case 'range':
        return parseTimeRange(kind.value, REASON, `${field}.range`)
      case 'ever':
        if (!kind.value) throw invalid(`${field}.ever`, 'must be true', REASON)
        return EVER
      default:
        throw invalid(field, 'needs lastDays, range or ever', REASON)
    }
  }

  #parseLastDays(days: number, field: string): RangeMs {
    if (days < 1 || days > LAST_DAYS_MAX) throw invalid(field, `must be 1 to ${LAST_DAYS_MAX}`, REASON)
    const { nowMs, timeZone } = this.#context
    const today = dateOf(nowMs, timeZone)
    const { fromMs } = rangeOfDays({ from: shiftDate(today, 1 - days), to: today }, timeZone)
    return { fromMs, toMs: nowMs }
  }
}

function negatedIf(negate: boolean, rule: CohortRule): CohortRule {
  return negate ? { kind: 'not', of: rule } : rule
}

function parseEvent(
  { event }: { readonly event?: Parameters<typeof parseEventFilter>[0] },
  field: string,
): EventMatch {
  return parseEventFilter(event, { field: `${field}.event`, reason: REASON })
}

const COUNT_OPERATORS: { readonly [O in Operator]?: CountRule['operator'] } = {
  [Operator.AT_LEAST]: 'at_least',
  [Operator.AT_MOST]: 'at_most',
  [Operator.EXACTLY]: 'exactly',
}

function parseCount(count: CountRuleMessage | undefined, field: string): CountRule {
  if (!count) return { operator: 'at_least', value: 1n }
  const operator = COUNT_OPERATORS[count.operator]
  if (!operator) throw invalid(`${field}.operator`, 'is required', REASON)
  if (count.value < 0n) throw invalid(`${field}.value`, 'must be 0 or more', REASON)
  return { operator, value: count.value }
}

function parseTrait(
  { filter }: TraitCondition,
  field: string,
): Extract<CohortRule, { kind: 'trait' }>['condition'] {
  if (!filter) throw invalid(field, 'is required', REASON)
  const { source } = filter
  if (source !== PropertySource.UNSPECIFIED && source !== PropertySource.PROFILE)
    throw invalid(`${field}.source`, 'must be unset or PROFILE', REASON)
  return parseFilter(filter, { field, reason: REASON, sourceDefault: PropertySource.PROFILE })
}
