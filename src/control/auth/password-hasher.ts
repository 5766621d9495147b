import { randomBytes } from 'node:crypto'
import { hash, type Options, verify } from '@node-rs/argon2'
import { ServiceError } from '../../contract/service-error.ts'

/** Of the recommendations for Argon2id the one that takes the least time: 20 to 50 milliseconds on one core. */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const satisfies Options

const SALT_BYTES = 16
const HASH_BYTES = 32

/** Each takes a thread of the runtime's four and 19 MiB. */
const RUNNING_MAX = 2

/** The last one waits some two seconds for its turn. */
const WAITING_MAX = 64

const RETRY_AFTER_SECONDS = 2

/** What computes hashes, off the main thread. */
export interface HashFunctions {
  readonly hash: (password: string, options: Options) => Promise<string>
  readonly verify: (hashed: string, password: string) => Promise<boolean>
}

/** Hashes passwords, a few at a time: whoever sends many cannot take the machine from everybody else. */
export class PasswordHasher {
  readonly #functions: HashFunctions
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(functions: HashFunctions = { hash, verify }) {
    this.#functions = functions
  }

  /** The hash of a new password, to be stored. Throws `resource_exhausted`. */
  async hash(password: string): Promise<string> {
    return await this.#inTurn(async () => await this.#functions.hash(normalise(password), COST))
  }

  /**
   * Whether a password is the one that was hashed. Without a hash it takes as long, and is not. Throws
   * `resource_exhausted`.
   */
  async verify(hashed: string | undefined, password: string): Promise<boolean> {
    const isEqual = await this.#inTurn(
      async () => await this.#functions.verify(hashed ?? HASH_OF_NOTHING, normalise(password)),
    )
    return isEqual && hashed !== undefined
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= RUNNING_MAX) await this.#untilTurn()
    else this.#running++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // Who waits takes over the place, so that nobody who comes now gets it.
      if (next) next()
      else this.#running--
    }
  }

  async #untilTurn(): Promise<void> {
    if (this.#waiting.length >= WAITING_MAX) throw overloaded()
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
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
