/** Bounds of answers that are held, all together and of one network. */
export interface HeldAnswersOptions {
  readonly heldMax: number
  readonly networkHeldMax: number
}

/** Delayed answers: a client that retries at once is limited to one attempt per connection and delay. */
export class HeldAnswers {
  readonly #options: HeldAnswersOptions
  readonly #heldOf = new Map<string, number>()
  #held = 0

  constructor(options: HeldAnswersOptions) {
    this.#options = options
  }

  /** Answers that are held. */
  get held(): number {
    return this.#held
  }

  /** Calls `answer` after a time, or now when too many are held already. */
  hold(network: string, ms: number, answer: () => void): void {
    const { heldMax, networkHeldMax } = this.#options
    const heldOfNetwork = this.#heldOf.get(network) ?? 0
    if (this.#held >= heldMax || heldOfNetwork >= networkHeldMax) return answer()
    this.#held++
    this.#heldOf.set(network, heldOfNetwork + 1)
    setTimeout(() => {
      this.#forget(network)
      answer()
    }, ms)
  }

  #forget(network: string): void {
    this.#held--
    const left = (this.#heldOf.get(network) ?? 0) - 1
    if (left > 0) this.#heldOf.set(network, left)
    else this.#heldOf.delete(network)
  }
}
