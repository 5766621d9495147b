import type { ProjectId } from '../../../contract/ids.ts'
import { monotonicMs, sleep } from '../../../kernel/clock.ts'
import { ERASURES_DAY } from '../../../store/clickhouse/migrations/018-day-cells.ts'
import { bigintCodec, int64Codec, stringArrayCodec, stringCodec, uuidCodec } from '../../sql/codec.ts'
import { HAS_SESSION, instant } from '../../sql/events-table.ts'
import type { DeleteRows, Execute } from '../../sql/execute.ts'
import type { RunQuery } from '../../sql/run.ts'
import { scopedTable } from '../../sql/scoped-table.ts'
import { type CompiledQuery, column, select } from '../../sql/select.ts'
import { param, type Sql, sql } from '../../sql/sql.ts'
import { fitParams } from '../../sql/statement-size.ts'
import { userHash } from '../../users/user-sql.ts'
import {
  ERASED_TABLES,
  type ErasedTable,
  type ErasureKey,
  type ErasureScope,
  erasedEvents,
  erasedRows,
  eventsOfPerson,
  eventsOfSessions,
  fromErasedRows,
  fromLeftRows,
  idsOf,
  positionOf,
  project,
  requests,
} from './erased-rows.ts'

/** ClickHouse access for erasures; no client waits for the result, so timeouts are generous. */
export interface ErasureStore {
  readonly run: RunQuery
  readonly execute: Execute
  readonly deleteRows: DeleteRows
  /**
   * Reasons why mutations whose statement contains one of the texts are unfinished, one per mutation; empty when all are done.
   */
  readonly listUnfinished: (texts: readonly string[], signal: AbortSignal) => Promise<readonly string[]>
  /** Resolves when no statement runs that may have read events to store visits or cells of days. */
  readonly untilFoldsEnd: (signal: AbortSignal) => Promise<void>
  /** Longest time in milliseconds for which a question may use the cells of days that it has found. */
  readonly questionMsMax: number
}

/** A mutation that takes longer continues in the background, and the next attempt waits for it. */
const MUTATION_MS_MAX = 30 * 60_000
const POLL_MS_MIN = 50
const POLL_MS_MAX = 1000

/** Tables that erasures use for their own bookkeeping. */
type KeptTable = 'erasure_ids' | 'erasure_sessions' | 'profile_deletions' | 'day_cells'

/** A user whose rows are erased. */
export interface ErasedPerson {
  readonly projectId: ProjectId
  /** The id of the request. */
  readonly id: string
  readonly externalId: string
}

const ERASURES = param(stringCodec, ERASURES_DAY)

const rowCount = column(int64Codec, sql`toInt64(count())`)

/** The rows of some users in ClickHouse. */
export class PersonTables {
  readonly #store: ErasureStore
  readonly #signal: AbortSignal

  constructor(store: ErasureStore, signal: AbortSignal) {
    this.#store = store
    this.#signal = signal
  }

