import {
  type GatheredHandler,
  type GatheredJob,
  type GatherLimits,
  gatherJobs,
} from '../../../jobs/gathered-jobs.ts'
import type { JobHandler, JobOutcome } from '../../../jobs/job-handler.ts'
import type { Job } from '../../../store/catalog/job-store.ts'
import { type ErasePersonParts, ErasureAttempt, type Progress } from './erasure-attempt.ts'

/**
 * Deleting rows rewrites the months that hold them, of one user as of many: erasures of a project that wait are done together, few enough
 * for one statement to name their requests.
 */
const ERASURES_TOGETHER: GatherLimits = { jobsMax: 32, groupsMax: 4, gatherMs: 250 }

/** Erasures of a process that run or wait for those before them; a project leaves places to the others. */
export const ERASURE_PLACES = { runningMax: 64, runningPerLaneMax: ERASURES_TOGETHER.jobsMax } as const

/** Runs the erasures of the record, those of one project together. Every step is idempotent. */
export function createErasePerson(
  parts: ErasePersonParts,
  limits: GatherLimits = ERASURES_TOGETHER,
): JobHandler {
  const handler: GatheredHandler = {
    groupOf: (job) => {
      const { round, cutMs } = progressOf(job)
      return `${job.projectId}/${round}/${cutMs}`
    },
    run: async (jobs) => await eraseTogether(parts, jobs),
    giveUp: async (job, error) => await parts.deletions.fail(progressOf(job).requestId, error),
  }
  return gatherJobs(handler, limits)
}

function progressOf({ payload }: Job): Progress {
  return {
    round: 0,
    cutMs: null,
    events: 0,
    isCounted: false,
    ...(payload as Partial<Progress> & Pick<Progress, 'requestId'>),
  }
}

async function eraseTogether(
  parts: ErasePersonParts,
  jobs: readonly GatheredJob[],
): Promise<readonly JobOutcome[]> {
  const found = await Promise.all(
    jobs.map(async ({ job, context }) => {
      const progress = progressOf(job)
      const request = await parts.deletions.read(progress.requestId)
      return request && { request, progress, save: context.save }
    }),
  )
  const users = found.filter((user) => user !== undefined)
  const [first] = users
  if (!first) return jobs.map(() => ({ next: 'done' }))
  const outcomes = await new ErasureAttempt(parts, users, {
    ...{ projectId: first.request.projectId, round: first.progress.round, cutMs: first.progress.cutMs },
    signal: AbortSignal.any(jobs.map(({ context }) => context.signal)),
  }).run()
  const byRequest = new Map(users.map(({ request }, index) => [request.id, outcomes[index]]))
  return jobs.map((job) => byRequest.get(progressOf(job.job).requestId) ?? { next: 'done' })
}
