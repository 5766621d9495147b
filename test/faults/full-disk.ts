import { join } from 'node:path'
import { Prng } from '../../src/kernel/prng.ts'
import { mountDisk, unmountDisk } from '../harness/small-disk.ts'
import { waitFor } from '../harness/wait.ts'
import { waitUntilDrained } from './drain.ts'
import type { LedgerCounts } from './ledger.ts'
import type { Load } from './load.ts'
import { killEverything, whileFrozen } from './process-faults.ts'
import { type Rig, ROLES } from './rig.ts'
import type { Traffic } from './traffic.ts'
import type { Findings } from './verify.ts'

/** The outcome of a run in which the journal's disk is full, and of the time after. */
export interface FullDiskSummary extends LedgerCounts {
  readonly findings: Findings
  /** All requests by how they ended. */
  readonly requests: Readonly<Record<string, number>>
  readonly refusalsWithoutRetryAfter: number
}

const CLIENTS = { batchEvents: 100, connections: 8, batchesPerSecond: 100, twin: 0.05, hangUp: 0 }
const DISK_MIB = 2
const REFUSALS = 20
const FILL_MS_MAX = 40_000

/**
 * Puts the journal, which must be drained, on a disk that is too small, stops the store until that is full, and lets the
 * store go on. The service does not run afterwards.
 */
export async function runFullDisk(rig: Rig, traffic: Traffic, seed: number): Promise<FullDiskSummary> {
  const { service } = rig
  const prng = new Prng(seed)
  const folder = join(service.dataDir, 'journal')
  await killEverything(service, ROLES, prng)
  if (!mountDisk(folder, DISK_MIB)) throw new Error('the disk could not be mounted')
  try {
    await service.launch()
    return await fillDisk(rig, traffic, prng)
  } finally {
    await killEverything(service, ROLES, prng).finally(() => unmountDisk(folder))
  }
}

async function fillDisk({ service }: Rig, traffic: Traffic, prng: Prng): Promise<FullDiskSummary> {
  const load = await traffic.underLoad({ ...CLIENTS, prng }, async (running) => {
    await whileFrozen(service.pid('store'), async () => {
      await waitFor('the disk to be full', () => isRefused(running), FILL_MS_MAX)
    })
    await traffic.waitForProgress(1, FILL_MS_MAX)
  })
  await load.finish(FILL_MS_MAX)
  await waitUntilDrained(service)
  const { findings } = await traffic.check()
  const requests = Object.fromEntries(load.requests)
  return {
    ...traffic.ledger.counts(),
    findings,
    requests,
    refusalsWithoutRetryAfter: load.refusalsWithoutRetryAfter,
  }
}

function isRefused({ requests }: Load): true | undefined {
  return (requests.get('429 resource_exhausted') ?? 0) >= REFUSALS ? true : undefined
}
