import { randomBytes } from 'node:crypto'
import { hash, type Options, verify } from '@node-rs/argon2'
import type { Applicant } from './fair-queue.ts'
import { FairShare, type FairShareClock } from './fair-share.ts'

/** The fastest recommended parameters of Argon2id: 20 to 50 milliseconds on one core. */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const satisfies Options

const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * Maximum share of time for hashing after a burst, some four sign-ins a second: guessing passwords must not slow down
 * ingestion on a small machine (bench cases `passwords/`).
 */
const SHARE = 0.125

/** Enough for an office whose members all sign in at nine o'clock. */
const BURST_MS = 1000

/** Maximum charge per hash: the rest of its duration is waiting for a busy machine. */
const CHARGED_MS_MAX = 100

/** The time in which 32 hashes are computed, the queue length of one standing. */
const RETRY_AFTER_SECONDS = 8

/** The default applicant has no known network. */
const UNKNOWN: Applicant = { standing: 'unknown', source: '' }

/** Hash functions that run off the main thread. */
export interface HashFunctions {
  readonly hash: (password: string, options: Options) => Promise<string>
  readonly verify: (hashed: string, password: string) => Promise<boolean>
}

/** Dependencies of a hasher. */
export interface PasswordHasherParts extends FairShareClock {
  readonly functions: HashFunctions
}

/**
 * Hashes passwords one at a time and within a share of the time, known callers first, so that a flood of sign-ins slows down
 * neither other work nor these callers.
 */
export class PasswordHasher {
  readonly #functions: HashFunctions
  readonly #share: FairShare

  constructor({ functions = { hash, verify }, ...clock }: Partial<PasswordHasherParts> = {}) {
    this.#functions = functions
    const bounds = { share: SHARE, burstMs: BURST_MS, chargedMsMax: CHARGED_MS_MAX }
    this.#share = new FairShare({ ...bounds, retryAfterSeconds: RETRY_AFTER_SECONDS }, clock)
  }

  /** Throws `resource_exhausted` when the queue does not accept a hash of the applicant at the moment. */
  requireAccepted(applicant: Applicant): void {
    this.#share.requireAccepted(applicant)
  }

  /** The hash of a new password, to be stored. Throws `resource_exhausted`. */
  async hash(password: string, applicant = UNKNOWN): Promise<string> {
    const work = async (): Promise<string> => await this.#functions.hash(normalise(password), COST)
    return await this.#share.run(applicant, work)
  }

  /**
   * Whether a password matches a hash. Without a hash the result is false, after the same work. Throws
   * `resource_exhausted`.
   */
  async verify(hashed: string | undefined, password: string, applicant = UNKNOWN): Promise<boolean> {
    const isEqual = await this.#share.run(
      applicant,
      async () => await this.#functions.verify(hashed ?? UNMATCHABLE_HASH, normalise(password)),
    )
    return isEqual && hashed !== undefined
  }
}

/** A hash that no password matches: random bytes. */
const UNMATCHABLE_HASH = [
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

/** Keyboards encode the same letters differently. */
function normalise(password: string): string {
  return password.normalize('NFKC')
}
