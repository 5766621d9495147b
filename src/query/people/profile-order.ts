import { ProfileOrder } from '../../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { currentTraits } from '../property/trait.ts'
import { int64Codec, stringCodec } from '../sql/codec.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { param, type Sql, sql } from '../sql/sql.ts'
import { USER_KEY } from '../users/user-sql.ts'

/** An order of people. */
export interface PeopleOrder {
  /** `SELECT ...`: people with a column `sort_key`. */
  readonly keyed: (people: Sql, projectId: ProjectId) => Sql
  readonly direction: 'ascending' | 'descending'
  /** A value of `sort_key` from its text; `undefined` for a text that is none. */
  readonly parseKey: (text: string) => Sql | undefined
}

function parseMs(text: string): Sql | undefined {
  return /^-?\d{1,15}$/.test(text) ? sql`${param(int64Codec, Number(text))}` : undefined
}

/** By the time of one of the events of each person, over all of their ids. */
function byEvent(timeMs: Sql): PeopleOrder {
  return {
    keyed: (people, projectId) => {
      const seen = sql`SELECT ${USER_KEY} AS person, ${timeMs} AS seen ${scopedTable('users', projectId)} GROUP BY person`
      return sql`SELECT people.*, toInt64(seen) AS sort_key FROM (${people}) AS people LEFT ANY JOIN (${seen}) AS activity ON people.user_hash = activity.person`
    },
    direction: 'descending',
    parseKey: parseMs,
  }
}

/** The orders of a list of profiles. */
export const PEOPLE_ORDERS = {
  [ProfileOrder.UNSPECIFIED]: {
    keyed: (people) => sql`SELECT *, toUnixTimestamp64Milli(created) AS sort_key FROM (${people})`,
    direction: 'descending',
    parseKey: parseMs,
  },
  [ProfileOrder.LAST_SEEN]: byEvent(sql`max(toUnixTimestamp64Milli(users.last_seen))`),
  [ProfileOrder.FIRST_SEEN]: byEvent(sql`min(toUnixTimestamp64Milli(users.first_seen))`),
  [ProfileOrder.NAME]: {
    keyed: (people, projectId) => {
      const text = (key: string): Sql =>
        sql`anyIf(JSONExtractString(value), key = ${param(stringCodec, key)})`
      const names = sql`SELECT user_hash, ${text('name')} AS name, ${text('email')} AS email ${currentTraits(projectId)} AND key IN ('name', 'email') GROUP BY user_hash`
      const shown = sql`multiIf(name != '', name, email != '', email, external_id != '', external_id, id)`
      return sql`SELECT people.*, lowerUTF8(${shown}) AS sort_key FROM (${people}) AS people LEFT ANY JOIN (${names}) AS names USING user_hash`
    },
    direction: 'ascending',
    parseKey: (text) => sql`${param(stringCodec, text)}`,
  },
} as const satisfies Readonly<Record<ProfileOrder, PeopleOrder>>
