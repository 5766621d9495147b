import { monotonicMs } from '../../src/kernel/clock.ts'
import type { TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'

const DRAIN_MS_MAX = 180_000

/** A metric of the edge, of the journal of events where there are several; `undefined` while the edge does not run. */
export async function readEdgeMetric(service: TestService, name: string): Promise<number | undefined> {
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text()
  const [, value] =
    new RegExp(`^${name}\\{(?:journal="events",)?role="edge"\\} (\\S+)$`, 'm').exec(text) ?? []
  return value === undefined ? undefined : Number(value)
}

/** Waits until ClickHouse has everything that the journal held; answers the seconds that took. */
export async function waitUntilDrained(service: TestService): Promise<number> {
  const sinceMs = monotonicMs()
  await waitFor(
    'the journal to be drained',
    async () => ((await readEdgeMetric(service, 'millrace_journal_bytes')) === 0 ? true : undefined),
    DRAIN_MS_MAX,
  )
  return (monotonicMs() - sinceMs) / 1000
}

/** Waits until every role answers. */
export async function waitUntilReady(service: TestService): Promise<void> {
  await waitFor(
    'the service to be ready',
    async () => ((await fetch(`${service.url}/readyz`)).status === 200 ? true : undefined),
    DRAIN_MS_MAX,
  )
}
