import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Catalog } from './catalog.ts'

/** A bound of the rows of a project in a table. */
export interface RowLimit {
  readonly table: 'annotations' | 'channels' | 'cohorts' | 'goals' | 'imports' | 'reports'
  readonly projectId: ProjectId
  readonly countMax: number
}

/**
 * Throws `failed_precondition` when a project has more rows than its limit. Call it after the write and in its transaction, so that
 * exceeding the limit rolls it back.
 */
export async function requireWithinLimit(
  transaction: Catalog,
  { table, projectId, countMax }: RowLimit,
): Promise<void> {
  const { count } = await transaction
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (Number(count) > countMax) throw limitReached(`${countMax} ${table}`)
}

/** The error of a project at a limit; `limit` is a number with what it counts, such as `20 imports`. */
export function limitReached(limit: string): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'LIMIT_REACHED',
    message: `a project has at most ${limit}; delete some first`,
  })
}
