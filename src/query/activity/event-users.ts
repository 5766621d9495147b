import type { MessageInitShape } from '@bufbuild/protobuf'
import type { EventUserSchema } from '../../contract/gen/shared/activity/v1/activity_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { identifiedPeople, PERSON_COLUMNS, readTraits } from '../people/person.ts'
import { NAME_TRAITS } from '../people/person-search.ts'
import { stringArrayCodec, uint32Codec, uint64ArrayCodec } from '../sql/codec.ts'
import { column, type QueryRunner, select } from '../sql/select.ts'
import { param, sql } from '../sql/sql.ts'
import { canonicalUsers } from '../users/user-sql.ts'

/** The identified user of a distinct id, as the API returns it. */
export type EventUser = MessageInitShape<typeof EventUserSchema>

/** The distinct ids of a page of events, possibly with duplicates. */
interface EventIds {
  readonly projectId: ProjectId
  readonly distinctIds: readonly string[]
}

/** The identified users of distinct ids, ascending by distinct id; anonymous and hidden users are left out. */
export async function readEventUsers(
  { projectId, distinctIds }: EventIds,
  run: QueryRunner,
): Promise<EventUser[]> {
  const ids = [...new Set(distinctIds)].sort()
  if (ids.length === 0) return []
  const userOf = await findUsers({ projectId, distinctIds: ids }, run)
  const users = [...new Set(userOf)]
  const isListed = sql`user_hash IN ${param(uint64ArrayCodec, users)}`
  const [people, traits] = await Promise.all([
    run(select(PERSON_COLUMNS, sql`FROM (${identifiedPeople(projectId, isListed)})`)),
    readTraits({ projectId, users, keys: NAME_TRAITS }, run),
  ])
  const personOf = new Map(people.map((person) => [person.user, person]))
  return ids.flatMap((distinctId, index) => {
    const person = personOf.get(userOf[index] ?? 0n)
    if (!person) return []
    const { user, id: profileId, externalId } = person
    return [{ distinctId, externalId, profileId, traits: traits.get(user) ?? {} }]
  })
}

/** The canonical user of each id, in their order. */
async function findUsers({ projectId, distinctIds }: EventIds, run: QueryRunner): Promise<readonly bigint[]> {
  const hashes = sql`arrayMap(id -> sipHash64(${param(uint32Codec, projectId)}, id), ${param(stringArrayCodec, distinctIds)})`
  const [row] = await run(select({ users: column(uint64ArrayCodec, canonicalUsers(hashes)) }, sql``))
  return row?.users ?? []
}
