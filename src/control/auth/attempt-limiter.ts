import { createHmac } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

/** Who does nothing for this long starts anew. */
const FORGOTTEN_MS = 3_600_000

/** Names that are kept, of all subjects; beyond, who tried last longest ago starts anew. */
const NAMES_MAX = 50_000

/** How often a process looks for names that are to be forgotten. */
const FORGET_EVERY_MS = 60_000

/** How often something may be tried. */
export interface Allowance {
  /** Attempts before the first delay; at least one. */
  readonly freeCount: number
  /** The first delay; each further attempt doubles it. */
  readonly firstMs: number
  readonly maxMs: number
}

/** What a limiter counts, and where. */
export interface AttemptLimiterOptions {
  readonly catalog: Catalog
  readonly clock: Clock
  /** Keeps names of addresses and networks out of the catalog: only digests under this key are stored. */
  readonly key: Uint8Array
  /** What is tried; the same names of different subjects are counted apart. */
  readonly subject: string
  readonly allowance: Allowance
}

/**
 * Slows attempts down, more with each: counted when they begin, so that many at once are many. All processes on one catalog
 * count together.
 */
export class AttemptLimiter {
  readonly #options: AttemptLimiterOptions
  #forgotMs = 0

  constructor(options: AttemptLimiterOptions) {
    this.#options = options
  }

  /** Counts an attempt. Throws `resource_exhausted` when it comes too soon. */
  async take(name: string): Promise<void> {
    const { catalog, clock } = this.#options
    const nowMs = clock.nowMs()
    const digest = this.#digest(name)
    await this.#forget(nowMs)
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
              // Counted before the clock was set back.
              eb('sign_in_attempts.next_ms', '>', nowMs + 2 * this.#options.allowance.maxMs),
            ]),
          ),
      )
      .executeTakeFirst()
    if ((counted.numInsertedOrUpdatedRows ?? 0n) > 0n) return
    throw tooSoon((await this.#readNextMs(digest)) - nowMs)
  }

  async #forget(nowMs: number): Promise<void> {
    if (Math.abs(nowMs - this.#forgotMs) < FORGET_EVERY_MS) return
    this.#forgotMs = nowMs
    const { catalog } = this.#options
    const surplus = await catalog
      .selectFrom('sign_in_attempts')
      .select('last_ms')
      .orderBy('last_ms', 'desc')
      .offset(NAMES_MAX)
      .limit(1)
      .executeTakeFirst()
    const untilMs = Math.max(nowMs - FORGOTTEN_MS, surplus === undefined ? 0 : surplus.last_ms + 1)
    await catalog.deleteFrom('sign_in_attempts').where('last_ms', '<', untilMs).execute()
  }

  /** Takes an attempt back that was none, because it succeeded. */
  async giveBack(name: string): Promise<void> {
    await this.#options.catalog
      .updateTable('sign_in_attempts')
      .set((eb) => ({ attempts: eb('attempts', '-', 1), next_ms: 0 }))
      .where('name', '=', this.#digest(name))
      .where('attempts', '>', 0)
      .execute()
  }

  /** Starts anew. */
  async clear(name: string): Promise<void> {
    await this.#options.catalog
      .deleteFrom('sign_in_attempts')
      .where('name', '=', this.#digest(name))
      .execute()
  }

  /** When the attempt after the one that is being counted may come; the row has the count before it. */
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

function tooSoon(waitMs: number): ServiceError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'RATE_LIMITED',
    message: `too many attempts; try again in ${seconds} s`,
    retryAfterSeconds: seconds,
  })
}
