import { AggregatorRegistry, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { TalliedDurations } from './tallied-durations.ts'

const BOUNDS = [0.001, 0.25, 30]
const SECONDS = [0, 0.001, 0.0011, 0.25, 1, 29, 30, 30.5, 1000]

/** What the address of metrics shows of a process. */
async function textOf(registry: Registry): Promise<string> {
  return await AggregatorRegistry.aggregate([await registry.getMetricsAsJSON()]).metrics()
}

test('reads as the histogram of prom-client with the same observations', async () => {
  const [registry, twins] = [new Registry(), new Registry()]
  const tallied = new TalliedDurations({ name: 'd', help: 'Time.', label: 'of', bounds: BOUNDS, registry })
  const twin = new Histogram({
    name: 'd',
    help: 'Time.',
    labelNames: ['of'],
    buckets: BOUNDS,
    registers: [twins],
  })
  for (const of of ['b', 'a']) {
    for (const seconds of SECONDS) {
      tallied.of(of).observe(seconds)
      twin.observe({ of }, seconds)
    }
  }
  expect(await textOf(registry)).toBe(await textOf(twins))
})
