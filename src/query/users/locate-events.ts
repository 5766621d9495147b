import type { ProjectId } from '../../contract/ids.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { int64Codec, uint64ArrayCodec } from '../sql/codec.ts'
import type { EventScope } from '../sql/events-table.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { column, type QueryRunner, select } from '../sql/select.ts'
import { param, type Sql, sql } from '../sql/sql.ts'
import { hashesOfUsers, type UserId, userHash, userHashes } from './user-sql.ts'

/** Maximum ids to pass as a parameter; beyond that, the statement looks them up itself. */
const HASHES_MAX = 4000

/** Where the events of a user are sought. */
interface SoughtEvents {
  readonly range: RangeMs
  readonly run: QueryRunner
  readonly hashesMax?: number | undefined
}

const COLUMNS = {
  hashes: column(uint64ArrayCodec, sql`groupUniqArray(user_hash)`),
  firstMs: column(int64Codec, sql`toUnixTimestamp64Milli(min(first_seen))`),
  lastMs: column(int64Codec, sql`toUnixTimestamp64Milli(max(last_seen))`),
}

type Place = Pick<EventScope, 'fromMs' | 'toMs' | 'userHashes'>

/**
 * Narrows a range to the events that may belong to a user: the user's ids, and the times of their first and last event.
 * A statement that receives both as values reads a tenth of the index of one that looks them up itself (docs/adr/0002
 * has the figures). Also check the canonical user of each event: see {@link userHashes}.
 */
export async function locateEvents(
  user: UserId,
  { range, run, hashesMax = HASHES_MAX }: SoughtEvents,
): Promise<Place> {
  const { projectId } = user
  const place = await readPlace(projectId, userHashes(user), { run, hashesMax })
  // The table has no cookieless users: they have one id, for one day.
  if (!place) return { ...range, userHashes: sql`(${userHash(user)})` }
  const { fromMs, toMs } = place
  return { ...place, fromMs: Math.max(range.fromMs, fromMs), toMs: Math.min(range.toMs, toMs) }
}

/** As {@link locateEvents}, of several users by the hashes of their own ids; `undefined` when none has events. None may be cookieless. */
export async function locateEventsOf(
  { projectId, users }: { readonly projectId: ProjectId; readonly users: readonly bigint[] },
  run: QueryRunner,
): Promise<Place | undefined> {
  return await readPlace(projectId, hashesOfUsers(projectId, users), { run, hashesMax: HASHES_MAX })
}

/** Where the events of some ids are, given as a subquery of their hashes; `undefined` when they have none. */
async function readPlace(
  projectId: ProjectId,
  sought: Sql,
  { run, hashesMax }: { readonly run: QueryRunner; readonly hashesMax: number },
): Promise<Place | undefined> {
  const [found] = await run(
    select(COLUMNS, sql`${scopedTable('users', projectId)} AND user_hash IN ${sought}`),
  )
  if (!found || found.hashes.length === 0) return undefined
  const { hashes, firstMs, lastMs } = found
  const userHashes = hashes.length > hashesMax ? sought : sql`${param(uint64ArrayCodec, hashes)}`
  return { fromMs: firstMs, toMs: lastMs + 1, userHashes }
}
