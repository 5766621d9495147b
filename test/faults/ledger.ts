/** How a request ended for the client: `unknown` when the connection broke or no answer came in time. */
export type Ending = 'acknowledged' | 'refused' | 'unknown'

/** An event's best ending so far; `pending` while its first request is under way. */
export type EventState = 'unsent' | 'pending' | Ending

/** How many events are in which state. */
export type LedgerCounts = Readonly<Record<'sent' | Ending, number>>

// In order of precedence: an acknowledged event stays acknowledged after every retry.
const STATES = ['unsent', 'pending', 'refused', 'unknown', 'acknowledged'] as const
const CAPACITY_MIN = 65_536

/** The ending of every event that was sent, by its number. */
export class Ledger {
  #states = new Uint8Array(CAPACITY_MIN)
  #sent = 0

  /** Events that were opened: their numbers are below this. */
  get sent(): number {
    return this.#sent
  }

  /** Numbers of `count` events that were never sent before. */
  open(count: number): readonly number[] {
    const first = this.#sent
    this.#sent += count
    while (this.#sent > this.#states.length) {
      const grown = new Uint8Array(this.#states.length * 2)
      grown.set(this.#states)
      this.#states = grown
    }
    this.#states.fill(STATES.indexOf('pending'), first, this.#sent)
    return Array.from({ length: count }, (_, index) => first + index)
  }

  /** Notes how a request with these events ended. */
  settle(numbers: readonly number[], ending: Ending): void {
    const rank = STATES.indexOf(ending)
    for (const number of numbers) this.#states[number] = Math.max(this.#states[number] ?? 0, rank)
  }

  /** The state of an event. */
  state(number: number): EventState {
    return STATES[this.#states[number] ?? 0] ?? 'unsent'
  }

  /** Events by state. */
  counts(): LedgerCounts {
    const byRank = STATES.map(() => 0)
    for (let number = 0; number < this.#sent; number++) {
      const rank = this.#states[number] ?? 0
      byRank[rank] = (byRank[rank] ?? 0) + 1
    }
    const count = (state: EventState): number => byRank[STATES.indexOf(state)] ?? 0
    return {
      sent: this.#sent,
      acknowledged: count('acknowledged'),
      refused: count('refused'),
      unknown: count('unknown'),
    }
  }
}
