import type { Condition } from '../../domain/insights/condition.ts'
import { OPERATORS } from '../../domain/insights/condition.ts'
import type { FirstOf, TraitProperty } from '../../domain/insights/property.ts'
import { assert, unreachable } from '../../kernel/assert.ts'
import { isFirstMet, type RowScope } from '../attribution/first-events.ts'
import {
  eventPropertyNumber,
  eventPropertyText,
  eventPropertyTextAmong,
  type GatheredKeys,
  gatherKeys,
  isAmongStrings,
  type MapReading,
} from '../property/event-property.ts'
import { usersWithTrait } from '../property/trait.ts'
import { HAS_SESSION } from '../sql/events-table.ts'
import { allOf, anyOf, type Sql, sql } from '../sql/sql.ts'
import { NOT_COOKIELESS } from '../users/user-sql.ts'
import { isInCohort } from './cohort-sql.ts'
import { matchValue, textsCompared } from './operator-sql.ts'

/** The rows that a condition is evaluated on. */
export interface ConditionScope {
  readonly rows: RowScope
  /** The canonical user of the row's event, as a hash. */
  readonly user: Sql
}

type Match = Extract<Condition, { kind: 'match' }>
type Group = Extract<Condition, { kind: 'all' | 'any' }>

/** Conditions on this many keys of maps gather them first: planning each key costs more than reading it. */
const GATHERED_KEYS_MIN = 8

/** A condition as an expression over a row of `events`: 0 or 1, never NULL. */
export function conditionSql(condition: Condition, scope: ConditionScope): Sql {
  const [ofRows, ofOthers] = partsOf(condition)
  const keys = keysToGather(ofRows)
  if (keys.texts.length + keys.numbers.length < GATHERED_KEYS_MIN) return treeSql(condition, scope, undefined)
  const gathered = gatherKeys(keys, (maps) => treeSql(together(condition, ofRows), scope, maps))
  if (ofOthers.length === 0) return gathered
  const others = treeSql(together(condition, ofOthers), scope, undefined)
  return condition.kind === 'any' ? anyOf([gathered, others]) : allOf([gathered, others])
}

/** The parts of a condition that read the row only, and those that read traits or first events too. */
function partsOf(condition: Condition): readonly [ofRows: Condition[], ofOthers: Condition[]] {
  const parts = 'of' in condition ? condition.of : [condition]
  return [parts.filter((part) => !readsMore(part)), parts.filter(readsMore)]
}

function together(condition: Condition, of: readonly Condition[]): Condition {
  return { kind: condition.kind === 'any' ? 'any' : 'all', of }
}

/** Whether a condition reads more than the row's event: a subquery, which must not be inside a lambda. */
function readsMore(condition: Condition): boolean {
  if (condition.kind === 'cohort') return true
  if (condition.kind !== 'match') return condition.of.some(readsMore)
  return condition.property.home === 'trait' || condition.property.home === 'first'
}

/** Keys that conditions read from all maps of an event. A comparison with texts alone reads one map and needs no gathering. */
function keysToGather(conditions: readonly Condition[]): GatheredKeys {
  const [texts, numbers] = [new Set<string>(), new Set<string>()]
  for (const { property, operator, operands } of conditions.flatMap(matchesOf)) {
    const compared = textsCompared(operator, operands)
    if (property.home !== 'maps' || (compared && isAmongStrings(property, compared))) continue
    const isNumber = operands.kind === 'number' || operands.kind === 'numbers'
    if (isNumber) numbers.add(property.key)
    // The texts also show whether a dotted key exists.
    if (!isNumber || property.nested.length > 0) texts.add(property.key)
  }
  return { texts: [...texts], numbers: [...numbers] }
}

function matchesOf(condition: Condition): readonly Match[] {
  if (condition.kind === 'cohort') return []
  return condition.kind === 'match' ? [condition] : condition.of.flatMap(matchesOf)
}

