import { monotonicMs } from '../../src/kernel/clock.ts'
import { Prng } from '../../src/kernel/prng.ts'
import { waitUntilDrained } from './drain.ts'
import type { LedgerCounts } from './ledger.ts'
import type { Rig } from './rig.ts'
import { shuffle, strike } from './strike.ts'
import type { Traffic } from './traffic.ts'
import { type Findings, NOTHING_FOUND } from './verify.ts'

/** A run of random faults under load. */
export interface FaultRun {
  readonly seed: number
  /** Rounds begin until this is over; every round is checked. */
  readonly seconds: number
  /** Faults of a round; all of the rig in a random order when left out. */
  readonly kinds?: readonly string[]
  readonly clients?: { readonly batchesPerSecond: number }
}

/** The course of a run and its findings. */
export interface FaultSummary extends LedgerCounts {
  readonly findings: Findings
  readonly rounds: number
  readonly faults: Readonly<Record<string, number>>
  /** Processes that were killed and started again. */
  readonly restarts: number
  readonly requests: Readonly<Record<string, number>>
  readonly refusalsWithoutRetryAfter: number
  readonly stored: number
  readonly duplicatesBeforeFinal: number
  readonly drainSecondsMax: number
}

const FINISH_MS_MAX = 120_000
const CLIENTS = { batchEvents: 10, connections: 8, batchesPerSecond: 100, twin: 0.05, hangUp: 0.01 }

/**
 * Breaks a service again and again while clients send. Each round strikes with every kind of fault once, stops, waits
 * until all is delivered, and checks everything that was sent since the start. Ends early when a check finds something.
 */
export async function runFaults(rig: Rig, traffic: Traffic, run: FaultRun): Promise<FaultSummary> {
  const prng = new Prng(run.seed)
  const faults: Record<string, number> = {}
  const requests = new Map<string, number>()
  const totals = { rounds: 0, drainSecondsMax: 0, refusalsWithoutRetryAfter: 0, duplicatesBeforeFinal: 0 }
  const endMs = monotonicMs() + run.seconds * 1000
  for (;;) {
    // The moments of the network decide which request draws next: the plan of the faults must not depend on them.
    const clients = { ...CLIENTS, ...run.clients, prng: new Prng(prng.uint32()) }
    const kinds = shuffle(run.kinds ?? Object.keys(rig.faults), prng)
    const load = await traffic.underLoad(clients, async () => {
      for (const kind of kinds) {
        faults[kind] = (faults[kind] ?? 0) + 1
        await strike(rig, kind, prng)
      }
    })
    await load.finish(FINISH_MS_MAX)
    const drainSeconds = await waitUntilDrained(rig.service)
    const { findings, stored } = await traffic.check()
    for (const [detail, count] of load.requests) requests.set(detail, (requests.get(detail) ?? 0) + count)
    totals.rounds++
    totals.drainSecondsMax = Math.max(totals.drainSecondsMax, drainSeconds)
    totals.refusalsWithoutRetryAfter += load.refusalsWithoutRetryAfter
    totals.duplicatesBeforeFinal = Math.max(totals.duplicatesBeforeFinal, stored.rawRows - stored.rows)
    const isWrong = JSON.stringify(findings) !== JSON.stringify(NOTHING_FOUND)
    if (!isWrong && monotonicMs() < endMs) continue
    return {
      ...totals,
      ...traffic.ledger.counts(),
      findings,
      faults,
      restarts: rig.kills.count,
      requests: Object.fromEntries(requests),
      stored: stored.rows,
    }
  }
}