  /** The store's clock, in milliseconds. */
  async readClock(): Promise<number> {
    return await this.#one(
      select({ value: column(int64Codec, sql`toUnixTimestamp64Milli(now64(3))`) }, sql``),
      0,
    )
  }

  /** Hides the profile from every list. */
  async hide({ projectId, externalId }: ErasedPerson): Promise<void> {
    const user = userHash({ projectId, distinctId: externalId })
    await this.#execute(
      sql`INSERT INTO profile_deletions SELECT ${project({ projectId })}, ${user}, now64(3)`,
    )
  }

  /**
   * Records the hashes of all ids of a user: their own, their profile's, and the anonymous ids that they claimed
   * first. An id that is another user's external id stays with that user, even if another user claimed it.
   */
  async collectIds(person: ErasedPerson, cutMs: number | undefined): Promise<void> {
    const { projectId } = person
    const user = userHash({ projectId, distinctId: person.externalId })
    // A user who returns claims ids anew.
    const upTo = cutMs === undefined ? sql`1` : sql`claimed <= ${instant(cutMs)}`
    const claims = sql`SELECT id_hash, user_hash, external_id, min(identity_claims.claimed) AS claimed ${scopedTable('identity_claims', projectId)} AND id_hash IN (SELECT id_hash ${scopedTable('identity_claims', projectId)} AND user_hash = ${user}) GROUP BY id_hash, user_hash, external_id HAVING ${upTo}`
    const won = sql`SELECT id_hash FROM (SELECT id_hash, argMin(user_hash, (claimed, external_id)) AS winner FROM (${claims}) GROUP BY id_hash) WHERE winner = ${user} AND id_hash NOT IN (SELECT user_hash ${scopedTable('profiles', projectId)})`
    const profiles = sql`SELECT sipHash64(project, toString(profile_id)) AS id_hash ${scopedTable('profiles', projectId)} AND user_hash = ${user}`
    const all = sql`SELECT ${user} AS id_hash UNION ALL ${profiles} UNION ALL ${won}`
    await this.#execute(
      sql`INSERT INTO erasure_ids (project, request, id_hash) SELECT DISTINCT ${project(person)}, ${param(uuidCodec, person.id)}, id_hash FROM (${all})`,
    )
  }

  /** Records the sessions of the events that are erased next. */
  async collectSessions(scope: ErasureScope): Promise<void> {
    const found = sql`SELECT DISTINCT project, ${positionOf(scope)} AS position, session_id ${erasedEvents(scope)} AND ${HAS_SESSION}`
    await this.#execute(
      sql`INSERT INTO erasure_sessions (project, request, session_id) SELECT project, ${requests(scope)}[position], session_id FROM (${found})`,
    )
  }

  /** Number of events that are erased next, without duplicates, by request; requests without any are absent. */
  async countEvents(scope: ErasureScope): Promise<ReadonlyMap<string, number>> {
    const position = column(int64Codec, positionOf(scope))
    const rows = await this.#store.run(
      select({ position, count: rowCount }, sql`${erasedEvents(scope)} GROUP BY ${position.expression}`),
      this.#signal,
    )
    return new Map(rows.map(({ position, count }) => [scope.requestIds[position - 1] ?? '', count]))
  }

  /** Deletes the rows of every table, and restores those that belong to remaining events. */
  async erase(scope: ErasureScope): Promise<void> {
    for (const table of ERASED_TABLES) {
      // As new arrivals these sessions are read from events, so that none is missing while its row is.
      if (table === 'visits') await this.#restoreSessions(scope)
      await this.#erase(table, scope)
      if (table === 'events') await this.#forgetDays(scope)
    }
    await this.#execute(
      sql`INSERT INTO users SELECT project, user_hash, distinct_id, min(time), max(time) ${eventsOfPerson(scope)} AND NOT cookieless GROUP BY project, user_hash, distinct_id`,
    )
    // Again: visits may have been folded before their rows were deleted.
    await this.#restoreSessions(scope)
  }

  /**
   * Makes cells of days from before the deletion invalid, and deletes them, because they have hashes of ids: first those questions end that
   * may have found them. Neither cells nor visits of the deleted events are stored after this.
   */
  async #forgetDays(scope: ErasureScope): Promise<void> {
    await this.#execute(
      sql`INSERT INTO day_arrivals (project, day, arrivals, arrived) SELECT ${project(scope)}, toDate(${ERASURES}), 1, now64(3)`,
    )
    await this.#store.untilFoldsEnd(this.#signal)
    const count = select(
      { value: column(bigintCodec, sql`toInt64(sum(arrivals))`) },
      sql`${scopedTable('day_arrivals', scope.projectId)} AND day = toDate(${ERASURES})`,
    )
    const erasures = param(bigintCodec, await this.#one(count, 0n))
    const earlier = sql`erasures < ${erasures}`
    const rows = sql`${scopedTable('day_cells', scope.projectId)} AND ${earlier}`
    if ((await this.#one(select({ value: rowCount }, rows), 0)) === 0) return
    await sleep(this.#store.questionMsMax, this.#signal)
    const where = sql`project = ${project(scope)} AND ${earlier} AND NOT has(${requests(scope)}, fill)`
    await this.#mutate(scope, { table: 'day_cells', where })
  }

  /** The sessions that have events of others. */
  async #restoreSessions(scope: ErasureScope): Promise<void> {
    await this.#execute(
      sql`INSERT INTO sessions SELECT project, session_id, min(time), max(time) ${eventsOfSessions(scope)} GROUP BY project, session_id`,
    )
  }

  /** Rows by table that {@link erase} should have deleted; tables without any are absent. */
  async countLeft(scope: ErasureScope): Promise<ReadonlyMap<ErasedTable, number>> {
    const counts = new Map<ErasedTable, number>()
    for (const table of ERASED_TABLES) {
      const count = await this.#one(select({ value: rowCount }, fromLeftRows(table, scope)), 0)
      if (count > 0) counts.set(table, count)
    }
    return counts
  }

  /** Deletes the recorded hashes as well. */
  async forget(key: ErasureKey): Promise<void> {
    const mine = sql`project = ${project(key)} AND request IN ${requests(key)}`
    await this.#mutate(key, {
      table: 'profile_deletions',
      where: sql`project = ${project(key)} AND user_hash IN ${idsOf(key)}`,
    })
    await this.#mutate(key, { table: 'erasure_sessions', where: mine })
    await this.#mutate(key, { table: 'erasure_ids', where: mine })
  }

  async #erase(table: ErasedTable, scope: ErasureScope): Promise<void> {
    await this.#untilMutated(scope)
    // Even a mutation without matching rows goes through every part.
    if ((await this.#one(select({ value: rowCount }, fromErasedRows(table, scope)), 0)) === 0) return
    await this.#mutate(scope, { table, where: erasedRows(table, scope) })
  }

  async #mutate(
    key: ErasureKey,
    rows: { readonly table: ErasedTable | KeptTable; readonly where: Sql },
  ): Promise<void> {
    await this.#store.deleteRows(rows, this.#signal)
    await this.#untilMutated(key)
  }

  /** Mutations continue in the background even when the client disconnects; their text contains the requests. */
  async #untilMutated({ requestIds }: ErasureKey): Promise<void> {
    const giveUpMs = monotonicMs() + MUTATION_MS_MAX
    for (let pollMs = POLL_MS_MIN; ; pollMs = Math.min(POLL_MS_MAX, pollMs * 1.5)) {
      const [reason] = await this.#store.listUnfinished(requestIds, this.#signal)
      if (reason === undefined) return
      if (monotonicMs() > giveUpMs)
        throw new Error(`ClickHouse did not finish a deletion: ${reason.slice(0, 500)}`)
      await sleep(pollMs, this.#signal)
    }
  }

  async #one<T>(query: CompiledQuery<{ readonly value: T }>, none: T): Promise<T> {
    const [row] = await this.#store.run(query, this.#signal)
    return row?.value ?? none
  }

  async #execute(statement: Sql): Promise<void> {
    await this.#store.execute(statement, this.#signal)
  }
}

/** Filters for the ids that belong to the users: only their hashes are still stored. */
export async function findErasedIds(
  { run }: Pick<ErasureStore, 'run'>,
  { ids, ...key }: ErasureKey & { readonly ids: readonly string[] },
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const erased = new Set<string>()
  for (const list of fitParams(ids)) {
    const some = param(stringArrayCodec, list)
    const rows = await run(
      select(
        { id: column(stringCodec, sql`id`) },
        sql`FROM (SELECT arrayJoin(${some}) AS id) WHERE sipHash64(${project(key)}, id) IN ${idsOf(key)}`,
      ),
      signal,
    )
    for (const { id } of rows) erased.add(id)
  }
  return erased
}
