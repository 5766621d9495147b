import { describe, expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import type { CohortRule, CountRule } from '../../domain/insights/cohort-rule.ts'
import { ALWAYS, type Condition } from '../../domain/insights/condition.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { ALL_TIME } from '../sql/events-table.ts'
import { render, sql } from '../sql/sql.ts'
import { USER_KEY } from '../users/user-sql.ts'
import { conditionSql } from './condition-sql.ts'

const WEEK: RangeMs = { fromMs: 1000, toMs: 2000 }
const LISTED: CohortRule = { kind: 'listed', cohortId: '00000000-0000-4000-8000-000000000001' }

function performed(
  kind: string,
  count: CountRule = { operator: 'at_least', value: 1n },
  window: RangeMs = ALL_TIME,
): CohortRule {
  return { kind: 'performed', event: { kind, condition: ALWAYS }, count, window }
}

function not(of: CohortRule): CohortRule {
  return { kind: 'not', of }
}

/** The condition on a row of events, with short names for the parts that are the same everywhere. */
function print(rule: CohortRule): string {
  const condition: Condition = { kind: 'cohort', rule }
  const scope = { rows: { projectId: asProjectId(1), range: WEEK }, user: USER_KEY }
  const { text } = render(sql`${conditionSql(condition, scope)}`)
  return text
    .replaceAll("dictGetOrDefault('identities', 'user_hash', user_hash, user_hash)", 'USER')
    .replaceAll(/ PREWHERE project = .*? AND time < \S+ 'UTC'\)/g, ' WITHIN')
}

describe('the users of a cohort', () => {
  test('with an event are found among its users', () => {
    expect(print(performed('buy'))).toMatchInlineSnapshot(
      `"(NOT cookieless AND USER IN (SELECT user FROM (SELECT USER AS user, count() AS state0 FROM events FINAL WITHIN AND kind IN {p5:Array(String)} WHERE 1 AND NOT cookieless AND kind = {p6:String} GROUP BY user) WHERE state0 >= {p7:Int64}))"`,
    )
  })

  test('without an event are all but its users', () => {
    expect(print(not(performed('buy')))).toMatchInlineSnapshot(
      `"(NOT cookieless AND USER NOT IN (SELECT user FROM (SELECT USER AS user, count() AS state0 FROM events FINAL WITHIN AND kind IN {p5:Array(String)} WHERE 1 AND NOT cookieless AND kind = {p6:String} GROUP BY user) WHERE NOT (NOT (state0 >= {p7:Int64}))))"`,
    )
    expect(print(performed('buy', { operator: 'exactly', value: 0n }))).toMatchInlineSnapshot(
      `"(NOT cookieless AND USER NOT IN (SELECT user FROM (SELECT USER AS user, count() AS state0 FROM events FINAL WITHIN AND kind IN {p5:Array(String)} WHERE 1 AND NOT cookieless AND kind = {p6:String} GROUP BY user) WHERE NOT (state0 = {p7:Int64})))"`,
    )
  })

  test('of several conditions are found in one scan', () => {
    const often = performed('view', { operator: 'at_least', value: 3n }, WEEK)
    expect(print({ kind: 'all', of: [often, not(performed('buy'))] })).toMatchInlineSnapshot(
      `"(NOT cookieless AND USER IN (SELECT user FROM (SELECT USER AS user, countIf((kind = {p0:String} AND time >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC') AND time < fromUnixTimestamp64Milli({p2:Int64}, 'UTC'))) AS state0, countIf(kind = {p3:String}) AS state1 FROM events FINAL WITHIN AND kind IN {p9:Array(String)} WHERE 1 AND NOT cookieless GROUP BY user) WHERE (state0 >= {p10:Int64} AND NOT (state1 >= {p11:Int64}))))"`,
    )
  })

  test('by their first event have none before the window', () => {
    const first: CohortRule = {
      kind: 'first_performed',
      event: { kind: 'buy', condition: ALWAYS },
      window: WEEK,
    }
    expect(print(first)).toMatchInlineSnapshot(
      `"(NOT cookieless AND USER IN (SELECT user FROM (SELECT USER AS user, countIf((kind = {p0:String} AND time >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC'))) AS state0, countIf((kind = {p0:String} AND time < fromUnixTimestamp64Milli({p2:Int64}, 'UTC'))) AS state1 FROM events FINAL WITHIN AND kind IN {p8:Array(String)} WHERE 1 AND NOT cookieless GROUP BY user) WHERE (state0 > 0 AND state1 = 0)))"`,
    )
  })

  test('of a list are looked up by themselves, beside those of events', () => {
    expect(print({ kind: 'any', of: [LISTED, not(performed('buy'))] })).toMatchInlineSnapshot(
      `"(NOT cookieless AND (USER IN (SELECT dictGetOrDefault('identities', 'user_hash', id_hash, id_hash) FROM cohort_members FINAL WHERE project = {p0:UInt32} AND cohort = {p1:UUID} AND is_member) OR USER NOT IN (SELECT user FROM (SELECT USER AS user, count() AS state0 FROM events FINAL WITHIN AND kind IN {p7:Array(String)} WHERE 1 AND NOT cookieless AND kind = {p8:String} GROUP BY user) WHERE NOT (NOT (state0 >= {p9:Int64})))))"`,
    )
  })

  test('are looked for among all users where those with and those without events may be in', () => {
    const inner: CohortRule = { kind: 'all', of: [LISTED, not(performed('buy'))] }
    expect(print({ kind: 'any', of: [inner, performed('view')] })).toMatchInlineSnapshot(
      `"(NOT cookieless AND USER IN (SELECT user FROM (SELECT user, sum(counted.state0) AS state0, sum(counted.state1) AS state1 FROM (SELECT USER AS user, countIf(kind = {p0:String}) AS state0, countIf(kind = {p1:String}) AS state1 FROM events FINAL WITHIN AND kind IN {p7:Array(String)} WHERE 1 AND NOT cookieless GROUP BY user UNION ALL SELECT user, 0, 0 FROM (SELECT USER AS user FROM users WHERE project = {p8:UInt32} UNION ALL SELECT user_hash AS user FROM profiles WHERE project = {p9:UInt32})) AS counted GROUP BY user) WHERE ((user IN (SELECT dictGetOrDefault('identities', 'user_hash', id_hash, id_hash) FROM cohort_members FINAL WHERE project = {p10:UInt32} AND cohort = {p11:UUID} AND is_member) AND NOT (state0 >= {p12:Int64})) OR state1 >= {p13:Int64})))"`,
    )
  })
})
