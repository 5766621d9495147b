import { Prng } from '../../src/kernel/prng.ts'
import { waitFor } from '../harness/wait.ts'
import { waitUntilDrained } from './drain.ts'
import type { LedgerCounts } from './ledger.ts'
import type { Load } from './load.ts'
import { withJournalOnDisk } from './loop-disk.ts'
import { type Rig, ROLES } from './rig.ts'
import type { Traffic } from './traffic.ts'
import type { Findings } from './verify.ts'

/** Counts while the journal's disk did not respond, and afterwards. */
export interface HangingDiskSummary extends LedgerCounts {
  readonly findings: Findings
  /** All requests by how they ended. */
  readonly requests: Readonly<Record<string, number>>
  readonly refusalsWithoutRetryAfter: number
  /** Processes that did not survive it. */
  readonly ended: readonly string[]
}

const CLIENTS = { batchEvents: 10, connections: 8, batchesPerSecond: 100, twin: 0.05, hangUp: 0 }
const PROGRESS = 100
const REFUSALS = 20
const WAIT_MS_MAX = 40_000

/**
 * Puts the journal, which must be drained, on a disk that hangs under load until clients are refused, and goes on then.
 * The service does not run afterwards.
 */
export async function runHangingDisk(rig: Rig, traffic: Traffic, seed: number): Promise<HangingDiskSummary> {
  const { service } = rig
  const prng = new Prng(seed)
  return await withJournalOnDisk(rig, prng, async (disk) => {
    const pids = new Map(ROLES.map((role) => [role, service.pid(role)]))
    const load = await traffic.underLoad({ ...CLIENTS, prng }, async (running) => {
      await traffic.waitForProgress(PROGRESS, WAIT_MS_MAX)
      disk.freeze()
      try {
        await waitForRequests(running, '503 unavailable', 1)
        await waitForRequests(running, '429 resource_exhausted', REFUSALS)
      } finally {
        disk.thaw()
      }
      await traffic.waitForProgress(PROGRESS, WAIT_MS_MAX)
    })
    await load.finish(WAIT_MS_MAX)
    await waitUntilDrained(service)
    const { findings } = await traffic.check()
    return {
      ...traffic.ledger.counts(),
      findings,
      requests: Object.fromEntries(load.requests),
      refusalsWithoutRetryAfter: load.refusalsWithoutRetryAfter,
      ended: ROLES.filter((role) => service.pid(role) !== pids.get(role)),
    }
  })
}

async function waitForRequests({ requests }: Load, ending: string, count: number): Promise<void> {
  await waitFor(
    `requests that end in ${ending}`,
    () => ((requests.get(ending) ?? 0) >= count ? true : undefined),
    WAIT_MS_MAX,
  )
}
