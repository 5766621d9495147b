import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { TalliedDurations } from './tallied-durations.ts'

const registry = new Registry()

/** Milliseconds between two looks at the event loop. The library's 10 wake an idle process so often that they are most of what it costs. */
const LOOP_LOOK_EVERY_MS = 100

/** Starts the runtime's default metrics (memory, event loop, garbage collection) of this process. */
export function collectRuntimeMetrics(): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_LOOK_EVERY_MS })
}

/** A counter with one label of known values: each value is initialised, so that its first increment is visible. */
export function countersOf<Label extends string>(
  name: string,
  help: string,
  { label, values }: { readonly label: Label; readonly values: readonly string[] },
): Counter<Label> {
  const made = counter(name, help, [label])
  for (const value of values) made.inc({ [label]: value } as Record<Label, string>, 0)
  return made
}

/** A counter. `labels` must have few values. */
export function counter<Label extends string = never>(
  name: string,
  help: string,
  labels: Label[] = [],
): Counter<Label> {
  return new Counter({ name, help, labelNames: labels, registers: [registry] })
}

/** A gauge that is read on scrape. */
export function observedGauge(name: string, help: string, read: () => number): Gauge {
  return new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })
}

/** A counter that another component maintains; it is read on scrape. */
export function observedCounter(name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset()
      this.inc(read())
    },
  })
}

/** A counter with labels that another component maintains; it is read on scrape. */
export function observedCounters<Label extends string>(
  name: string,
  help: string,
  {
    labels,
    read,
  }: { readonly labels: readonly Label[]; readonly read: () => readonly LabelledValue<Label>[] },
): void {
  new Counter({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    collect() {
      this.reset()
      for (const { labels: of, value } of read()) this.inc(of, value)
    },
  })
}

/** One value of a metric with labels. */
export interface LabelledValue<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>
  readonly value: number
}

/** A gauge with labels that is read on scrape; if the reader throws, the gauge has no values. */
export function observedGauges<Label extends string>(
  name: string,
  help: string,
  {
    labels,
    read,
  }: {
    readonly labels: readonly Label[]
    readonly read: () => Promise<readonly LabelledValue<Label>[]> | readonly LabelledValue<Label>[]
  },
): void {
  new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    async collect() {
      this.reset()
      const values = await Promise.resolve()
        .then(read)
        .catch(() => [])
      for (const { labels: of, value } of values) this.set(of, value)
    },
  })
}

/** Bounds of durations, in seconds. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** A histogram of durations, in seconds. `labels` must have few values. */
export function durationHistogram<Label extends string = never>(
  name: string,
  help: string,
  labels: Label[] = [],
): Histogram<Label> {
  return new Histogram({ name, help, buckets: DURATION_BUCKETS, labelNames: labels, registers: [registry] })
}

/** The same with one label, for thousands of observations a second. */
export function talliedDurations(name: string, help: string, label: string): TalliedDurations {
  return new TalliedDurations({ name, help, label, bounds: DURATION_BUCKETS, registry })
}

/** Every metric of this process in prom-client's JSON form, for the process that exposes them. */
export async function metricsAsJson(): Promise<readonly object[]> {
  return await registry.getMetricsAsJSON()
}
