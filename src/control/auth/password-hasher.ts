import { randomBytes } from 'node:crypto'
import { hash, type Options, verify } from '@node-rs/argon2'
import type { Applicant } from './fair-queue.ts'
import { FairShare, type FairShareClock } from './fair-share.ts'

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

/** What computes hashes, off the main thread. */
export interface HashFunctions {
  readonly hash: (password: string, options: Options) => Promise<string>
  readonly verify: (hashed: string, password: string) => Promise<boolean>
}

/** What a hasher works with. */
export interface PasswordHasherParts extends FairShareClock {
  readonly functions: HashFunctions
}

/**
 * Hashes passwords, one at a time and not all the time: who sends many cannot take the machine from everybody else, nor the
 * turn of those who have signed in before.
 */
export class PasswordHasher {
  readonly #functions: HashFunctions
  readonly #share: FairShare

  constructor({ functions = { hash, verify }, ...clock }: Partial<PasswordHasherParts> = {}) {
    this.#functions = functions
    const bounds = { share: SHARE, burstMs: BURST_MS, chargedMsMax: CHARGED_MS_MAX }
    this.#share = new FairShare({ ...bounds, retryAfterSeconds: RETRY_AFTER_SECONDS }, clock)
  }

  /** Throws `resource_exhausted` when there is no place for a hash of the applicant at this moment. */
  requirePlace(applicant: Applicant): void {
    this.#share.requirePlace(applicant)
  }

  /** The hash of a new password, to be stored. Throws `resource_exhausted`. */
  async hash(password: string, applicant = STRANGER): Promise<string> {
    const work = async (): Promise<string> => await this.#functions.hash(normalise(password), COST)
    return await this.#share.run(applicant, work)
  }

  /**
   * Whether a password is the one that was hashed. Without a hash it takes as long, and is not. Throws
   * `resource_exhausted`.
   */
  async verify(hashed: string | undefined, password: string, applicant = STRANGER): Promise<boolean> {
    const isEqual = await this.#share.run(
      applicant,
      async () => await this.#functions.verify(hashed ?? HASH_OF_NOTHING, normalise(password)),
    )
    return isEqual && hashed !== undefined
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
