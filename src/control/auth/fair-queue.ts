import { STANDINGS, type Standing } from './known-networks.ts'

/** Who waits. */
export interface Applicant {
  readonly standing: Standing
  /** Those of one source take turns with those of others: an account's, or a network's. */
  readonly source: string
}

/** Places of each standing. */
const PLACES_MAX = 32

/**
 * Whose turn it is, over and over; a turn that nobody of that standing waits for goes to the best standing. So strangers
 * slow down those who are known by a half at most, and are served themselves.
 */
const TURNS: readonly Standing[] = ['account', 'network', 'account', 'stranger']

/** What waits, by source; the source that is served next comes first. */
type Room<T> = Map<string, T[]>

/**
 * A bounded queue in which those who signed in before come first, and sources of one standing take turns. Where there is no
 * place left, the source that has most of them gives up its last one to a source that has fewer.
 */
export class FairQueue<T> {
  readonly #rooms = Object.fromEntries(STANDINGS.map((standing) => [standing, new Map()])) as Readonly<
    Record<Standing, Room<T>>
  >
  #turn = 0

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return STANDINGS.every((standing) => this.#rooms[standing].size === 0)
  }

  /** Whether there is a place, or one can be had. */
  hasPlace(applicant: Applicant): boolean {
    return this.#countOf(applicant.standing) < PLACES_MAX || this.#findGiver(applicant) !== undefined
  }

  /** Adds an item. Answers what lost its place for that; the item itself when there is none for it. */
  push(applicant: Applicant, item: T): T | undefined {
    const room = this.#rooms[applicant.standing]
    let displaced: T | undefined
    if (this.#countOf(applicant.standing) >= PLACES_MAX) {
      const giver = this.#findGiver(applicant)
      if (giver === undefined) return item
      displaced = room.get(giver)?.pop()
    }
    const waiting = room.get(applicant.source)
    if (waiting) waiting.push(item)
    else room.set(applicant.source, [item])
    return displaced
  }

  /** Whether an item of a standing waits. */
  has(standing: Standing): boolean {
    return this.#rooms[standing].size > 0
  }

  /** Takes the item whose turn it is; `undefined` when nothing waits. */
  shift(): T | undefined {
    const turn = TURNS[this.#turn++ % TURNS.length]
    const standing = [...(turn ? [turn] : []), ...STANDINGS].find((one) => this.has(one))
    return standing && this.shiftOf(standing)
  }

  /** Takes the next item of a standing; `undefined` when none waits. */
  shiftOf(standing: Standing): T | undefined {
    const room = this.#rooms[standing]
    for (const [source, [item, ...others]] of room) {
      room.delete(source)
      // Its next turn comes after those of all others.
      if (others.length > 0) room.set(source, others)
      return item
    }
    return undefined
  }

  #countOf(standing: Standing): number {
    return [...this.#rooms[standing].values()].reduce((count, { length }) => count + length, 0)
  }

  /** The source with most places, if it would still have as many as the applicant's after giving one up. */
  #findGiver({ standing, source }: Applicant): string | undefined {
    const room = this.#rooms[standing]
    const [giver, waiting] = [...room].reduce<readonly [string, readonly T[]]>(
      (most, one) => (one[1].length > most[1].length ? one : most),
      ['', []],
    )
    return waiting.length > (room.get(source)?.length ?? 0) + 1 ? giver : undefined
  }
}
