/** A deterministic random number generator: the same seed yields the same numbers on every machine (mulberry32). */
export class Prng {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** An integer from 0 to 2^32 - 1. */
  uint32(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  /** A number from 0 up to, but not including, 1. */
  unit(): number {
    return this.uint32() / 0x1_0000_0000
  }

  /** An integer from 0 to `end - 1`. */
  below(end: number): number {
    return Math.floor(this.unit() * end)
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.unit() < probability
  }

  /** One of the items, which must not be empty. */
  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new RangeError('nothing to pick from')
    return item
  }

  /** A version 4 UUID in lower case. */
  uuid(): string {
    const hex = Array.from({ length: 4 }, () => this.uint32().toString(16).padStart(8, '0')).join('')
    const variant = '89ab'[this.below(4)] ?? '8'
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
  }
}
