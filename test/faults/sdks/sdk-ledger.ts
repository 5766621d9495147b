import { Ledger } from '../ledger.ts'
import type { Exchanged } from './faulty-proxy.ts'

/** What became of every event that was handed to an SDK. */
export class SdkLedger {
  readonly ledger = new Ledger()
  readonly #names: string[] = []
  readonly #lastWasReset: boolean[] = []
  readonly #acknowledgements: number[] = []

  /** The number of a new event of an SDK. */
  open(name: string): number {
    const [number = 0] = this.ledger.open(1)
    this.#names[number] = name
    return number
  }

  /** The SDK of an event. */
  nameOf(number: number): string | undefined {
    return this.#names[number]
  }

  /** Notes how a request ended. Several SDKs may use the proxy at once. */
  observe({ numbers, ending, isReset }: Exchanged): void {
    this.ledger.settle(numbers, ending)
    for (const number of numbers) {
      this.#lastWasReset[number] = isReset
      if (ending === 'acknowledged')
        this.#acknowledgements[number] = (this.#acknowledgements[number] ?? 0) + 1
    }
  }

  /** Whether the service has acknowledged every event of an SDK. */
  hasArrived(name: string): boolean {
    return this.#names.every(
      (other, number) => other !== name || this.ledger.state(number) === 'acknowledged',
    )
  }

  /** Events that the service has acknowledged more than once, by SDK. */
  repeated(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const [number, name] of this.#names.entries())
      if ((this.#acknowledgements[number] ?? 0) > 1) counts[name] = (counts[name] ?? 0) + 1
    return counts
  }

  /** Events that the service has never acknowledged, by SDK: the SDK itself gave them up, after their last connection broke or not. */
  givenUp(): Readonly<Record<string, { readonly afterReset: number; readonly otherwise: number }>> {
    const counts: Record<string, { afterReset: number; otherwise: number }> = {}
    for (let number = 0; number < this.ledger.sent; number++) {
      if (this.ledger.state(number) === 'acknowledged') continue
      const name = this.#names[number] ?? ''
      const count = counts[name] ?? { afterReset: 0, otherwise: 0 }
      count[this.#lastWasReset[number] ? 'afterReset' : 'otherwise']++
      counts[name] = count
    }
    return counts
  }
}
