/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from zero to below `max`. */
  below(max: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, max)
  }

  /** One of several. */
  pick<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)]
    if (value === undefined) throw new Error('nothing to pick from')
    return value
  }

  /** Bytes of any value. */
  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)))
  }
}

type Mutation = (bytes: Buffer, random: Random) => Buffer

const splice = (bytes: Buffer, from: number, to: number, between: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, from), between, bytes.subarray(to)])

const HOSTILE = [
  '\r\n',
  '\r\n\r\n',
  '\0',
  ' ',
  ':',
  '0',
  '-1',
  'ffffffff',
  '99999999999',
  '%',
  '{',
  '"',
  '\xff',
]

const MUTATIONS: readonly Mutation[] = [
  (bytes, random) => {
    const copy = Buffer.from(bytes)
    copy[random.below(copy.length)] = random.below(256)
    return copy
  },
  (bytes, random) => {
    const copy = Buffer.from(bytes)
    const at = random.below(copy.length)
    copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8))
    return copy
  },
  (bytes, random) => {
    const from = random.below(bytes.length)
    return splice(bytes, from, from + random.below(32), Buffer.alloc(0))
  },
  (bytes, random) => {
    const from = random.below(bytes.length)
    return splice(bytes, from, from, bytes.subarray(from, from + random.below(64)))
  },
  (bytes, random) => {
    const at = random.below(bytes.length)
    return splice(bytes, at, at, random.bytes(random.below(64)))
  },
  (bytes, random) => {
    const at = random.below(bytes.length)
    return splice(bytes, at, at, Buffer.from(random.pick(HOSTILE), 'latin1'))
  },
  (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  (bytes) => Buffer.concat([bytes, bytes]),
]

/** Bytes that differ from others in one to four places. */
export function mutate(bytes: Buffer, random: Random): Buffer {
  let mutated = bytes
  for (let left = 1 + random.below(4); left > 0 && mutated.length > 0; left--) {
    mutated = random.pick(MUTATIONS)(mutated, random)
  }
  return mutated
}
