import type { ProjectId } from '../../contract/ids.ts'
import type { ClickHouse } from './client.ts'
import { scopedText } from './tenant-tables.ts'

/** What else Identify calls told of a person. */
export interface PersonNames {
  /** Devices on which they were identified last. */
  readonly deviceIds: readonly string[]
  /** Anonymous ids that they were the first to claim. */
  readonly anonymousIds: readonly string[]
}

const DEVICES = `
SELECT device_id AS id
${scopedText('device_users')} AND user_hash = sipHash64({project:UInt32}, {person:String})`

const ANONYMOUS_IDS = `
SELECT anonymous_id AS id
${scopedText('identity_claims')} AND id_hash IN (
  SELECT id_hash
  ${scopedText('identity_claims')} AND user_hash = sipHash64({project:UInt32}, {person:String})
)
GROUP BY anonymous_id
HAVING argMin(user_hash, (claimed, external_id)) = sipHash64({project:UInt32}, {person:String})`

/** Looks up the devices and the anonymous ids of a person; nothing is found once they are erased. */
export async function readPersonNames(
  clickhouse: ClickHouse,
  person: { readonly projectId: ProjectId; readonly externalId: string },
): Promise<PersonNames> {
  const read = async (query: string): Promise<readonly string[]> => {
    const query_params = { project: person.projectId, person: person.externalId }
    const result = await clickhouse.query({ query, query_params, format: 'JSONEachRow' })
    return (await result.json<{ readonly id: string }>()).map(({ id }) => id)
  }
  const [deviceIds, anonymousIds] = await Promise.all([read(DEVICES), read(ANONYMOUS_IDS)])
  return { deviceIds, anonymousIds }
}
