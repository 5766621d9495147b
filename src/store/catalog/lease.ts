import { randomUUID } from 'node:crypto'
import { type Clock, monotonicMs, sleep } from '../../kernel/clock.ts'
import type { Catalog } from './catalog.ts'

const POLL_MS = 100

/** A lease that one process holds at a time, and that expires when the process dies. */
export interface LeaseOptions {
  readonly name: string
  /** Milliseconds after which another process may take over the lease. */
  readonly ttlMs: number
  /** Milliseconds to wait for the current holder. */
  readonly waitMs: number
}

/** A lease in a catalog. */
export interface Lease extends LeaseOptions {
  readonly catalog: Catalog
  readonly clock: Clock
}

/** Runs `work` while holding the lease. Throws when the lease cannot be acquired in time. */
export async function withLease<T>(lease: Lease, work: () => Promise<T>): Promise<T> {
  const { catalog, clock, name, ttlMs, waitMs } = lease
  const holder = randomUUID()
  const deadlineMs = monotonicMs() + waitMs
  while (!(await takeLease(catalog, { name, holder, nowMs: clock.nowMs(), ttlMs }))) {
    if (monotonicMs() >= deadlineMs) throw new Error(`the lease ${name} is held by another process`)
    await sleep(POLL_MS)
  }
  try {
    return await work()
  } finally {
    await catalog.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
  }
}

async function takeLease(
  catalog: Catalog,
  lease: { readonly name: string; readonly holder: string; readonly nowMs: number; readonly ttlMs: number },
): Promise<boolean> {
  const row = { name: lease.name, holder: lease.holder, expires_ms: lease.nowMs + lease.ttlMs }
  const taken = await catalog
    .insertInto('leases')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet(row)
        .where(({ eb, or }) =>
          or([
            eb('leases.expires_ms', '<', lease.nowMs),
            // Taken before the clock was set back: do not wait until then. A lease that expires only a little later was
            // taken by a machine whose clock is ahead, or while this statement was in flight.
            eb('leases.expires_ms', '>', lease.nowMs + 2 * lease.ttlMs),
          ]),
        ),
    )
    .executeTakeFirst()
  return (taken.numInsertedOrUpdatedRows ?? 0n) > 0n
}
