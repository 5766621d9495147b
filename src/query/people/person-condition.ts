import type { ProjectId } from '../../contract/ids.ts'
import type { Condition } from '../../domain/insights/condition.ts'
import { OPERATORS } from '../../domain/insights/condition.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import type { FirstProperty } from '../../domain/insights/property.ts'
import { unreachable } from '../../kernel/assert.ts'
import { keysByFirst } from '../attribution/first-events.ts'
import { isInCohort } from '../filter/cohort-sql.ts'
import { conditionSql } from '../filter/condition-sql.ts'
import { matchValue } from '../filter/operator-sql.ts'
import { eventPropertyText } from '../property/event-property.ts'
import { decimalNumber } from '../property/value-sql.ts'
import { EVENT_ORDER } from '../sql/event-order.ts'
import { ALL_TIME, HAS_SESSION, scopedEvents } from '../sql/events-table.ts'
import { allOf, anyOf, type Sql, sql } from '../sql/sql.ts'
import { USER_KEY } from '../users/user-sql.ts'

type Match = Extract<Condition, { kind: 'match' }>

/**
 * A condition on users: current traits, auto properties of the user's latest event that has them, and properties of first
 * events. Throws `invalid_argument` for a custom property, which belongs to events.
 */
export function personCondition(condition: Condition, projectId: ProjectId): Sql {
  switch (condition.kind) {
    case 'all':
      return allOf(condition.of.map((part) => personCondition(part, projectId)))
    case 'any':
      return anyOf(condition.of.map((part) => personCondition(part, projectId)))
    case 'match':
      return matchPerson(condition, projectId)
    case 'cohort':
      return isInCohort(condition.rule, sql`user_hash`, { projectId, conditionSql })
    default:
      return unreachable(condition)
  }
}

function matchPerson(match: Match, projectId: ProjectId): Sql {
  const { property, operator, operands } = match
  if (property.home === 'trait')
    return conditionSql(match, { rows: { projectId, range: ALL_TIME }, user: sql`user_hash` })
  if (property.home === 'first') return matchFirst(match, property, projectId)
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

/** The first event of the user, or of their latest session; people without events or sessions have none. */
function matchFirst(match: Match, { of, property }: FirstProperty, projectId: ProjectId): Sql {
  const rows = { projectId, range: ALL_TIME }
  const matches = conditionSql({ ...match, property }, { rows, user: USER_KEY })
  const { matchesMissing } = OPERATORS[match.operator]
  const found = keysByFirst(of, matchesMissing ? sql`NOT (${matches})` : matches, rows)
  const users = of === 'user' ? found : usersByLatestSession(found, projectId)
  return matchesMissing ? sql`user_hash NOT IN (${users})` : sql`user_hash IN (${users})`
}

function usersByLatestSession(sessions: Sql, projectId: ProjectId): Sql {
  const latest = sql`argMaxIf(session_id, ${EVENT_ORDER}, ${HAS_SESSION})`
  return sql`SELECT canonical FROM (SELECT ${USER_KEY} AS canonical, ${latest} AS latest ${scopedEvents({ projectId, ...ALL_TIME })} GROUP BY canonical) WHERE latest IN (${sessions})`
}
