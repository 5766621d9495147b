import { STANDINGS, type Standing } from './known-networks.ts'

/** The origin of a queued item. */
export interface Applicant {
  readonly standing: Standing
  /** An account or a network; sources of one standing take turns. */
  readonly source: string
}

/** Queue length of each standing. */
const QUEUED_MAX = 32

/**
 * The repeating order of turns; an unused turn goes to the best standing with queued items. Unknown networks therefore slow down
 * known callers by at most half, and are served themselves.
 */
const TURNS: readonly Standing[] = ['account', 'network', 'account', 'unknown']

/** Queued items by source, in the order of turns. */
type Lane<T> = Map<string, T[]>

/**
 * A bounded queue in which known callers come first, and sources of one standing take turns. When a lane is full, the source
 * with most items loses its last one to a source with fewer.
 */
export class FairQueue<T> {
  readonly #lanes = Object.fromEntries(STANDINGS.map((standing) => [standing, new Map()])) as Readonly<
    Record<Standing, Lane<T>>
  >
  #turn = 0

  /** Whether the queue is empty. */
  get isEmpty(): boolean {
    return STANDINGS.every((standing) => this.#lanes[standing].size === 0)
  }

  /** Whether an item of the applicant would be accepted. */
  accepts(applicant: Applicant): boolean {
    return this.#countOf(applicant.standing) < QUEUED_MAX || this.#findLongest(applicant) !== undefined
  }

  /** Adds an item. Returns the item displaced by it, or the item itself when the queue does not accept it. */
  push(applicant: Applicant, item: T): T | undefined {
    const lane = this.#lanes[applicant.standing]
    let displaced: T | undefined
    if (this.#countOf(applicant.standing) >= QUEUED_MAX) {
      const longest = this.#findLongest(applicant)
      if (longest === undefined) return item
      displaced = lane.get(longest)?.pop()
    }
    const waiting = lane.get(applicant.source)
    if (waiting) waiting.push(item)
    else lane.set(applicant.source, [item])
    return displaced
  }

  /** Whether the lane of a standing has an item. */
  has(standing: Standing): boolean {
    return this.#lanes[standing].size > 0
  }

  /** Removes the item whose turn it is; `undefined` when the queue is empty. */
  shift(): T | undefined {
    const turn = TURNS[this.#turn++ % TURNS.length]
    const standing = [...(turn ? [turn] : []), ...STANDINGS].find((one) => this.has(one))
    return standing && this.shiftOf(standing)
  }

  /** Removes the next item of a standing; `undefined` when its lane is empty. */
  shiftOf(standing: Standing): T | undefined {
    const lane = this.#lanes[standing]
    for (const [source, [item, ...others]] of lane) {
      lane.delete(source)
      // Moves the source to the end of the order.
      if (others.length > 0) lane.set(source, others)
      return item
    }
    return undefined
  }

  #countOf(standing: Standing): number {
    return [...this.#lanes[standing].values()].reduce((count, { length }) => count + length, 0)
  }

  /** The source with most items, if it would still have as many as the applicant after losing one. */
  #findLongest({ standing, source }: Applicant): string | undefined {
    const lane = this.#lanes[standing]
    const [longest, waiting] = [...lane].reduce<readonly [string, readonly T[]]>(
      (most, one) => (one[1].length > most[1].length ? one : most),
      ['', []],
    )
    return waiting.length > (lane.get(source)?.length ?? 0) + 1 ? longest : undefined
  }
}
