import { Prng } from '../../src/kernel/prng.ts'
import { waitFor } from '../harness/wait.ts'
import { waitUntilDrained } from './drain.ts'
import type { LedgerCounts } from './ledger.ts'
import { type LoopDisk, withJournalOnDisk } from './loop-disk.ts'
import { killEverything, whileFrozen } from './process-faults.ts'
import { type Rig, ROLES } from './rig.ts'
import type { Traffic } from './traffic.ts'
import type { Findings } from './verify.ts'

/** The outcome of a run in which the journal's disk fails repeatedly. */
export interface FailingDiskSummary extends LedgerCounts {
  readonly findings: Findings
  readonly failures: number
  /** All requests by how they ended. */
  readonly requests: Readonly<Record<string, number>>
}

const CLIENTS = { batchEvents: 10, connections: 8, batchesPerSecond: 100, twin: 0.05, hangUp: 0.01 }
/** Events that are acknowledged between two failures. */
const PROGRESS = 100
/** Shorter than the test's own limit, so that a failure names what it waited for. */
const WAIT_MS_MAX = 40_000
/** Errors of a failing disk: I/O errors, then a read-only file system once the kernel has given up on it. */
const DISK_ERRORS = /\b(EIO|EROFS)\b/

/**
 * Puts the journal, which must be drained, on a disk that fails at a moment under load, `failures` times; each
 * time the disk comes back as it was at that moment. The service does not run afterwards.
 */
export async function runFailingDisk(
  rig: Rig,
  traffic: Traffic,
  run: { readonly seed: number; readonly failures: number },
): Promise<FailingDiskSummary> {
  const { service } = rig
  const prng = new Prng(run.seed)
  return await withJournalOnDisk(rig, prng, async (disk) => {
    const load = await traffic.underLoad({ ...CLIENTS, prng }, async () => {
      for (let failure = 0; failure < run.failures; failure++) {
        await traffic.waitForProgress(PROGRESS, WAIT_MS_MAX)
        await breakDisk(rig, disk)
        await killEverything(service, ROLES, prng)
        disk.mend()
        await service.launch()
      }
      await traffic.waitForProgress(PROGRESS, WAIT_MS_MAX)
    })
    await load.finish(WAIT_MS_MAX)
    await waitUntilDrained(service)
    const { findings } = await traffic.check()
    const requests = Object.fromEntries(load.requests)
    return { ...traffic.ledger.counts(), findings, failures: run.failures, requests }
  })
}

/** Lets the disk fail while the edge stands still, and resolves when the edge has found out and ended. */
async function breakDisk({ service, kills }: Rig, disk: LoopDisk): Promise<void> {
  const pid = service.pid('edge')
  const already = countFailures(service.output.stderr)
  await whileFrozen(pid, async () => disk.fail())
  await waitFor(
    'the journal to fail',
    () => (countFailures(service.output.stderr) > already ? true : undefined),
    WAIT_MS_MAX,
  )
  kills.count++
}

/** Times that an edge ended because of an error of the journal's disk. */
function countFailures(log: string): number {
  const lines = log
    .split('\n')
    .filter((line) => line.includes('the journal failed; the process ends and recovers'))
  return lines.filter((line) => DISK_ERRORS.test(line)).length
}
