import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { MergedIdSchema } from '../../contract/gen/shared/profiles/v1/profile_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { int64Codec, stringCodec, uint64ArrayCodec, uint64Codec } from '../sql/codec.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { column, type QueryRunner, type Row, select } from '../sql/select.ts'
import { param, type Sql, sql } from '../sql/sql.ts'
import type { Person } from './person.ts'

/** The fields of a response that describe the merges of a profile. */
export interface Merges {
  readonly mergedIds: MessageInitShape<typeof MergedIdSchema>[]
  readonly totalMergedIds: bigint
}

/** Ids that a response lists; a user whose id is shared by mistake may have any number. */
const LISTED_MAX = 100

const MERGED_COLUMNS = {
  hash: column(uint64Codec, sql`id_hash`),
  id: column(stringCodec, sql`id`),
  mergedMs: column(int64Codec, sql`toUnixTimestamp64Milli(merged)`),
  total: column(int64Codec, sql`toInt64(count() OVER ())`),
}

/** A page of the merged ids of an identified user. */
interface MergedIdPage {
  readonly projectId: ProjectId
  readonly person: Person
  /** The last id of the page before; the empty text before the first. */
  readonly after: string
  readonly count: number
}

const EXTENT_COLUMNS = {
  hash: column(uint64Codec, sql`user_hash`),
  firstMs: column(int64Codec, sql`toUnixTimestamp64Milli(min(first_seen))`),
  lastMs: column(int64Codec, sql`toUnixTimestamp64Milli(max(last_seen))`),
}

/** The anonymous ids of an identified user, the latest merge first; none of an anonymous user. */
export async function readMerges(
  { projectId, person }: { readonly projectId: ProjectId; readonly person: Person },
  run: QueryRunner,
): Promise<Merges> {
  if (person.externalId === '') return { mergedIds: [], totalMergedIds: 0n }
  const merged = await run(
    select(
      MERGED_COLUMNS,
      sql`FROM (${wonClaims(projectId, person.user)}) ORDER BY merged DESC, id LIMIT ${param(int64Codec, LISTED_MAX)}`,
    ),
  )
  return {
    mergedIds: await describe({ projectId, merged }, run),
    totalMergedIds: BigInt(merged[0]?.total ?? 0),
  }
}

/** All anonymous ids of an identified user in their order, a page at a time. */
export async function listMergedIds(
  { projectId, person, after, count }: MergedIdPage,
  run: QueryRunner,
): Promise<Merges['mergedIds']> {
  const won = wonClaims(projectId, person.user)
  const merged = await run(
    select(
      MERGED_COLUMNS,
      sql`FROM (${won}) WHERE id > ${param(stringCodec, after)} ORDER BY id LIMIT ${param(int64Codec, count)}`,
    ),
  )
  return await describe({ projectId, merged }, run)
}

async function describe(
  {
    projectId,
    merged,
  }: { readonly projectId: ProjectId; readonly merged: readonly Row<typeof MERGED_COLUMNS>[] },
  run: QueryRunner,
): Promise<Merges['mergedIds']> {
  const extents = await readExtents({ projectId, hashes: merged.map(({ hash }) => hash) }, run)
  return merged.map(({ hash, id, mergedMs }) => ({
    id,
    mergeTime: timestampFromMs(mergedMs),
    ...toTimes(extents.get(hash)),
  }))
}

/**
 * `SELECT ...`: the ids that the user claimed first, by the rules of the dictionary `identities`, which follows a few seconds
 * later: a claim of an id that is a user's external id has no effect.
 */
function wonClaims(projectId: ProjectId, user: bigint): Sql {
  const hash = param(uint64Codec, user)
  const claimed = sql`SELECT id_hash ${scopedTable('identity_claims', projectId)} AND user_hash = ${hash}`
  const external = sql`SELECT user_hash ${scopedTable('profiles', projectId)} AND user_hash IN (${claimed})`
  return sql`SELECT id_hash, any(anonymous_id) AS id, min(claimed) AS merged ${scopedTable('identity_claims', projectId)} AND id_hash IN (${claimed}) AND id_hash NOT IN (${external}) GROUP BY id_hash HAVING argMin(user_hash, (claimed, external_id)) = ${hash}`
}

type Extent = Row<typeof EXTENT_COLUMNS>

/** The times of the first and the last event of each id; ids without events are absent. */
async function readExtents(
  { projectId, hashes }: { readonly projectId: ProjectId; readonly hashes: readonly bigint[] },
  run: QueryRunner,
): Promise<ReadonlyMap<bigint, Extent>> {
  if (hashes.length === 0) return new Map()
  const ofIds = sql`user_hash IN ${param(uint64ArrayCodec, hashes)}`
  const rows = await run(
    select(EXTENT_COLUMNS, sql`${scopedTable('users', projectId)} AND ${ofIds} GROUP BY user_hash`),
  )
  return new Map(rows.map((row) => [row.hash, row]))
}

function toTimes(extent: Extent | undefined): MessageInitShape<typeof MergedIdSchema> {
  if (!extent) return {}
  return { firstEventTime: timestampFromMs(extent.firstMs), lastEventTime: timestampFromMs(extent.lastMs) }
}
