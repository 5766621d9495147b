import { Histogram, type MetricValueWithName, type Registry } from 'prom-client'

/** Durations of one value of the label, in seconds. */
export class Durations {
  readonly #bounds: readonly number[]
  /** By bucket; the last one has no bound. */
  readonly #counts: number[]
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Array<number>(bounds.length + 1).fill(0)
  }

  observe(seconds: number): void {
    let bucket = 0
    for (const bound of this.#bounds) {
      if (seconds <= bound) break
      bucket++
    }
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sum += seconds
  }

  /** As prom-client exposes them: a bucket has the observations of those before it too. */
  describe(name: string, labels: Readonly<Record<string, string>>): MetricValueWithName<string>[] {
    let count = 0
    const buckets = this.#counts.map((own, bucket) => {
      count += own
      const le = this.#bounds[bucket] ?? '+Inf'
      return { labels: { le, ...labels }, value: count, metricName: `${name}_bucket` }
    })
    return [
      ...buckets,
      { labels, value: this.#sum, metricName: `${name}_sum` },
      { labels, value: count, metricName: `${name}_count` },
    ]
  }
}

/**
 * A histogram whose observations are a few additions, for work of which there are thousands a second. prom-client itself checks and
 * joins the labels of every observation, which costs as much as opening a call; here it sees them on scrape.
 */
export class TalliedDurations extends Histogram {
  readonly #name: string
  readonly #label: string
  readonly #bounds: readonly number[]
  readonly #byValue = new Map<string, Durations>()

  constructor(parts: {
    readonly name: string
    readonly help: string
    readonly label: string
    readonly bounds: readonly number[]
    readonly registry: Registry
  }) {
    const { name, help, label, bounds, registry } = parts
    super({ name, help, labelNames: [label], buckets: [...bounds], registers: [registry] })
    this.#name = name
    this.#label = label
    this.#bounds = bounds
  }

  /** The durations of a value of the label, which must be one of few. */
  of(value: string): Durations {
    const known = this.#byValue.get(value)
    if (known) return known
    const durations = new Durations(this.#bounds)
    this.#byValue.set(value, durations)
    return durations
  }

  override async get(): ReturnType<Histogram['get']> {
    const values = [...this.#byValue].flatMap(([value, durations]) =>
      durations.describe(this.#name, { [this.#label]: value }),
    )
    return { ...(await super.get()), values }
  }
}
