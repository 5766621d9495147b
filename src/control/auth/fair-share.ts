import { ServiceError } from '../../contract/service-error.ts'
import { monotonicMs, sleep } from '../../kernel/clock.ts'
import { type Applicant, FairQueue } from './fair-queue.ts'

/** Bounds of the work of one kind. */
export interface FairShareOptions {
  /** Part of each second that the work may take after a burst. */
  readonly share: number
  /** Milliseconds of work that may run without a pause. */
  readonly burstMs: number
  /** Maximum charge per piece of work, so that a busy machine does not lengthen the pauses without bound. */
  readonly chargedMsMax: number
  /** Seconds after which a rejected caller should try again. */
  readonly retryAfterSeconds: number
}

/** Time as a {@link FairShare} sees it; tests replace it. */
export interface FairShareClock {
  /** Monotonic milliseconds. */
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
}

/** Queued work. */
interface Waiting {
  readonly work: () => Promise<void>
  readonly reject: () => void
}

/** Milliseconds of work that may run now; negative after work that exceeded the credit. */
class Credit {
  readonly #options: FairShareOptions
  #ms: number
  #refilledMs: number

  constructor(options: FairShareOptions, nowMs: number) {
    this.#options = options
    this.#ms = options.burstMs
    this.#refilledMs = nowMs
  }

  /** Milliseconds until work may run. */
  waitMs(nowMs: number): number {
    const { share, burstMs } = this.#options
    this.#ms = Math.min(burstMs, this.#ms + (nowMs - this.#refilledMs) * share)
    this.#refilledMs = nowMs
    return this.#ms < 0 ? -this.#ms / share : 0
  }

  charge(ms: number): void {
    this.#ms -= Math.min(this.#options.chargedMsMax, ms)
  }
}

/**
 * Runs work one piece at a time within a share of the time, in the order of a {@link FairQueue}. Accounts in a known network
 * have a second share of the same size, so that they do not wait because of unknown networks.
 */
export class FairShare {
  readonly #options: FairShareOptions
  readonly #clock: FairShareClock
  readonly #waiting = new FairQueue<Waiting>()
  readonly #shared: Credit
  readonly #ofAccounts: Credit
  #isRunning = false
  #wake: () => void = () => undefined

  constructor(options: FairShareOptions, clock: Partial<FairShareClock> = {}) {
    this.#options = options
    this.#clock = { now: monotonicMs, sleep, ...clock }
    this.#shared = new Credit(options, this.#clock.now())
    this.#ofAccounts = new Credit(options, this.#clock.now())
  }

  /** Throws `resource_exhausted` when the queue does not accept the applicant. */
  requireAccepted(applicant: Applicant): void {
    if (!this.#waiting.accepts(applicant)) throw this.#overloaded()
  }

  /** Runs `work` when its turn comes. Throws as `work`, and `resource_exhausted`. */
  async run<T>(applicant: Applicant, work: () => Promise<T>): Promise<T> {
    const result = Promise.withResolvers<T>()
    const waiting: Waiting = {
      work: async () => await work().then(result.resolve, result.reject),
      reject: () => result.reject(this.#overloaded()),
    }
    this.#waiting.push(applicant, waiting)?.reject()
    if (applicant.standing === 'account') this.#wake()
    if (!this.#isRunning) void this.#runAll()
    return await result.promise
  }

  /** Never rejects: each piece of work settles its own promise. */
  async #runAll(): Promise<void> {
    const { now } = this.#clock
    this.#isRunning = true
    while (!this.#waiting.isEmpty) {
      const credit = this.#creditNow() ?? (await this.#untilCredit())
      // Chosen after the pause, because a later applicant may go first.
      const next = credit === this.#ofAccounts ? this.#waiting.shiftOf('account') : this.#waiting.shift()
      const startMs = now()
      await next?.work()
      credit.charge(now() - startMs)
    }
    this.#isRunning = false
  }

  #creditNow(): Credit | undefined {
    const nowMs = this.#clock.now()
    if (this.#shared.waitMs(nowMs) === 0) return this.#shared
    const isForAccount = this.#waiting.has('account') && this.#ofAccounts.waitMs(nowMs) === 0
    return isForAccount ? this.#ofAccounts : undefined
  }

  async #untilCredit(): Promise<Credit> {
    const { now, sleep } = this.#clock
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      const sharedMs = this.#shared.waitMs(now())
      const accountsMs = this.#waiting.has('account') ? this.#ofAccounts.waitMs(now()) : sharedMs
      await Promise.race([woken, sleep(Math.min(sharedMs, accountsMs))])
      const credit = this.#creditNow()
      if (credit) return credit
    }
  }

  #overloaded(): ServiceError {
    return new ServiceError({
      code: 'resource_exhausted',
      reason: 'OVERLOADED',
      message: 'too many sign-ins at the moment; try again',
      retryAfterSeconds: this.#options.retryAfterSeconds,
    })
  }
}

/**
 * Share of the query process for requests of sign-in links, about ten a second after a burst of a hundred: each request
 * writes to the catalog, and so does its mail, on the thread that answers all other calls.
 */
export function createLinkShare(clock: Partial<FairShareClock> = {}): FairShare {
  return new FairShare({ share: 1 / 16, burstMs: 250, chargedMsMax: 50, retryAfterSeconds: 4 }, clock)
}
