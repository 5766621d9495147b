import type { Prng } from '../../src/kernel/prng.ts'
import type { Ending, Ledger } from './ledger.ts'

/** Numbers of the events of one request; one may stand there twice. */
export type Batch = readonly number[]

/** Batches that a client remembers; beyond, it sends nothing new before the old ones are through. */
const UNRESOLVED_MAX = 300
const REMEMBERED_MAX = 200
const BATCH_EVENTS_MAX = 1000

/** How often a client that got no acknowledgement goes away for good: its events may be stored or not. */
const ABANDON = 0.02
const RETRY = 0.5
const ECHO = 0.06
const REPEAT_INSIDE = 0.05

/** Makes batches as clients do: new ones, and retries of unacknowledged ones, in every allowed shape. */
export class BatchSource {
  readonly #ledger: Ledger
  readonly #prng: Prng
  readonly #batchEvents: number
  readonly #unresolved: Batch[] = []
  readonly #acknowledged: Batch[] = []

  constructor(options: { readonly ledger: Ledger; readonly prng: Prng; readonly batchEvents: number }) {
    this.#ledger = options.ledger
    this.#prng = options.prng
    this.#batchEvents = options.batchEvents
  }

  /** True while events wait to be sent again. */
  get hasUnresolved(): boolean {
    return this.#unresolved.length > 0
  }

  /** The next batch to send. */
  next(): Batch {
    const isFull = this.#unresolved.length >= UNRESOLVED_MAX
    if (this.hasUnresolved && (isFull || this.#prng.chance(RETRY))) return this.#again()
    if (this.#acknowledged.length > 0 && this.#prng.chance(ECHO)) return this.#echo()
    const fresh = this.#fresh()
    return this.#prng.chance(REPEAT_INSIDE) ? [...fresh, ...fresh.slice(0, 3)] : fresh
  }

  /** A batch of which nothing is known to have arrived, as it was or in another shape; empty when there is none. */
  nextUnresolved(): Batch {
    return this.hasUnresolved ? this.#again() : []
  }

  /** Records how the request of a batch ended. */
  settle(batch: Batch, ending: Ending): void {
    this.#ledger.settle(batch, ending)
    if (ending === 'acknowledged') this.#remember(batch)
    else if (!this.#prng.chance(ABANDON)) this.#unresolved.push(batch)
  }

  #fresh(): Batch {
    return this.#ledger.open(1 + this.#prng.below(2 * this.#batchEvents - 1))
  }

  #again(): Batch {
    const batch = this.#takeUnresolved()
    switch (this.#prng.below(5)) {
      case 0:
        return this.#shuffled(batch)
      case 1:
        return this.#splitOff(batch)
      case 2:
        return this.#joined(batch, this.#fresh())
      case 3:
        return this.#joined(batch, this.hasUnresolved ? this.#takeUnresolved() : [])
      default:
        return batch
    }
  }

  #echo(): Batch {
    const batch = this.#prng.pick(this.#acknowledged)
    return this.#shuffled(batch).slice(0, 1 + this.#prng.below(batch.length))
  }

  #splitOff(batch: Batch): Batch {
    const middle = 1 + this.#prng.below(batch.length)
    if (middle < batch.length) this.#unresolved.push(batch.slice(middle))
    return batch.slice(0, middle)
  }

  #joined(first: Batch, second: Batch): Batch {
    if (first.length + second.length <= BATCH_EVENTS_MAX) return this.#shuffled([...first, ...second])
    this.#unresolved.push(second)
    return first
  }

  #takeUnresolved(): Batch {
    const [batch] = this.#unresolved.splice(this.#prng.below(this.#unresolved.length), 1)
    return batch ?? []
  }

  #remember(batch: Batch): void {
    if (this.#acknowledged.length < REMEMBERED_MAX) this.#acknowledged.push(batch)
    else this.#acknowledged[this.#prng.below(REMEMBERED_MAX)] = batch
  }

  #shuffled(batch: Batch): Batch {
    const mixed = [...batch]
    for (let end = mixed.length - 1; end > 0; end--) {
      const at = this.#prng.below(end + 1)
      const moved = mixed[end] ?? 0
      mixed[end] = mixed[at] ?? 0
      mixed[at] = moved
    }
    return mixed
  }
}
