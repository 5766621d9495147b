import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const registry = new Registry()

/** Starts the runtime's own metrics (memory, event loop, garbage collection) of this process. */
export function collectRuntimeMetrics(): void {
  collectDefaultMetrics({ register: registry })
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

/** A distribution of durations, in seconds. `labels` must have few values. */
export function durationHistogram<Label extends string = never>(
  name: string,
  help: string,
  labels: Label[] = [],
): Histogram<Label> {
  const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  return new Histogram({ name, help, buckets, labelNames: labels, registers: [registry] })
}

/** Every metric of this process in prom-client's JSON form, for the process that serves them. */
export async function metricsAsJson(): Promise<readonly object[]> {
  return await registry.getMetricsAsJSON()
}
