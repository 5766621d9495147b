import type { ProjectId } from '../../contract/ids.ts'
import { unreachable } from '../../kernel/assert.ts'
import { eventPropertyNumber, eventPropertyText, eventPropertyTextAmong } from '../property/event-property.ts'
import { type TraitProperty, usersWithTrait } from '../property/trait.ts'
import { allOf, anyOf, type Sql, sql } from '../sql/sql.ts'
import type { Condition } from './condition.ts'
import { matchValue } from './operator-sql.ts'
import { OPERATORS } from './operators.ts'

/** Whose events a condition is about. */
export interface ConditionScope {
  readonly projectId: ProjectId
  /** The canonical user of the row's event, as a hash. */
  readonly user: Sql
}

type Match = Extract<Condition, { kind: 'match' }>

/** A condition as an expression over a row of `events`: 0 or 1, never NULL. */
export function conditionSql(condition: Condition, scope: ConditionScope): Sql {
  switch (condition.kind) {
    case 'all':
      return allOf(condition.of.map((part) => conditionSql(part, scope)))
    case 'any':
      return anyOf(condition.of.map((part) => conditionSql(part, scope)))
    case 'match':
      return matchSql(condition, scope)
    default:
      return unreachable(condition)
  }
}

function matchSql({ property, operator, operands }: Match, scope: ConditionScope): Sql {
  if (property.home === 'trait') return traitSql(property, { operator, operands }, scope)
  const value = {
    text: eventPropertyText(property),
    number: eventPropertyNumber(property),
    textAmong: (texts: readonly string[]) => eventPropertyTextAmong(property, texts),
  }
  return matchValue(operator, operands, value)
}

/** Users without the trait are in no table: an operator that they match is asked the other way round. */
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
