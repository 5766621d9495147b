import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { MembersChange, CohortKey as MembersKey } from '../../store/clickhouse/cohort-members.ts'
import { type Cohort, type CohortKey, readCohort, reviseCohort } from '../cohorts/cohort-store.ts'
import { int64Codec, stringArrayCodec, uuidCodec } from '../sql/codec.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { column, type QueryRunner, select } from '../sql/select.ts'
import { anyOf, param, type Sql, sql } from '../sql/sql.ts'
import { fitParams } from '../sql/statement-size.ts'

/** The ids of static cohorts in ClickHouse. */
export interface MemberTable {
  /** Adds or removes ids, durably. */
  readonly change: (change: MembersChange) => Promise<void>
  /** Runs an INSERT of ids that a query finds. */
  readonly insertFound: (statement: Sql, signal: AbortSignal) => Promise<void>
  /** Deletes all ids of a cohort, in the background. */
  readonly deleteAll: (key: MembersKey) => Promise<void>
}

/** Dependencies of changes to static cohorts. */
export interface MembersParts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly members: MemberTable
  readonly run: QueryRunner
}

/** Maximum ids of a list. */
export const MEMBERS_MAX = 1_000_000

/** Maximum rows of a list, with those of removed ids: they are kept, so that a removal has effect in every part. */
const ROWS_MAX = 3 * MEMBERS_MAX

/** The number of different ids of each static cohort; a cohort without any is absent. */
export async function countMembers(
  { projectId, ids }: { readonly projectId: ProjectId; readonly ids: readonly string[] },
  run: QueryRunner,
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
  const ofCohorts = anyOf(ids.map((id) => sql`cohort = ${param(uuidCodec, id)}`))
  const rows = await run(
    select(
      { cohort: column(uuidCodec, sql`cohort`), count: column(int64Codec, sql`toInt64(count())`) },
      sql`${scopedTable('cohort_members', projectId)} AND ${ofCohorts} AND is_member GROUP BY cohort`,
    ),
  )
  return new Map(rows.map(({ cohort, count }) => [cohort, count]))
}

/** Adds ids to a static cohort, or removes them. Throws `not_found`, or `failed_precondition` for another cohort or at the limit. */
export async function changeMembers(
  parts: MembersParts,
  key: CohortKey,
  { ids, isMember }: { readonly ids: readonly string[]; readonly isMember: boolean },
): Promise<Cohort> {
  const { catalog, clock, members, run } = parts
  requireStatic(await readCohort(catalog, key))
  const different = [...new Set(ids)]
  if (isMember) await requireRoom(key, different, run)
  const { revision } = await reviseCohort(catalog, key, clock.nowMs())
  await members.change({
    projectId: key.projectId,
    cohortId: key.id,
    ids: different,
    isMember,
    version: revision,
  })
  // An answer that was computed meanwhile has the revision of before, so that it is not taken for a current one.
  return await reviseCohort(catalog, key, clock.nowMs())
}

function requireStatic({ definition }: Cohort): void {
  if (!definition) return
  throw new ServiceError({
    code: 'failed_precondition',
    reason: 'COHORT_NOT_STATIC',
    message: 'the cohort has a definition; only a static cohort has a list of ids',
  })
}

/** The error for a list that would become too long. */
export function tooManyMembers(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'LIMIT_REACHED',
    message: `a static cohort has at most ${MEMBERS_MAX.toLocaleString('en-US')} ids`,
  })
}

async function requireRoom(key: CohortKey, ids: readonly string[], run: QueryRunner): Promise<void> {
  const rows = sql`${scopedTable('cohort_members', key.projectId)} AND cohort = ${param(uuidCodec, key.id)}`
  const count = column(int64Codec, sql`toInt64(count())`)
  const [stored] = await run(
    select({ members: column(int64Codec, sql`toInt64(countIf(is_member))`), rows: count }, rows),
  )
  const { members, rows: all } = stored ?? { members: 0, rows: 0 }
  if (members + ids.length <= MEMBERS_MAX && all + ids.length <= ROWS_MAX) return
  let [known, kept] = [0, 0]
  for (const list of fitParams(ids)) {
    const some = sql`${rows} AND distinct_id IN ${param(stringArrayCodec, list)}`
    const [found] = await run(
      select({ members: column(int64Codec, sql`toInt64(countIf(is_member))`), rows: count }, some),
    )
    known += found?.members ?? 0
    kept += found?.rows ?? 0
  }
  if (members + ids.length - known > MEMBERS_MAX || all + ids.length - kept > ROWS_MAX) throw tooManyMembers()
}
