import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import type { JobHandler } from '../../jobs/job-handler.ts'
import { assert } from '../../kernel/assert.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Job } from '../../store/catalog/job-store.ts'
import { insertJob } from '../../store/catalog/job-store.ts'
import { ERASE_PROJECT } from './delete-project.ts'

/** A step of an erasure; it may be done twice. */
export type EraseStep = (erasure: {
  readonly projectId: ProjectId
  readonly signal: AbortSignal
}) => Promise<void>

/** What erasures of projects work with. */
export interface EraseProjectParts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly log: Logger
  /** Waits for what is on its way to the store, but not for long. */
  readonly untilDelivered: (signal: AbortSignal) => Promise<unknown>
  /** What holds data of projects, in the order in which it is emptied. */
  readonly steps: readonly EraseStep[]
}

/** 0 erases; each later round looks for what came in late. */
type Progress = { readonly round: number }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** When late rows are looked for, after the round before. */
const FOLLOW_UPS_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 24 * HOUR_MS, 6 * 24 * HOUR_MS]

/** Nobody can ask for the erasure again, since the project is gone: it is tried until it works. */
const TRY_AGAIN_MS = HOUR_MS

/** Erases the data of projects that were deleted. */
export function createEraseProject(parts: EraseProjectParts): JobHandler {
  const { catalog, clock, log } = parts
  return {
    run: async (job, { signal }) => {
      const { round } = job.payload as Progress
      const projectId = projectIdOf(job)
      if (await isProject(catalog, projectId)) {
        log.error({ project: projectId }, 'a project that exists again is not erased')
        return { next: 'done' }
      }
      if (round === 0) await parts.untilDelivered(signal)
      for (const erase of parts.steps) await erase({ projectId, signal })
      if (round === 0) log.info({ project: projectId }, 'the data of a deleted project is erased')
      const delayMs = FOLLOW_UPS_MS[round]
      if (delayMs === undefined) return { next: 'done' }
      return { next: 'again', payload: { round: round + 1 }, dueMs: clock.nowMs() + delayMs }
    },
    giveUp: async (job) => {
      const nowMs = clock.nowMs()
      const again = { kind: ERASE_PROJECT, projectId: projectIdOf(job), payload: job.payload }
      await insertJob(catalog, { ...again, nowMs, dueMs: nowMs + TRY_AGAIN_MS })
    },
  }
}

/** As after a catalog was put back from a backup. */
async function isProject(catalog: Catalog, id: ProjectId): Promise<boolean> {
  const row = await catalog.selectFrom('projects').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

function projectIdOf({ projectId }: Job): ProjectId {
  assert(projectId !== undefined, 'the job names no project')
  return asProjectId(projectId)
}
