import type { JsonObject } from '@bufbuild/protobuf'
import type { ProjectId } from '../../contract/ids.ts'
import { currentTraits } from '../property/trait.ts'
import { int64Codec, stringArrayCodec, stringCodec, uint64ArrayCodec, uint64Codec } from '../sql/codec.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { type CompiledQuery, column, type QueryRunner, type Row, select } from '../sql/select.ts'
import { param, type Sql, sql } from '../sql/sql.ts'
import { userHash } from '../users/user-sql.ts'

/** The columns of a user in every statement that lists users. */
export const PERSON_COLUMNS = {
  /** Hash of the external id, or of an anonymous user's distinct id. */
  user: column(uint64Codec, sql`user_hash`),
  /** Profile id, or the distinct id of an anonymous user. */
  id: column(stringCodec, sql`id`),
  /** Empty for an anonymous user. */
  externalId: column(stringCodec, sql`external_id`),
  createdMs: column(int64Codec, sql`toUnixTimestamp64Milli(created)`),
  /** The time at which traits were last set; 0 without traits. */
  updatedMs: column(int64Codec, sql`toUnixTimestamp64Milli(updated)`),
}

/** A user with a profile: identified, or derived from the events of one distinct id. */
export type Person = Row<typeof PERSON_COLUMNS>

/**
 * `SELECT ...`: identified users who are not deleted, or were identified again since; `condition` filters the rows of
 * `profiles`. A user whose ids only events have joined was never identified, and is not restored by events.
 */
export function identifiedPeople(projectId: ProjectId, condition: Sql): Sql {
  return sql`${everIdentified(projectId, condition)} WHERE identified > deletions.last_deleted OR deletions.last_deleted = toDateTime64(0, 3, 'UTC')`
}

/** `SELECT ...`, without a `WHERE`: as {@link identifiedPeople}, with those who are deleted. */
function everIdentified(projectId: ProjectId, condition: Sql): Sql {
  const grouped = sql`SELECT user_hash, external_id, toString(any(profile_id)) AS id, min(profiles.created) AS created, max(profiles.updated) AS updated, max(profiles.identified) AS identified ${scopedTable('profiles', projectId)} AND ${condition} GROUP BY user_hash, external_id`
  return sql`SELECT user_hash, id, external_id, created, updated FROM (${grouped}) AS people LEFT ANY JOIN (${deletions(projectId)}) AS deletions USING user_hash`
}

/**
 * `SELECT ...`: anonymous users who are not deleted: their distinct id is neither claimed nor anyone's external id.
 * `condition` filters the rows of `users`.
 */
export function anonymousPeople(projectId: ProjectId, condition: Sql): Sql {
  const isShown = sql`user_hash NOT IN (SELECT user_hash ${scopedTable('profile_deletions', projectId)})`
  return everAnonymous(projectId, condition, sql` AND ${isShown}`)
}

/** `SELECT ...`: as {@link anonymousPeople}, with those who are deleted. */
function everAnonymous(projectId: ProjectId, condition: Sql, isShown: Sql = sql``): Sql {
  return sql`SELECT user_hash, any(distinct_id) AS id, '' AS external_id, min(first_seen) AS created, toDateTime64(0, 3, 'UTC') AS updated ${scopedTable('users', projectId)} AND ${condition} AND user_hash NOT IN (SELECT id_hash ${scopedTable('identity_claims', projectId)}) AND user_hash NOT IN (SELECT arrayJoin([user_hash, sipHash64(project, toString(profile_id))]) ${scopedTable('profiles', projectId)})${isShown} GROUP BY user_hash`
}

function deletions(projectId: ProjectId): Sql {
  return sql`SELECT user_hash, max(deleted) AS last_deleted ${scopedTable('profile_deletions', projectId)} GROUP BY user_hash`
}

/** Where to look for one person. */
interface PersonScope {
  readonly projectId: ProjectId
  /** Also finds a person whose profile is deleted. */
  readonly withHidden?: boolean
}

/** Finds the user by profile id, claimed anonymous id or anonymous distinct id. */
export async function findPerson(
  { projectId, id, withHidden = false }: PersonScope & { readonly id: string },
  run: QueryRunner,
): Promise<Person | undefined> {
  const hash = userHash({ projectId, distinctId: id })
  const claimant = sql`SELECT argMin(user_hash, (claimed, external_id)) FROM (SELECT user_hash, external_id, min(identity_claims.claimed) AS claimed ${scopedTable('identity_claims', projectId)} AND id_hash = ${hash} GROUP BY user_hash, external_id) HAVING count() > 0`
  const isExternal = sql`${hash} IN (SELECT user_hash ${scopedTable('profiles', projectId)})`
  const condition = sql`(toString(profile_id) = lower(${param(stringCodec, id)}) OR (user_hash IN (${claimant}) AND NOT ${isExternal}))`
  const [identified] = await run(
    firstOf((withHidden ? everIdentified : identifiedPeople)(projectId, condition)),
  )
  if (identified) return identified
  const ofId = sql`user_hash = ${hash} AND distinct_id = ${param(stringCodec, id)}`
  const [anonymous] = await run(firstOf((withHidden ? everAnonymous : anonymousPeople)(projectId, ofId)))
  return anonymous
}

/** Finds the identified user with an external id. */
export async function findByExternalId(
  { projectId, externalId, withHidden = false }: PersonScope & { readonly externalId: string },
  run: QueryRunner,
): Promise<Person | undefined> {
  const condition = sql`user_hash = ${userHash({ projectId, distinctId: externalId })} AND external_id = ${param(stringCodec, externalId)}`
  const [person] = await run(firstOf((withHidden ? everIdentified : identifiedPeople)(projectId, condition)))
  return person
}

function firstOf(people: Sql): CompiledQuery<Person> {
  return select(PERSON_COLUMNS, sql`FROM (${people}) LIMIT 1`)
}

/** The traits to read. */
interface TraitScope {
  readonly projectId: ProjectId
  readonly users: readonly bigint[]
  /** Absent for all. */
  readonly keys?: readonly string[]
}

/** Traits by user. */
export async function readTraits(
  { projectId, users, keys }: TraitScope,
  run: QueryRunner,
): Promise<ReadonlyMap<bigint, JsonObject>> {
  const ofKeys = keys ? sql` AND key IN ${param(stringArrayCodec, keys)}` : sql``
  const rows = await run(
    select(
      {
        user: column(uint64Codec, sql`user_hash`),
        key: column(stringCodec, sql`key`),
        value: column(stringCodec, sql`value`),
      },
      sql`${currentTraits(projectId)} AND user_hash IN ${param(uint64ArrayCodec, users)}${ofKeys}`,
    ),
  )
  const byUser = Map.groupBy(rows, ({ user }) => user)
  return new Map(
    [...byUser].map(([user, traits]) => [
      user,
      Object.fromEntries(traits.map(({ key, value }) => [key, JSON.parse(value)])),
    ]),
  )
}
