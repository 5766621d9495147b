import { createHmac } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

/** Counters expire this long after the last attempt. */
const EXPIRY_MS = 3_600_000

/** Maximum counters of all subjects; beyond, the least recently used ones are deleted. */
const NAMES_MAX = 50_000

/** Interval of the cleanup per process. */
const CLEANUP_INTERVAL_MS = 60_000

/** The attempts that a limiter allows. */
export interface Allowance {
  /** Attempts before the first delay; at least one. */
  readonly freeCount: number
  /** The first delay; each further attempt doubles it. */
  readonly firstMs: number
  readonly maxMs: number
}

/** Options of a limiter. */
export interface AttemptLimiterOptions {
  readonly catalog: Catalog
  readonly clock: Clock
  /** Key of the digests under which addresses and networks are stored. */
  readonly key: Uint8Array
  /** The kind of attempt; each subject has its own counters. */
  readonly subject: string
  readonly allowance: Allowance
}

/**
 * Delays attempts exponentially. They are counted when they start, so that concurrent ones count, too. All processes on one
 * catalog share the counters.
 */
export class AttemptLimiter {
  readonly #options: AttemptLimiterOptions
  #cleanedMs = 0

  constructor(options: AttemptLimiterOptions) {
    this.#options = options
  }

  /** Counts an attempt. Throws `resource_exhausted` before the next one is allowed. */
  async take(name: string): Promise<void> {
    const { catalog, clock } = this.#options
    const nowMs = clock.nowMs()
    const digest = this.#digest(name)
    await this.#cleanUp(nowMs)
    const counted = await catalog
      .insertInto('sign_in_attempts')
      .values({ name: digest, attempts: 1, next_ms: nowMs, last_ms: nowMs })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet((eb) => ({
            attempts: eb('sign_in_attempts.attempts', '+', 1),
            next_ms: this.#nextMs(nowMs),
            last_ms: nowMs,
          }))
          .where(({ eb, or }) =>
            or([
              eb('sign_in_attempts.next_ms', '<=', nowMs),
              // Counted before the clock was set back: do not wait until then.
              eb('sign_in_attempts.next_ms', '>', nowMs + 2 * this.#options.allowance.maxMs),
            ]),
          ),
      )
      .executeTakeFirst()
    if ((counted.numInsertedOrUpdatedRows ?? 0n) > 0n) return
    throw rateLimited((await this.#readNextMs(digest)) - nowMs)
  }

  /** Throws `resource_exhausted` before the next attempt is allowed, without counting one. */
  async require(name: string): Promise<void> {
    const nowMs = this.#options.clock.nowMs()
    const waitMs = (await this.#readNextMs(this.#digest(name))) - nowMs
    // Counted before the clock was set back: do not wait until then.
    if (waitMs > 0 && waitMs <= 2 * this.#options.allowance.maxMs) throw rateLimited(waitMs)
  }

  async #cleanUp(nowMs: number): Promise<void> {
    if (Math.abs(nowMs - this.#cleanedMs) < CLEANUP_INTERVAL_MS) return
    this.#cleanedMs = nowMs
    const { catalog } = this.#options
    const surplus = await catalog
      .selectFrom('sign_in_attempts')
      .select('last_ms')
      .orderBy('last_ms', 'desc')
      .offset(NAMES_MAX)
      .limit(1)
      .executeTakeFirst()
    const untilMs = Math.max(nowMs - EXPIRY_MS, surplus === undefined ? 0 : surplus.last_ms + 1)
    await catalog.deleteFrom('sign_in_attempts').where('last_ms', '<', untilMs).execute()
  }

  /** Uncounts a successful attempt. */
  async giveBack(name: string): Promise<void> {
    await this.#options.catalog
      .updateTable('sign_in_attempts')
      .set((eb) => ({ attempts: eb('attempts', '-', 1), next_ms: 0 }))
      .where('name', '=', this.#digest(name))
      .where('attempts', '>', 0)
      .execute()
  }

  /** Resets the counter. */
  async clear(name: string): Promise<void> {
    await this.#options.catalog
      .deleteFrom('sign_in_attempts')
      .where('name', '=', this.#digest(name))
      .execute()
  }

  /** The time of the next allowed attempt; the row has the count before the current one. */
  #nextMs(nowMs: number): RawBuilder<number> {
    const { freeCount, firstMs, maxMs } = this.#options.allowance
    const doublings = Math.ceil(Math.log2(maxMs / firstMs))
    const count = sql.ref('sign_in_attempts.attempts')
    const [now, delayed] = [sql.lit(nowMs), sql.lit(firstMs)]
    return sql<number>`CASE
      WHEN ${count} < ${sql.lit(freeCount)} THEN ${now}
      WHEN ${count} < ${sql.lit(freeCount + doublings)} THEN ${now} + ${delayed} * (1 << (${count} - ${sql.lit(freeCount)}))
      ELSE ${now} + ${sql.lit(maxMs)} END`
  }

  async #readNextMs(digest: string): Promise<number> {
    const row = await this.#options.catalog
      .selectFrom('sign_in_attempts')
      .select('next_ms')
      .where('name', '=', digest)
      .executeTakeFirst()
    return row?.next_ms ?? 0
  }

  #digest(name: string): string {
    const { key, subject } = this.#options
    return createHmac('sha256', key).update(`${subject}\n${name}`).digest('base64url')
  }
}

function rateLimited(waitMs: number): ServiceError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'RATE_LIMITED',
    message: `too many attempts; try again in ${seconds} s`,
    retryAfterSeconds: seconds,
  })
}
