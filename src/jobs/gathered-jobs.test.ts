import { expect, test } from 'vitest'
import type { Job } from '../store/catalog/job-store.ts'
import { type GatheredJob, gatherJobs } from './gathered-jobs.ts'
import type { JobHandler, JobOutcome } from './job-handler.ts'

const LIMITS = { jobsMax: 3, groupsMax: 1, gatherMs: 0 }
const DONE = { next: 'done' } as const

interface Attempt {
  readonly ids: readonly string[]
  readonly end: (outcomes: readonly JobOutcome[] | Error) => void
}

/** A handler whose attempts end when the test says so; a group is the first letter of an id. */
function openHandler(limits = LIMITS) {
  const attempts: Attempt[] = []
  let report: () => void = () => undefined
  const handler = gatherJobs(
    {
      groupOf: ({ id }) => id.slice(0, 1),
      run: async (jobs: readonly GatheredJob[]) =>
        await new Promise((resolve, reject) => {
          const end: Attempt['end'] = (outcomes) =>
            outcomes instanceof Error ? reject(outcomes) : resolve(outcomes)
          attempts.push({ ids: jobs.map(({ job }) => job.id), end })
          report()
        }),
      giveUp: async () => await Promise.resolve(),
    },
    limits,
  )
  /** Resolves with the attempt once it has begun. */
  const attempt = async (index: number): Promise<Attempt> => {
    for (;;) {
      const found = attempts[index]
      if (found) return found
      await new Promise<void>((resolve) => {
        report = resolve
      })
    }
  }
  return { handler, attempt, attempts }
}

function start(
  handler: JobHandler,
  id: string,
  { attempts = 1, signal = new AbortController().signal } = {},
) {
  const job: Job = { id, kind: 'erase', projectId: undefined, payload: null, attempts }
  return handler.run(job, { signal, save: async () => await Promise.resolve() })
}

test('jobs of a group that are due at once run together, each with its outcome', async () => {
  const { handler, attempt } = openHandler()
  const runs = ['a1', 'a2'].map(async (id) => await start(handler, id))
  const { ids, end } = await attempt(0)
  expect(ids).toEqual(['a1', 'a2'])
  const again = { next: 'again', payload: 1, dueMs: 2 } as const
  end([DONE, again])
  expect(await Promise.all(runs)).toEqual([DONE, again])
})

test('jobs that come while their group runs are the next to run, as many as the limit permits', async () => {
  const { handler, attempt } = openHandler()
  void start(handler, 'a1')
  const first = await attempt(0)
  for (const id of ['a2', 'a3', 'a4', 'a5']) void start(handler, id)
  first.end([DONE])
  const second = await attempt(1)
  expect(second.ids).toEqual(['a2', 'a3', 'a4'])
  second.end([DONE, DONE, DONE])
  expect((await attempt(2)).ids).toEqual(['a5'])
})

test('groups take turns', async () => {
  const { handler, attempt } = openHandler({ ...LIMITS, jobsMax: 1 })
  for (const id of ['a1', 'a2', 'b1']) void start(handler, id)
  for (const [index, id] of ['a1', 'b1', 'a2'].entries()) {
    const { ids, end } = await attempt(index)
    expect(ids).toEqual([id])
    end([DONE])
  }
})

test('several groups run at once, up to the limit', async () => {
  const { handler, attempt, attempts } = openHandler({ ...LIMITS, groupsMax: 2 })
  for (const id of ['a1', 'b1', 'c1']) void start(handler, id)
  const first = await attempt(0)
  await attempt(1)
  expect(attempts.map(({ ids }) => ids)).toEqual([['a1'], ['b1']])
  first.end([DONE])
  expect((await attempt(2)).ids).toEqual(['c1'])
})

test('an error is a failure of each job, and of those that run after them not', async () => {
  const { handler, attempt } = openHandler()
  const failed = ['a1', 'a2'].map(async (id) => await start(handler, id))
  const { end } = await attempt(0)
  const later = start(handler, 'a3')
  end(new Error('no disk'))
  expect((await Promise.allSettled(failed)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  ;(await attempt(1)).end([DONE])
  expect(await later).toEqual(DONE)
})

test('a job that has failed twice runs alone', async () => {
  const { handler, attempt } = openHandler({ ...LIMITS, groupsMax: 2 })
  void start(handler, 'a1', { attempts: 3 })
  void start(handler, 'a2', { attempts: 2 })
  void start(handler, 'a3')
  expect((await attempt(0)).ids).toEqual(['a1'])
  expect((await attempt(1)).ids).toEqual(['a2', 'a3'])
})

test('a job whose claim is lost while it waits does not run', async () => {
  const { handler, attempt } = openHandler()
  void start(handler, 'a1')
  const first = await attempt(0)
  const claim = new AbortController()
  const lost = start(handler, 'a2', { signal: claim.signal })
  void start(handler, 'a3')
  claim.abort(new Error('the claim of the job is lost'))
  await expect(lost).rejects.toThrow('the claim')
  first.end([DONE])
  expect((await attempt(1)).ids).toEqual(['a3'])
})

test('a missing outcome is a failure of its job', async () => {
  const { handler, attempt } = openHandler()
  const run = start(handler, 'a1')
  ;(await attempt(0)).end([])
  await expect(run).rejects.toThrow('no outcome')
})
