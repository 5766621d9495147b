import { randomBytes } from 'node:crypto'
import { hash, type Options, verify } from '@node-rs/argon2'
import { ServiceError } from '../../contract/service-error.ts'
import { monotonicMs, sleep } from '../../kernel/clock.ts'
import { type Applicant, FairQueue } from './fair-queue.ts'

/** Of the recommendations for Argon2id the one that takes the least time: 20 to 50 milliseconds on one core. */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const satisfies Options

const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * Of each second, so much is spent on hashing at most, after a burst: who tries passwords on a small machine must not take
 * it from ingestion (bench cases `passwords/`). Some four sign-ins a second.
 */
const SHARE = 0.125

/** Everybody of an office at nine o'clock. */
const BURST_MS = 1000

/** A hash that had to wait for a busy machine has not worked for longer than this. */
const CHARGED_MS_MAX = 100

/** In this time 32 hashes are computed: as many as may wait of one standing. */
const RETRY_AFTER_SECONDS = 8

/** Who is not named has signed in from nowhere. */
const STRANGER: Applicant = { standing: 'stranger', source: '' }

/** A hash that waits for its turn. */
interface Waiting {
  readonly work: () => Promise<void>
  readonly refuse: () => void
}

/** What computes hashes, off the main thread. */
export interface HashFunctions {
  readonly hash: (password: string, options: Options) => Promise<string>
  readonly verify: (hashed: string, password: string) => Promise<boolean>
}

/** What a hasher works with. */
export interface PasswordHasherParts {
  readonly functions: HashFunctions
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
}

/**
 * Hashes passwords, one at a time and not all the time: who sends many cannot take the machine from everybody else, nor the
 * turn of those who have signed in before.
 */
export class PasswordHasher {
  readonly #parts: PasswordHasherParts
  readonly #waiting = new FairQueue<Waiting>()
  #isRunning = false
  #creditMs = BURST_MS
  #creditedMs: number

  constructor(parts: Partial<PasswordHasherParts> = {}) {
    this.#parts = { functions: { hash, verify }, now: monotonicMs, sleep, ...parts }
    this.#creditedMs = this.#parts.now()
  }

  /** Throws `resource_exhausted` when there is no place for a hash of the applicant at this moment. */
  requirePlace(applicant: Applicant): void {
    if (!this.#waiting.hasPlace(applicant)) throw overloaded()
  }

  /** The hash of a new password, to be stored. Throws `resource_exhausted`. */
  async hash(password: string, applicant = STRANGER): Promise<string> {
    const work = async (): Promise<string> => await this.#parts.functions.hash(normalise(password), COST)
    return await this.#inTurn(applicant, work)
  }

  /**
   * Whether a password is the one that was hashed. Without a hash it takes as long, and is not. Throws
   * `resource_exhausted`.
   */
  async verify(hashed: string | undefined, password: string, applicant = STRANGER): Promise<boolean> {
    const isEqual = await this.#inTurn(
      applicant,
      async () => await this.#parts.functions.verify(hashed ?? HASH_OF_NOTHING, normalise(password)),
    )
    return isEqual && hashed !== undefined
  }

  async #inTurn<T>(applicant: Applicant, work: () => Promise<T>): Promise<T> {
    const result = Promise.withResolvers<T>()
    const waiting: Waiting = {
      work: async () => await work().then(result.resolve, result.reject),
      refuse: () => result.reject(overloaded()),
    }
    this.#waiting.push(applicant, waiting)?.refuse()
    if (!this.#isRunning) void this.#run()
    return await result.promise
  }

  /** Never rejects: each work settles what waits for it. */
  async #run(): Promise<void> {
    const { now, sleep } = this.#parts
    this.#isRunning = true
    while (!this.#waiting.isEmpty) {
      this.#refill()
      if (this.#creditMs < 0) await sleep(-this.#creditMs / SHARE)
      // Chosen after the pause: who came meanwhile may go first.
      const next = this.#waiting.shift()
      const startMs = now()
      await next?.work()
      this.#creditMs -= Math.min(CHARGED_MS_MAX, now() - startMs)
    }
    this.#isRunning = false
  }

  #refill(): void {
    const nowMs = this.#parts.now()
    const earnedMs = (nowMs - this.#creditedMs) * SHARE
    this.#creditMs = Math.min(BURST_MS, this.#creditMs + earnedMs)
    this.#creditedMs = nowMs
  }
}

/** What nobody's password has: random bytes where a hash would be. */
const HASH_OF_NOTHING = [
  '',
  'argon2id',
  'v=19',
  `m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}`,
  toUnpadded(randomBytes(SALT_BYTES)),
  toUnpadded(randomBytes(HASH_BYTES)),
].join('$')

function toUnpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** Keyboards differ in how they write the same letters. */
function normalise(password: string): string {
  return password.normalize('NFKC')
}

function overloaded(): ServiceError {
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'OVERLOADED',
    message: 'too many people sign in at this moment; try again',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