function treeSql(condition: Condition, scope: ConditionScope, maps: MapReading | undefined): Sql {
  const of = firstOf(condition)
  if (of) return firstSql(of, atFirst(condition), scope)
  switch (condition.kind) {
    case 'all':
      return allOf(gatherFirsts(condition).map((part) => treeSql(part, scope, maps)))
    case 'any':
      return anyOf(gatherFirsts(condition).map((part) => treeSql(part, scope, maps)))
    case 'match':
      return matchSql(condition, scope, maps)
    case 'cohort':
      return cohortSql(condition, scope)
    default:
      return unreachable(condition)
  }
}

/** Events without a session have no first event of one, so that its properties are missing. */
function firstSql(of: FirstOf, condition: Condition, scope: ConditionScope): Sql {
  const isMet = isFirstMet(of, conditionSql(condition, scope), scope.rows)
  if (of === 'user' || !matchesMissing(condition)) return isMet
  return anyOf([sql`NOT (${HAS_SESSION})`, isMet])
}

function matchesMissing(condition: Condition): boolean {
  if (condition.kind === 'cohort') return false
  if (condition.kind === 'match') return OPERATORS[condition.operator].matchesMissing
  return condition.kind === 'any' ? condition.of.some(matchesMissing) : condition.of.every(matchesMissing)
}

/** Whose first event a condition is about, when that is all it reads. */
function firstOf(condition: Condition): FirstOf | undefined {
  if (condition.kind === 'cohort') return undefined
  if (condition.kind === 'match')
    return condition.property.home === 'first' ? condition.property.of : undefined
  const [first, ...rest] = new Set(condition.of.map(firstOf))
  return rest.length === 0 ? first : undefined
}

/** The condition on the first event itself. */
function atFirst(condition: Condition): Condition {
  if (condition.kind === 'cohort') return condition
  if (condition.kind !== 'match') return { ...condition, of: condition.of.map(atFirst) }
  const { property } = condition
  return property.home === 'first' ? { ...condition, property: property.property } : condition
}

/** The parts of a condition, with those about the same first event as one: each of them reads the history of the project. */
function gatherFirsts(condition: Group): readonly Condition[] {
  const byFirst = Map.groupBy(condition.of, firstOf)
  return [...byFirst].flatMap(([of, parts]) =>
    of && parts.length > 1 ? [{ kind: condition.kind, of: parts }] : parts,
  )
}

/** Events of cookieless visitors belong to no user of a cohort, and to none outside of it. */
function cohortSql(
  { rule }: Extract<Condition, { kind: 'cohort' }>,
  { rows: { projectId }, user }: ConditionScope,
): Sql {
  return allOf([NOT_COOKIELESS, isInCohort(rule, user, { projectId, conditionSql })])
}

function matchSql(
  { property, operator, operands }: Match,
  scope: ConditionScope,
  maps: MapReading | undefined,
): Sql {
  if (property.home === 'trait') return traitSql(property, { operator, operands }, scope)
  assert(property.home !== 'first', 'conditions on first events are compiled as a whole')
  const value = {
    text: eventPropertyText(property, maps),
    number: eventPropertyNumber(property, maps),
    textAmong: (texts: readonly string[]) => eventPropertyTextAmong(property, texts, maps),
  }
  return matchValue(operator, operands, value)
}

/** Users without the trait have no row, so an operator that matches them selects the users to exclude. */
function traitSql(
  property: TraitProperty,
  { operator, operands }: Pick<Match, 'operator' | 'operands'>,
  scope: ConditionScope,
): Sql {
  const { user, rows } = scope
  const { projectId } = rows
  if (!OPERATORS[operator].matchesMissing) {
    return sql`${user} IN (${usersWithTrait(property, projectId, (value) => matchValue(operator, operands, value))})`
  }
  return sql`${user} NOT IN (${usersWithTrait(property, projectId, (value) => sql`NOT (${matchValue(operator, operands, value)})`)})`
}
