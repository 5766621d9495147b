import { monotonicMs } from '../../kernel/clock.ts'
import { durationHistogram } from '../../kernel/metrics.ts'
import type {
  SaltOutcome,
  SessionTouch,
  SharedStateStore,
  StateStore,
  TakeOutcome,
  TouchOutcome,
} from './state-store.ts'
import type { TokenDemand, TokenRate } from './token-bucket.ts'

/** A completed call of a state store. Plain data: it is posted between threads. */
export interface StateCall {
  readonly call: 'salt' | 'touch_sessions' | 'take_tokens'
  readonly outcome: string
  readonly seconds: number
}

const stateSeconds = durationHistogram(
  'millrace_state_seconds',
  'Duration of a call to the state store, by call and outcome.',
  ['call', 'outcome'],
)

/** Counts a call in the metrics of this process. */
export function countStateCall({ call, outcome, seconds }: StateCall): void {
  stateSeconds.observe({ call, outcome }, seconds)
}

/** Receives each completed call. */
export type OnStateCall = (call: StateCall) => void

/** A state store that reports the duration of each call. */
export class MeasuredStateStore implements StateStore {
  readonly #store: StateStore
  readonly #onCall: OnStateCall

  constructor(store: StateStore, onCall: OnStateCall) {
    this.#store = store
    this.#onCall = onCall
  }

  async salt(day: number, offered?: Uint8Array): Promise<SaltOutcome> {
    return await measure('salt', () => this.#store.salt(day, offered), this.#onCall)
  }

  async touchSessions(touches: readonly SessionTouch[]): Promise<TouchOutcome> {
    return await measure('touch_sessions', () => this.#store.touchSessions(touches), this.#onCall)
  }

  async close(): Promise<void> {
    await this.#store.close()
  }
}

/** The rate limits of a shared store, with the duration of each call reported. */
export class MeasuredTokens implements Pick<SharedStateStore, 'takeTokens' | 'close'> {
  readonly #store: Pick<SharedStateStore, 'takeTokens' | 'close'>

  constructor(store: Pick<SharedStateStore, 'takeTokens' | 'close'>) {
    this.#store = store
  }

  async takeTokens(demands: readonly TokenDemand[], rate: TokenRate): Promise<TakeOutcome> {
    return await measure('take_tokens', () => this.#store.takeTokens(demands, rate), countStateCall)
  }

  async close(): Promise<void> {
    await this.#store.close()
  }
}

async function measure<T extends { readonly status: string }>(
  call: StateCall['call'],
  run: () => Promise<T>,
  onCall: OnStateCall,
): Promise<T> {
  const startedMs = monotonicMs()
  const outcome = await run()
  onCall({ call, outcome: outcome.status, seconds: (monotonicMs() - startedMs) / 1000 })
  return outcome
}
