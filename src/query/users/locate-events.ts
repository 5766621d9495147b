import type { Ask } from '../insights/insight.ts'
import type { RangeMs } from '../insights/time-range.ts'
import { int64Codec, uint32Codec, uint64ArrayCodec } from '../sql/codec.ts'
import type { EventScope } from '../sql/events-table.ts'
import { column, select } from '../sql/select.ts'
import { param, sql } from '../sql/sql.ts'
import { type UserId, userHash, userHashes } from './user-ids.ts'

/** Ids that travel as a parameter; the statement finds more of them out by itself. */
const HASHES_MAX = 4000

const COLUMNS = {
  hashes: column(uint64ArrayCodec, sql`groupUniqArray(user_hash)`),
  firstMs: column(int64Codec, sql`toUnixTimestamp64Milli(min(first_seen))`),
  lastMs: column(int64Codec, sql`toUnixTimestamp64Milli(max(last_seen))`),
}

/**
 * Which events of a range may be a user's: under which ids, and between their first and their last one. A statement that is
 * told both by value reads a tenth of the index of one that finds them out itself (docs/adr/0002 has the figures). Ask for
 * the canonical user of each event as well: see {@link userHashes}.
 */
export async function locateEvents(
  user: UserId,
  range: RangeMs,
  ask: Ask,
  hashesMax: number = HASHES_MAX,
): Promise<Pick<EventScope, 'fromMs' | 'toMs' | 'userHashes'>> {
  const { projectId } = user
  const project = param(uint32Codec, projectId)
  const [found] = await ask(
    select(COLUMNS, sql`FROM users WHERE project = ${project} AND user_hash IN ${userHashes(user)}`),
  )
  // The table knows nobody who is cookieless: they have one id, for a day.
  if (!found || found.hashes.length === 0) return { ...range, userHashes: sql`(${userHash(user)})` }
  const { hashes, firstMs, lastMs } = found
  return {
    fromMs: Math.max(range.fromMs, firstMs),
    toMs: Math.min(range.toMs, lastMs + 1),
    userHashes: hashes.length > hashesMax ? userHashes(user) : sql`${param(uint64ArrayCodec, hashes)}`,
  }
}
