import type { MessageInitShape } from '@bufbuild/protobuf'
import {
  type ListMembersRequest,
  ListMembersRequestSchema,
  type ListMembersResponseSchema,
} from '../../contract/gen/millrace/cohorts/v1/cohorts_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import type { CohortRule } from '../../domain/insights/cohort-rule.ts'
import { countConditions } from '../../domain/insights/cohort-rule.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import { encodeBoundToken, parseBoundToken } from '../calls/bound-token.ts'
import { type CohortScope, everyUser, isInCohort } from '../filter/cohort-sql.ts'
import { conditionSql } from '../filter/condition-sql.ts'
import { int64ArrayCodec, int64Codec, stringCodec } from '../sql/codec.ts'
import { ALL_TIME } from '../sql/events-table.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { column, type QueryRunner, select } from '../sql/select.ts'
import { join, param, sql } from '../sql/sql.ts'
import { locateEvents } from '../users/locate-events.ts'
import { canonicalUser, DISPLAY_ID, joinExternalIds, USER_KEY, userHashes } from '../users/user-sql.ts'

const PAGE_SIZE_DEFAULT = 100
const PAGE_SIZE_MAX = 1000

/** The project of a question about the users of cohorts. */
interface Asked {
  readonly projectId: ProjectId
  readonly run: QueryRunner
}

/** The number of users of a cohort. */
export async function countUsers(rule: CohortRule, { projectId, run }: Asked): Promise<number> {
  const isMember = isInCohort(rule, sql`user`, { projectId, conditionSql })
  const [row] = await run(
    select(
      { users: column(int64Codec, sql`toInt64(uniqExact(user))`) },
      sql`FROM (${everyUser({ projectId })}) WHERE ${isMember}`,
    ),
  )
  return row?.users ?? 0
}

/** One page of the users of a cohort, in the order of their ids. Throws `invalid_argument`. */
export async function listUsers(
  rule: CohortRule,
  request: ListMembersRequest,
  { projectId, run }: Asked,
): Promise<MessageInitShape<typeof ListMembersResponseSchema>> {
  if (request.pageSize < 0 || request.pageSize > PAGE_SIZE_MAX)
    throw invalid('pageSize', `must be 0 to ${PAGE_SIZE_MAX}`, 'INVALID_REQUEST')
  const pageSize = request.pageSize || PAGE_SIZE_DEFAULT
  const paged = { schema: ListMembersRequestSchema, request, projectId } as const
  const lastId = parseBoundToken(paged)
  const ids = sql`SELECT ${USER_KEY} AS user, distinct_id AS any_id ${scopedTable('users', projectId)} UNION ALL SELECT user_hash AS user, external_id AS any_id ${scopedTable('profiles', projectId)}`
  const isMember = isInCohort(rule, sql`user`, { projectId, conditionSql })
  const users = sql`SELECT user, any(any_id) AS id FROM (${ids}) WHERE ${isMember} GROUP BY user`
  const after = lastId === undefined ? sql`` : sql` WHERE shown > ${param(stringCodec, lastId)}`
  const found = await run(
    select(
      { id: column(stringCodec, sql`${DISPLAY_ID} AS shown`) },
      sql`${joinExternalIds(users, projectId)}${after} ORDER BY shown LIMIT ${param(int64Codec, pageSize + 1)}`,
    ),
  )
  const distinctIds = found.slice(0, pageSize).map(({ id }) => id)
  const last = distinctIds.at(-1)
  const isLast = found.length === distinctIds.length || last === undefined
  return { distinctIds, nextPageToken: isLast ? '' : encodeBoundToken(paged, last) }
}

/** Conditions of the cohorts that one statement checks. */
const CONDITIONS_PER_STATEMENT_MAX = 100

/** Which of some cohorts a user is in, by position. */
export async function findCohortsOfUser(
  rules: readonly CohortRule[],
  user: { readonly projectId: ProjectId; readonly distinctId: string },
  run: QueryRunner,
): Promise<readonly boolean[]> {
  const { projectId } = user
  const { userHashes: located = userHashes(user), ...range } = await locateEvents(user, {
    range: ALL_TIME,
    run,
  })
  const within = { events: { ...range, userHashes: located }, ids: userHashes(user) }
  const scope: CohortScope = { projectId, conditionSql, within }
  const isKnown = sql`user IN (${everyUser(scope)})`
  const found: boolean[] = []
  for (const some of batchRules(rules)) {
    const tests = some.map((rule) => sql`toInt64(${isKnown} AND ${isInCohort(rule, sql`user`, scope)})`)
    const [row] = await run(
      select(
        { tests: column(int64ArrayCodec, sql`[${join(tests, sql`, `)}]`) },
        sql`FROM (SELECT ${canonicalUser(user)} AS user)`,
      ),
    )
    found.push(...some.map((_, index) => row?.tests[index] === 1))
  }
  return found
}

function* batchRules(rules: readonly CohortRule[]): Generator<readonly CohortRule[]> {
  let batch: CohortRule[] = []
  let conditions = 0
  for (const rule of rules) {
    const more = countConditions(rule)
    if (batch.length > 0 && conditions + more > CONDITIONS_PER_STATEMENT_MAX) {
      yield batch
      batch = []
      conditions = 0
    }
    batch.push(rule)
    conditions += more
  }
  if (batch.length > 0) yield batch
}
