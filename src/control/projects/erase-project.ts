import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import type { JobHandler } from '../../jobs/job-handler.ts'
import { assert } from '../../kernel/assert.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Job } from '../../store/catalog/job-store.ts'
import { insertJob } from '../../store/catalog/job-store.ts'
import { ERASE_PROJECT } from './delete-project.ts'

/** A step of an erasure; idempotent. */
export type EraseStep = (erasure: {
  readonly projectId: ProjectId
  readonly signal: AbortSignal
}) => Promise<void>

/** Dependencies of project erasures. */
export interface EraseProjectParts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly log: Logger
  /** Waits for a limited time until journalled events have reached the store. */
  readonly untilDelivered: (signal: AbortSignal) => Promise<unknown>
  /** Erases each store of project data, in this order. */
  readonly steps: readonly EraseStep[]
}

/** Round 0 erases; each later round erases late arrivals. */
type Progress = { readonly round: number }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Delay of each follow-up round after the previous one. */
const FOLLOW_UPS_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 24 * HOUR_MS, 6 * 24 * HOUR_MS]

/** The erasure of a deleted project cannot be requested again, so it is retried until it succeeds. */
const RETRY_MS = HOUR_MS

/** Erases the data of projects that were deleted. */
export function createEraseProject(parts: EraseProjectParts): JobHandler {
  const { catalog, clock, log } = parts
  return {
    run: async (job, { signal }) => {
      const { round } = job.payload as Progress
      const projectId = projectIdOf(job)
      if (await isProject(catalog, projectId)) {
        log.error({ project: projectId }, 'the project exists again; its erasure is cancelled')
        return { next: 'done' }
      }
      if (round === 0) await parts.untilDelivered(signal)
      for (const erase of parts.steps) await erase({ projectId, signal })
      if (round === 0) log.info({ project: projectId }, 'erased the data of a deleted project')
      const delayMs = FOLLOW_UPS_MS[round]
      if (delayMs === undefined) return { next: 'done' }
      return { next: 'again', payload: { round: round + 1 }, dueMs: clock.nowMs() + delayMs }
    },
    giveUp: async (job) => {
      const nowMs = clock.nowMs()
      const again = { kind: ERASE_PROJECT, projectId: projectIdOf(job), payload: job.payload }
      await insertJob(catalog, { ...again, nowMs, dueMs: nowMs + RETRY_MS })
    },
  }
}

/** Possible after the catalog was restored from a backup. */
async function isProject(catalog: Catalog, id: ProjectId): Promise<boolean> {
  const row = await catalog.selectFrom('projects').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

function projectIdOf({ projectId }: Job): ProjectId {
  assert(projectId !== undefined, 'the job has a project')
  return asProjectId(projectId)
}
