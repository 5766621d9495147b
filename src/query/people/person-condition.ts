import type { ProjectId } from '../../contract/ids.ts'
import type { Condition } from '../../domain/insights/condition.ts'
import { OPERATORS } from '../../domain/insights/condition.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import { unreachable } from '../../kernel/assert.ts'
import { conditionSql } from '../filter/condition-sql.ts'
import { matchValue } from '../filter/operator-sql.ts'
import { eventPropertyText } from '../property/event-property.ts'
import { decimalNumber } from '../property/value-sql.ts'
import { ALL_TIME, scopedEvents } from '../sql/events-table.ts'
import { allOf, anyOf, type Sql, sql } from '../sql/sql.ts'
import { USER_KEY } from '../users/user-sql.ts'

type Match = Extract<Condition, { kind: 'match' }>

/**
 * A condition on users: current traits, and auto properties of the user's latest event that has them. Throws
 * `invalid_argument` for a custom property, which belongs to events.
 */
export function personCondition(condition: Condition, projectId: ProjectId): Sql {
  switch (condition.kind) {
    case 'all':
      return allOf(condition.of.map((part) => personCondition(part, projectId)))
    case 'any':
      return anyOf(condition.of.map((part) => personCondition(part, projectId)))
    case 'match':
      return matchPerson(condition, projectId)
    default:
      return unreachable(condition)
  }
}

function matchPerson(match: Match, projectId: ProjectId): Sql {
  const { property, operator, operands } = match
  if (property.home === 'trait') return conditionSql(match, { projectId, user: sql`user_hash` })
  if (!property.key.startsWith('$')) {
    const description = `${property.key} is an event property; filter profiles by traits or auto properties`
    throw invalid('filterGroups', description, 'INVALID_PROFILE_FILTER')
  }
  const text = eventPropertyText(property)
  const latest = sql`toString(argMaxIf(${text}, (time, toString(event_id)), ${text} != ''))`
  const matches = matchValue(operator, operands, { text: sql`latest`, number: decimalNumber(sql`latest`) })
  const { matchesMissing } = OPERATORS[operator]
  const having = matchesMissing ? sql`NOT (${matches})` : matches
  const users = sql`(SELECT canonical FROM (SELECT ${USER_KEY} AS canonical, ${latest} AS latest ${scopedEvents({ projectId, ...ALL_TIME })} GROUP BY canonical) WHERE ${having})`
  return matchesMissing ? sql`user_hash NOT IN ${users}` : sql`user_hash IN ${users}`
}
