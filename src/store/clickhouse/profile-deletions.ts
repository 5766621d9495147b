import type { ProjectId } from '../../contract/ids.ts'
import type { ClickHouse } from './client.ts'

/** Whose profile is hidden. */
export interface ProfileDeletion {
  readonly projectId: ProjectId
  /** Hash of the user. */
  readonly user: bigint
  /** Milliseconds since the Unix epoch. */
  readonly deletedMs: number
}

/** Hides a profile: durable, and seen by the next question. */
export async function insertProfileDeletion(
  clickhouse: ClickHouse,
  { projectId, user, deletedMs }: ProfileDeletion,
): Promise<void> {
  await clickhouse.command({
    query:
      'INSERT INTO profile_deletions SELECT {project:UInt32}, {user:UInt64}, fromUnixTimestamp64Milli({deleted:Int64})',
    query_params: { project: projectId, user, deleted: deletedMs },
    clickhouse_settings: { async_insert: 0, wait_end_of_query: 1 },
  })
}
