import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const registry = new Registry()

/** Starts the runtime's own metrics (memory, event loop, garbage collection) of this process. */
export function collectRuntimeMetrics(): void {
  collectDefaultMetrics({ register: registry })
}

/** A count by one label whose values are known: each is there from the start, so that its first change is seen. */
export function countersOf<Label extends string>(
  name: string,
  help: string,
  { label, values }: { readonly label: Label; readonly values: readonly string[] },
): Counter<Label> {
  const made = counter(name, help, [label])
  for (const value of values) made.inc({ [label]: value } as Record<Label, string>, 0)
  return made
}

/** A count that only grows. `labels` must have few values. */
export function counter<Label extends string = never>(
  name: string,
  help: string,
  labels: Label[] = [],
): Counter<Label> {
  return new Counter({ name, help, labelNames: labels, registers: [registry] })
}

/** A value that is read when it is asked for. */
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

/** A count that only grows and that somebody else keeps; it is read when it is asked for. */
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

/** One value of a gauge with labels. */
export interface LabelledValue<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>
  readonly value: number
}

/** Values that are read when they are asked for; a reader that throws leaves the gauge without any. */
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

/** A distribution of durations, in seconds. `labels` must have few values. */
export function durationHistogram<Label extends string = never>(
  name: string,
  help: string,
  labels: Label[] = [],
): Histogram<Label> {
  const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
  return new Histogram({ name, help, buckets, labelNames: labels, registers: [registry] })
}

/** Every metric of this process in prom-client's JSON form, for the process that serves them. */
export async function metricsAsJson(): Promise<readonly object[]> {
  return await registry.getMetricsAsJSON()
}
