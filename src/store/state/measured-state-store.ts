import { monotonicMs } from '../../kernel/clock.ts'
import { durationHistogram } from '../../kernel/metrics.ts'
import type { SaltOutcome, SessionTouch, StateStore, TouchOutcome } from './state-store.ts'
import type { TakeOutcome, TokenDemand, TokenRate } from './token-bucket.ts'

/** A call of a state store that is over. Plain data: it travels between threads. */
export interface StateCall {
  readonly call: 'salt' | 'touch_sessions' | 'take_tokens'
  readonly outcome: string
  readonly seconds: number
}

const stateSeconds = durationHistogram(
  'millrace_state_seconds',
  'Time of a call of the state store, by call and outcome.',
  ['call', 'outcome'],
)

/** Counts a call in the metrics of this process. */
export function countStateCall({ call, outcome, seconds }: StateCall): void {
  stateSeconds.observe({ call, outcome }, seconds)
}

/** A state store that tells how long each call took. */
export class MeasuredStateStore implements StateStore {
  readonly #store: StateStore
  readonly #onCall: (call: StateCall) => void

  constructor(store: StateStore, onCall: (call: StateCall) => void) {
    this.#store = store
    this.#onCall = onCall
  }

  async salt(day: number, offered?: Uint8Array): Promise<SaltOutcome> {
    return await this.#measure('salt', () => this.#store.salt(day, offered))
  }

  async touchSessions(touches: readonly SessionTouch[]): Promise<TouchOutcome> {
    return await this.#measure('touch_sessions', () => this.#store.touchSessions(touches))
  }

  async takeTokens(demands: readonly TokenDemand[], rate: TokenRate): Promise<TakeOutcome> {
    return await this.#measure('take_tokens', () => this.#store.takeTokens(demands, rate))
  }

  async close(): Promise<void> {
    await this.#store.close()
  }

  async #measure<T extends { readonly status: string }>(
    call: StateCall['call'],
    run: () => Promise<T>,
  ): Promise<T> {
    const startedMs = monotonicMs()
    const outcome = await run()
    this.#onCall({ call, outcome: outcome.status, seconds: (monotonicMs() - startedMs) / 1000 })
    return outcome
  }
}
