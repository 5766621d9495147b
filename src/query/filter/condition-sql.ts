import type { ProjectId } from '../../contract/ids.ts'
import type { Condition } from '../../domain/insights/condition.ts'
import { OPERATORS } from '../../domain/insights/condition.ts'
import type { TraitProperty } from '../../domain/insights/property.ts'
import { unreachable } from '../../kernel/assert.ts'
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
import { allOf, anyOf, type Sql, sql } from '../sql/sql.ts'
import { matchValue, textsCompared } from './operator-sql.ts'

/** The project and the user of the row that a condition is evaluated on. */
export interface ConditionScope {
  readonly projectId: ProjectId
  /** The canonical user of the row's event, as a hash. */
  readonly user: Sql
}

type Match = Extract<Condition, { kind: 'match' }>

/** Conditions on this many keys of maps gather them first: planning each key costs more than reading it. */
const GATHERED_KEYS_MIN = 8

/** A condition as an expression over a row of `events`: 0 or 1, never NULL. */
export function conditionSql(condition: Condition, scope: ConditionScope): Sql {
  const [ofEvents, ofUsers] = partsOf(condition)
  const keys = keysToGather(ofEvents)
  if (keys.texts.length + keys.numbers.length < GATHERED_KEYS_MIN) return treeSql(condition, scope, undefined)
  const gathered = gatherKeys(keys, (maps) => treeSql(together(condition, ofEvents), scope, maps))
  if (ofUsers.length === 0) return gathered
  const others = treeSql(together(condition, ofUsers), scope, undefined)
  return condition.kind === 'any' ? anyOf([gathered, others]) : allOf([gathered, others])
}

/** The parts of a condition that read the event only, and those that read traits too. */
function partsOf(condition: Condition): readonly [ofEvents: Condition[], ofUsers: Condition[]] {
  const parts = condition.kind === 'match' ? [condition] : condition.of
  return [parts.filter((part) => !hasTrait(part)), parts.filter(hasTrait)]
}

function together(condition: Condition, of: readonly Condition[]): Condition {
  return { kind: condition.kind === 'any' ? 'any' : 'all', of }
}

function hasTrait(condition: Condition): boolean {
  return condition.kind === 'match' ? condition.property.home === 'trait' : condition.of.some(hasTrait)
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
  return condition.kind === 'match' ? [condition] : condition.of.flatMap(matchesOf)
}

function treeSql(condition: Condition, scope: ConditionScope, maps: MapReading | undefined): Sql {
  switch (condition.kind) {
    case 'all':
      return allOf(condition.of.map((part) => treeSql(part, scope, maps)))
    case 'any':
      return anyOf(condition.of.map((part) => treeSql(part, scope, maps)))
    case 'match':
      return matchSql(condition, scope, maps)
    default:
      return unreachable(condition)
  }
}

function matchSql(
  { property, operator, operands }: Match,
  scope: ConditionScope,
  maps: MapReading | undefined,
): Sql {
  if (property.home === 'trait') return traitSql(property, { operator, operands }, scope)
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
  const { projectId, user } = scope
  if (!OPERATORS[operator].matchesMissing) {
    return sql`${user} IN (${usersWithTrait(property, projectId, (value) => matchValue(operator, operands, value))})`
  }
  return sql`${user} NOT IN (${usersWithTrait(property, projectId, (value) => sql`NOT (${matchValue(operator, operands, value)})`)})`
}
