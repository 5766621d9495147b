import type { SaveFromPointRequest } from '../../contract/gen/millrace/cohorts/v1/cohorts_service_pb.js'
import type { ProjectContext } from '../../domain/insights/insight-context.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { findPoint } from '../actors/list-actors.ts'
import { type Cohort, deleteCohort, insertCohort, reviseCohort } from '../cohorts/cohort-store.ts'
import { int64Codec, uint32Codec, uuidCodec } from '../sql/codec.ts'
import type { QueryGate } from '../sql/query-gate.ts'
import { column, type QueryRunner, select } from '../sql/select.ts'
import { param, sql } from '../sql/sql.ts'
import { DISPLAY_ID, joinExternalIds } from '../users/user-sql.ts'
import type { ChangeParts } from './change-cohorts.ts'
import { MEMBERS_MAX, type MemberTable, tooManyMembers } from './static-members.ts'

/** Dependencies of {@link savePoint}. */
export interface SaveParts extends ChangeParts {
  readonly members: MemberTable
  readonly gate: QueryGate
}

/** Creates a static cohort of the users behind a point of an insight. Throws `ServiceError`. */
export async function savePoint(
  { catalog, clock, members, gate }: SaveParts,
  project: ProjectContext & { readonly run: QueryRunner },
  call: {
    readonly request: SaveFromPointRequest
    readonly createdBy: string
    readonly signal: AbortSignal
  },
): Promise<Cohort> {
  const { projectId, run } = project
  const { request, createdBy, signal } = call
  const { users } = await findPoint(request, project, run)
  const listed = sql`SELECT ${DISPLAY_ID} AS shown ${joinExternalIds(users, projectId)} WHERE NOT is_cookieless`
  const [row] = await run(select({ count: column(int64Codec, sql`toInt64(count())`) }, sql`FROM (${listed})`))
  if ((row?.count ?? 0) > MEMBERS_MAX) throw tooManyMembers()
  const content = { name: request.name, description: '', definition: undefined, createdBy }
  const cohort = await inTransaction(
    catalog,
    async (transaction) => await insertCohort(transaction, projectId, { ...content, nowMs: clock.nowMs() }),
  )
  const insert = sql`INSERT INTO cohort_members (project, cohort, distinct_id, is_member, version) SELECT ${param(uint32Codec, projectId)}, ${param(uuidCodec, cohort.id)}, shown, true, ${param(int64Codec, cohort.revision)} FROM (${listed}) LIMIT ${param(int64Codec, MEMBERS_MAX)}`
  const key = { projectId, id: cohort.id }
  try {
    await gate.pass(projectId, signal, async () => await members.insertFound(insert, signal))
  } catch (error) {
    await deleteCohort(catalog, key)
    throw error
  }
  return await reviseCohort(catalog, key, clock.nowMs())
}
