import type { FillDemo } from '../../control/projects/demo-project.ts'
import { overloaded } from '../../edge/refusals.ts'
import { systemClock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { ValidationPool } from '../../pipeline/pool.ts'
import { longestCallSeconds } from '../../settings/derived-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import { fillProject, TrafficBlocks } from '../../transfer/generate/fill-project.ts'
import type { StoreLink } from '../environment/store-link.ts'
import { workerSettings } from '../environment/worker-settings.ts'

const DAY_MS = 86_400_000

/** Two months of a small shop: enough for weekly retention, stored in a few seconds. */
const DEMO = { users: 3000, events: 60_000, days: 60 } as const

/** Fills demo projects in a worker thread of its own, one at a time. Throws `resource_exhausted` while another one is filled. */
export function createFillDemo(
  settings: Settings,
  { store, log }: { readonly store: StoreLink; readonly log: Logger },
): FillDemo {
  let isFilling = false
  return async (projectId) => {
    if (isFilling) throw overloaded()
    isFilling = true
    const blocks = new TrafficBlocks()
    const pool = new ValidationPool({
      workers: 1,
      settings: workerSettings(settings),
      commitBlock: blocks.commit,
      log,
    })
    try {
      const toMs = systemClock.nowMs()
      const { days, ...size } = DEMO
      await fillProject({
        projectId,
        traffic: { ...size, seed: projectId, fromMs: toMs - days * DAY_MS, toMs },
        pool,
        blocks,
        clickhouse: store.clickhouse,
        // The traffic takes a few seconds; the call itself ends soon after this.
        signal: AbortSignal.timeout(longestCallSeconds(settings) * 1000),
      })
    } finally {
      isFilling = false
      await pool.close()
    }
  }
}
