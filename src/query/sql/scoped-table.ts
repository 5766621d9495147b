import type { ProjectId } from '../../contract/ids.ts'
import { fromTable, type TenantTable } from '../../store/clickhouse/tenant-tables.ts'
import { uint32Codec } from './codec.ts'
import { param, Sql, sql } from './sql.ts'

/**
 * `FROM ... WHERE project = ...`, extended with `AND`: rows of one project in any table besides `events`, which
 * `scopedEvents` reads. Of rows with several versions, only the latest one.
 */
export function scopedTable(table: TenantTable, projectId: ProjectId): Sql {
  return inProject(Sql.of([fromTable(table)], []), projectId)
}

/** As {@link scopedTable}, but with every stored version of a row: what an erasure has to delete, or an upper bound of the rows. */
export function scopedVersions(table: TenantTable, projectId: ProjectId): Sql {
  return inProject(Sql.of([`FROM ${table}`], []), projectId)
}

function inProject(from: Sql, projectId: ProjectId): Sql {
  return sql`${from} WHERE project = ${param(uint32Codec, projectId)}`
}
