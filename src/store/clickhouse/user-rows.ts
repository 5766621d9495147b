import type { ProjectId } from '../../contract/ids.ts'
import type { ClickHouse } from './client.ts'
import { scopedText } from './tenant-tables.ts'

/** Other ids of a user, from Identify calls. */
export interface UserAliases {
  /** Devices whose latest Identify call names the user. */
  readonly deviceIds: readonly string[]
  /** Anonymous ids that the user was the first to claim. */
  readonly anonymousIds: readonly string[]
}

const DEVICES = `
SELECT device_id AS id
${scopedText('device_users')} AND user_hash = sipHash64({project:UInt32}, {user:String})`

const ANONYMOUS_IDS = `
SELECT anonymous_id AS id
${scopedText('identity_claims')} AND id_hash IN (
  SELECT id_hash
  ${scopedText('identity_claims')} AND user_hash = sipHash64({project:UInt32}, {user:String})
)
GROUP BY anonymous_id
HAVING argMin(user_hash, (claimed, external_id)) = sipHash64({project:UInt32}, {user:String})`

/** Reads the devices and the anonymous ids of a user; none after an erasure. */
export async function readUserAliases(
  clickhouse: ClickHouse,
  user: { readonly projectId: ProjectId; readonly externalId: string },
): Promise<UserAliases> {
  const read = async (query: string): Promise<readonly string[]> => {
    const query_params = { project: user.projectId, user: user.externalId }
    const result = await clickhouse.query({ query, query_params, format: 'JSONEachRow' })
    return (await result.json<{ readonly id: string }>()).map(({ id }) => id)
  }
  const [deviceIds, anonymousIds] = await Promise.all([read(DEVICES), read(ANONYMOUS_IDS)])
  return { deviceIds, anonymousIds }
}

/** A deletion of a profile, which hides it until the user is identified again. */
export interface ProfileDeletion {
  readonly projectId: ProjectId
  /** Hash of the user. */
  readonly user: bigint
  /** Milliseconds since the Unix epoch. */
  readonly deletedMs: number
}

/** Hides a profile durably, as of the next query. */
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
