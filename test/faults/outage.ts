import { readFileSync } from 'node:fs'
import { monotonicMs, sleep } from '../../src/kernel/clock.ts'
import { Prng } from '../../src/kernel/prng.ts'
import { waitUntilDrained } from './drain.ts'
import type { LedgerCounts } from './ledger.ts'
import { whileFrozen } from './process-faults.ts'
import type { Rig } from './rig.ts'
import type { Traffic } from './traffic.ts'
import type { Findings } from './verify.ts'

/** A time without ClickHouse under a steady load. */
export interface OutageRun {
  readonly seed: number
  readonly seconds: number
  /** How long the maximum is measured before; the load is {@link SHARE} of it. */
  readonly measureSeconds: number
}

/** The observations of clients and of the edge. */
export interface OutageSummary extends LedgerCounts {
  readonly findings: Findings
  /** Events per second that this client could have acknowledged when it sent as fast as it could. */
  readonly maximumPerSecond: number
  /** Events per second that were acknowledged during the outage. */
  readonly acknowledgedPerSecond: number
  /** Requests during the outage by how they ended. */
  readonly requests: Readonly<Record<string, number>>
  readonly rssMibBefore: number
  readonly rssMibMax: number
  readonly rssMibAtEnd: number
  readonly stored: number
  readonly drainSeconds: number
}

const SHARE = 0.3
const CLIENTS = { batchEvents: 100, connections: 8, twin: 0, hangUp: 0 }
const SAMPLE_MS = 100
const FINISH_MS_MAX = 60_000

/** Stops the embedded ClickHouse (SIGSTOP: it takes connections and answers none) while clients send on. */
export async function runOutage(rig: Rig, traffic: Traffic, run: OutageRun): Promise<OutageSummary> {
  const prng = new Prng(run.seed)
  const maximumPerSecond = await measureMaximum(rig, traffic, { prng, seconds: run.measureSeconds })
  const pid = rig.service.pid('edge')
  const rss = [rssMib(pid)]
  const before = traffic.ledger.counts().acknowledged
  const clients = { ...CLIENTS, prng, batchesPerSecond: (SHARE * maximumPerSecond) / CLIENTS.batchEvents }
  const load = await whileFrozen(rig.service.pid('store'), () =>
    traffic.underLoad(clients, async () => {
      const endMs = monotonicMs() + run.seconds * 1000
      while (monotonicMs() < endMs) {
        await sleep(SAMPLE_MS)
        rss.push(rssMib(pid))
      }
    }),
  )
  const acknowledged = traffic.ledger.counts().acknowledged - before
  const drainSeconds = await waitUntilDrained(rig.service)
  await load.finish(FINISH_MS_MAX)
  await waitUntilDrained(rig.service)
  const { findings, stored } = await traffic.check()
  return {
    ...traffic.ledger.counts(),
    findings,
    maximumPerSecond: Math.round(maximumPerSecond),
    acknowledgedPerSecond: Math.round(acknowledged / run.seconds),
    requests: Object.fromEntries(load.requests),
    rssMibBefore: rss[0] ?? 0,
    rssMibMax: Math.max(...rss),
    rssMibAtEnd: rss.at(-1) ?? 0,
    stored: stored.rows,
    drainSeconds,
  }
}

/** Events per second; all are delivered when it resolves, and the edge has its size under full load. */
async function measureMaximum(
  rig: Rig,
  traffic: Traffic,
  { prng, seconds }: { readonly prng: Prng; readonly seconds: number },
): Promise<number> {
  const before = traffic.ledger.counts().acknowledged
  const clients = { ...CLIENTS, prng, batchesPerSecond: Number.POSITIVE_INFINITY }
  const load = await traffic.underLoad(clients, async () => await sleep(seconds * 1000))
  await load.finish(FINISH_MS_MAX)
  await waitUntilDrained(rig.service)
  return (traffic.ledger.counts().acknowledged - before) / seconds
}

/** Resident memory of a process in MiB. */
function rssMib(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kibibytes) / 1024)
}
