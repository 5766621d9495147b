import type { ProjectId } from '../../../contract/ids.ts'
import { TRAIT_RECEIVED } from '../../property/trait.ts'
import { int64Codec, uint32Codec, uuidArrayCodec } from '../../sql/codec.ts'
import { ALL_TIME, instant, scopedEvents } from '../../sql/events-table.ts'
import { scopedTable, scopedVersions } from '../../sql/scoped-table.ts'
import { join, param, type Sql, sql } from '../../sql/sql.ts'

/** Identifies erasures that run together: their ids and sessions are looked up by these two. */
export interface ErasureKey {
  readonly projectId: ProjectId
  /** At least one. */
  readonly requestIds: readonly string[]
}

/**
 * The scope of an erasure sweep. The first sweep takes every row; later ones have a cutoff in milliseconds and take
 * late rows from before it: a user who returns after the erasure is a new one.
 */
export interface ErasureScope extends ErasureKey {
  readonly cutMs: number | undefined
}

/** Tables with rows of users, in deletion order: aliases last, so that everything stays hidden until then. */
export const ERASED_TABLES = [
  'events',
  'users',
  'sessions',
  'session_arrivals',
  'long_sessions',
  'visits',
  'cohort_members',
  'traits',
  'device_users',
  'identity_claims',
  'profiles',
] as const

/** One of {@link ERASED_TABLES}. */
export type ErasedTable = (typeof ERASED_TABLES)[number]

interface ErasedRows {
  /** The rows to delete. */
  readonly erased: (scope: ErasureScope) => Sql
  /** The rows that must be gone afterwards. */
  readonly left: (scope: ErasureScope) => Sql
}

const ROWS = {
  events: {
    erased: (scope) => sql`user_hash IN ${idsOf(scope)} AND ${eventsUpTo(scope)}`,
    left: (scope) => sql`user_hash IN ${idsOf(scope)} AND ${eventsUpTo(scope)}`,
  },
  users: {
    erased: (scope) => sql`user_hash IN ${idsOf(scope)}`,
    left: (scope) =>
      sql`user_hash IN ${idsOf(scope)} AND user_hash NOT IN (SELECT user_hash ${eventsOfPerson(scope)})`,
  },
  sessions: { erased: inSessions, left: withoutEvents },
  session_arrivals: { erased: inSessions, left: withoutEvents },
  long_sessions: { erased: inSessions, left: withoutEvents },
  visits: { erased: inSessions, left: withoutEvents },
  cohort_members: { erased: membersUpTo, left: membersUpTo },
  traits: { erased: versionsUpTo, left: versionsUpTo },
  device_users: { erased: versionsUpTo, left: versionsUpTo },
  identity_claims: { erased: claimsUpTo, left: claimsUpTo },
  profiles: { erased: profilesUpTo, left: profilesUpTo },
} satisfies Record<ErasedTable, ErasedRows>

/** The condition of the rows that the sweep deletes. */
export function erasedRows(table: ErasedTable, scope: ErasureScope): Sql {
  return sql`project = ${project(scope)} AND ${ROWS[table].erased(scope)}`
}

/** `FROM ... WHERE ...`: rows of the table that the sweep deletes. */
export function fromErasedRows(table: ErasedTable, scope: ErasureScope): Sql {
  if (table === 'events') return erasedEvents(scope)
  return sql`${scopedVersions(table, scope.projectId)} AND ${ROWS[table].erased(scope)}`
}

/** `FROM ... WHERE ...`: rows of the table that must not remain after a sweep. */
export function fromLeftRows(table: ErasedTable, scope: ErasureScope): Sql {
  const left = ROWS[table].left(scope)
  if (table === 'events') return sql`${scopedEvents({ ...scope, ...ALL_TIME })} AND ${left}`
  return sql`${scopedVersions(table, scope.projectId)} AND ${left}`
}

/** `(SELECT ...)`: the hashes of all ids of the users. */
export function idsOf(key: ErasureKey): Sql {
  return sql`(SELECT id_hash ${scopedTable('erasure_ids', key.projectId)} AND request IN ${requests(key)})`
}

/** `(SELECT ...)`: sessions that contained events of the users. */
function sessionsOf(key: ErasureKey): Sql {
  return sql`(SELECT session_id ${scopedTable('erasure_sessions', key.projectId)} AND request IN ${requests(key)})`
}

/** Which of the requests erases an event, as a number from 1: the first of them that has its id. */
export function positionOf({ projectId, requestIds }: ErasureKey): Sql {
  const choices = requestIds.map(
    (requestId, index) =>
      sql`user_hash IN ${idsOf({ projectId, requestIds: [requestId] })}, ${param(int64Codec, index + 1)}, `,
  )
  return sql`multiIf(${join(choices, sql``)}toInt64(0))`
}

/** `FROM events ...`: the users' events in the scope of a sweep. */
export function erasedEvents(scope: ErasureScope): Sql {
  return sql`${eventsOfPerson(scope)} AND ${eventsUpTo(scope)}`
}

/** `FROM events ...`: all events of the users. */
export function eventsOfPerson(key: ErasureKey): Sql {
  return scopedEvents({ projectId: key.projectId, ...ALL_TIME, userHashes: idsOf(key) })
}

/** `FROM events ...`: all events of those sessions, of any user. */
export function eventsOfSessions(key: ErasureKey): Sql {
  return sql`${scopedEvents({ projectId: key.projectId, ...ALL_TIME })} AND session_id IN ${sessionsOf(key)}`
}

/** The project as a parameter. */
export function project({ projectId }: Pick<ErasureKey, 'projectId'>): ReturnType<typeof param> {
  return param(uint32Codec, projectId)
}

/** The ids of the requests as a parameter. */
export function requests({ requestIds }: ErasureKey): ReturnType<typeof param> {
  return param(uuidArrayCodec, requestIds)
}

function eventsUpTo({ cutMs }: ErasureScope): Sql {
  return cutMs === undefined ? sql`1` : sql`(time <= ${instant(cutMs)} OR ingested <= ${instant(cutMs)})`
}

function inSessions(scope: ErasureScope): Sql {
  return sql`session_id IN ${sessionsOf(scope)}`
}

function withoutEvents(scope: ErasureScope): Sql {
  return sql`session_id IN ${sessionsOf(scope)} AND session_id NOT IN (SELECT session_id ${eventsOfSessions(scope)})`
}

function membersUpTo(scope: ErasureScope): Sql {
  const { cutMs } = scope
  const late = cutMs === undefined ? sql`1` : sql`changed <= ${instant(cutMs)}`
  return sql`id_hash IN ${idsOf(scope)} AND ${late}`
}

function versionsUpTo(scope: ErasureScope): Sql {
  const { cutMs } = scope
  const late = cutMs === undefined ? sql`1` : sql`${TRAIT_RECEIVED} <= ${param(int64Codec, cutMs * 1000)}`
  return sql`user_hash IN ${idsOf(scope)} AND ${late}`
}

/** Includes other users' claims to these ids, because they contain the ids. */
function claimsUpTo(scope: ErasureScope): Sql {
  const { cutMs } = scope
  const late = cutMs === undefined ? sql`1` : sql`claimed <= ${instant(cutMs)}`
  return sql`(id_hash IN ${idsOf(scope)} OR user_hash IN ${idsOf(scope)}) AND ${late}`
}

function profilesUpTo(scope: ErasureScope): Sql {
  const { cutMs } = scope
  const late = cutMs === undefined ? sql`1` : sql`greatest(identified, created) <= ${instant(cutMs)}`
  return sql`user_hash IN ${idsOf(scope)} AND ${late}`
}
