/** Neighbouring limits differ by one percent: so exact is a percentile. */
const GROWTH = Math.log(1.01)
const MS_MIN = 0.01
const BUCKETS = 2000

/** Latencies in little memory, however many there are. */
export class LatencyHistogram {
  readonly #counts = new Uint32Array(BUCKETS)
  #total = 0
  #max = 0

  /** Latencies that were recorded. */
  get total(): number {
    return this.#total
  }

  /** The longest one in milliseconds. */
  get max(): number {
    return this.#max
  }

  /** Records one, in milliseconds. */
  record(ms: number): void {
    const bucket = Math.ceil(Math.log(Math.max(ms, MS_MIN) / MS_MIN) / GROWTH)
    const index = Math.min(BUCKETS - 1, bucket)
    this.#counts[index] = (this.#counts[index] ?? 0) + 1
    this.#total++
    this.#max = Math.max(this.#max, ms)
  }

  /** Milliseconds that a share of the latencies does not exceed; 0 without any. */
  percentile(share: number): number {
    const wanted = Math.max(1, Math.ceil(this.#total * share))
    let count = 0
    for (const [bucket, inBucket] of this.#counts.entries()) {
      count += inBucket
      if (count >= wanted) return Math.min(this.#max, MS_MIN * Math.exp(bucket * GROWTH))
    }
    return 0
  }
}
