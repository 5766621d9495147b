import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeCatalog } from '../../test/harness/describe-catalog.ts'
import { waitFor } from '../../test/harness/wait.ts'
import type { Clock } from '../kernel/clock.ts'
import { createLogger } from '../kernel/log.ts'
import type { Catalog } from '../store/catalog/catalog.ts'
import {
  type Claim,
  claimJob,
  failJob,
  finishJob,
  insertJob,
  type Job,
  type Json,
  renewClaim,
  saveProgress,
} from '../store/catalog/job-store.ts'
import type { JobContext, JobHandlers, JobOutcome } from './job-handler.ts'
import { JobRunner } from './job-runner.ts'

const LEASE_MS = 10_000
type Run = (job: Job, context: JobContext) => Promise<JobOutcome>
const log = createLogger({ role: 'test', level: 'silent' })

describeCatalog('jobs', (under) => {
  let catalog: Catalog
  let nowMs: number
  let clock: Clock
  let runners: JobRunner[]

  beforeEach(() => {
    catalog = under.catalog
    nowMs = 1_000_000
    clock = { nowMs: () => nowMs }
    runners = []
  })

  afterEach(async () => {
    await Promise.all(runners.map((runner) => runner.stop()))
  })

  const DONE = { next: 'done' } as const

  function startRunner(
    run: Run,
    tuning: object = {},
  ): { readonly runner: JobRunner; readonly lost: string[] } {
    const lost: string[] = []
    const handlers: JobHandlers = {
      mail: {
        run,
        giveUp: async (_, error) => {
          lost.push(error)
        },
      },
    }
    const fast = { pollMs: 5, leaseMs: LEASE_MS, ...tuning }
    const runner = new JobRunner({ catalog, clock, log, handlers, tuning: fast })
    runners.push(runner)
    runner.start()
    return { runner, lost }
  }

  async function add(payload: Json, dueMs?: number): Promise<string> {
    return await insertJob(catalog, {
      kind: 'mail',
      payload,
      nowMs,
      ...(dueMs === undefined ? {} : { dueMs }),
    })
  }

  async function rows() {
    return await catalog.selectFrom('jobs').selectAll().orderBy('next_ms').execute()
  }

  async function claim(): Promise<Claim | undefined> {
    return await claimJob(catalog, { kinds: ['mail'], nowMs, leaseMs: LEASE_MS })
  }

  async function claimOne(): Promise<Claim> {
    const found = await claim()
    if (!found) throw new Error('no job is due')
    return found
  }

  test('a completed job leaves no row', async () => {
    const seen: Json[] = []
    startRunner(async ({ payload }) => {
      seen.push(payload)
      return DONE
    })
    await add({ to: 1 })
    await waitFor('no row', async () => ((await rows()).length === 0 && seen.length > 0 ? true : undefined))
    expect(seen).toEqual([{ to: 1 }])
  })

  test('of concurrent runners, one runs a job', async () => {
    let count = 0
    const run: Run = async () => {
      count++
      return DONE
    }
    for (let index = 0; index < 3; index++) startRunner(run)
    for (let index = 0; index < 10; index++) await add(index)
    await waitFor('no row', async () => ((await rows()).length === 0 ? true : undefined))
    expect(count).toBe(10)
  })

  test('jobs of one lane leave places to the others, and take them up as they become free', async () => {
    const seen: Json[] = []
    const gates = new Map<Json, PromiseWithResolvers<void>>()
    startRunner(
      async ({ payload }) => {
        seen.push(payload)
        if (payload !== 'other' && payload !== 'without') {
          const gate = Promise.withResolvers<void>()
          gates.set(payload, gate)
          await gate.promise
        }
        return DONE
      },
      { runningMax: 3, runningPerLaneMax: 2 },
    )
    const job = { kind: 'mail', nowMs } as const
    for (const payload of ['a', 'b', 'c', 'd']) await insertJob(catalog, { ...job, payload, lane: 'hanging' })
    await insertJob(catalog, { ...job, payload: 'other', lane: 'other', dueMs: nowMs - 1 })
    await insertJob(catalog, { ...job, payload: 'without' })
    await waitFor('the others', () => (seen.includes('other') && seen.includes('without') ? true : undefined))
    expect(gates.size).toBe(2)
    for (let count = 3; count <= 4; count++) {
      const [payload, gate] = [...gates][count - 3] ?? []
      expect(payload).toBeDefined()
      gate?.resolve()
      await waitFor(`${count} started`, () => (gates.size === count ? true : undefined))
    }
    for (const gate of gates.values()) gate.resolve()
    await waitFor('no row', async () => ((await rows()).length === 0 ? true : undefined))
  })

  test('a job waits until it is due, and a job without a handler stays waiting', async () => {
    const seen: Json[] = []
    startRunner(async ({ payload }) => {
      seen.push(payload)
      return DONE
    })
    await add('later', nowMs + 1)
    await insertJob(catalog, { kind: 'unknown', payload: null, nowMs })
    await add('now')
    await waitFor('the one that is due', () => (seen.length > 0 ? true : undefined))
    expect(seen).toEqual(['now'])
    nowMs += 1
    await waitFor('the other one', () => (seen.length > 1 ? true : undefined))
    expect(seen).toEqual(['now', 'later'])
    expect(await rows()).toMatchObject([{ kind: 'unknown', attempts: 0 }])
  })

  test('a job continues with its saved payload when it is due again', async () => {
    const seen: Json[] = []
    startRunner(async ({ payload }) => {
      seen.push(payload)
      return payload === 2 ? DONE : { next: 'again', payload: Number(payload) + 1, dueMs: nowMs + 50 }
    })
    await add(1)
    await waitFor('the first part', async () => ((await rows())[0]?.payload === '2' ? true : undefined))
    expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 0, next_ms: nowMs + 50 }])
    nowMs += 50
    await waitFor('the second part', () => (seen.length === 2 ? true : undefined))
    expect(seen).toEqual([1, 2])
  })

  test('a failure is retried with backoff until no attempts remain', async () => {
    const { lost } = startRunner(
      async () => {
        throw new Error("no mail server for 'alice@example.org'")
      },
      { attemptsMax: 3, retry: { firstMs: 100, maxMs: 1000 } },
    )
    await add(1)
    const pauses: number[] = []
    for (const attempts of [1, 2]) {
      const [row] = await waitFor('a failure', async () => {
        const found = await rows()
        return found[0]?.attempts === attempts && found[0].state === 'waiting' ? found : undefined
      })
      pauses.push(Number(row?.next_ms) - nowMs)
      nowMs = Number(row?.next_ms)
    }
    expect(pauses).toEqual([100, 200])
    await waitFor('the last failure', async () => ((await rows())[0]?.state === 'failed' ? true : undefined))
    expect(lost).toEqual(["no mail server for '?'"])
    expect(await rows()).toMatchObject([{ state: 'failed', error: "no mail server for '?'", attempts: 3 }])
  })

  test('a job of a dead process continues with its saved payload when the claim expires', async () => {
    const id = await add({ step: 0 })
    const dead = await claimOne()
    expect(dead.job.id).toBe(id)
    await saveProgress(catalog, dead, { step: 1 })
    expect(await claim()).toBeUndefined()
    nowMs += LEASE_MS
    const next = await claim()
    expect(next?.job).toMatchObject({ id, payload: { step: 1 }, attempts: 2 })
  })

  test('a runner that lost its claim can no longer change the job', async () => {
    await add({ step: 0 })
    const late = await claimOne()
    nowMs += LEASE_MS
    const now = await claimOne()
    expect(await renewClaim(catalog, late, nowMs + LEASE_MS)).toBe(false)
    expect(await saveProgress(catalog, late, { step: 9 })).toBe(false)
    await finishJob(catalog, late)
    await failJob(catalog, late, { error: 'late', nowMs })
    expect(await rows()).toMatchObject([{ state: 'running', payload: '{"step":0}', holder: now.holder }])
  })

  test('a job that kills its process at every attempt fails eventually', async () => {
    const id = await add(1)
    for (let attempt = 0; attempt < 3; attempt++) {
      expect((await claim())?.job.id).toBe(id)
      nowMs += LEASE_MS
    }
    const { lost } = startRunner(async () => DONE, { attemptsMax: 3 })
    await waitFor('the end', async () => ((await rows())[0]?.state === 'failed' ? true : undefined))
    expect(lost).toEqual(['every attempt was interrupted'])
  })

  test('a claim is renewed while the job runs', async () => {
    const gate = Promise.withResolvers<JobOutcome>()
    startRunner(async () => await gate.promise, { leaseMs: 40 })
    await add(1)
    await waitFor('the start', async () => ((await rows())[0]?.state === 'running' ? true : undefined))
    nowMs += 1000
    await waitFor('a renewal', async () =>
      Number((await rows())[0]?.next_ms) === nowMs + 40 ? true : undefined,
    )
    gate.resolve(DONE)
    await waitFor('no row', async () => ((await rows()).length === 0 ? true : undefined))
  })

  test('a stop interrupts the job and releases its claim without counting the attempt', async () => {
    const { runner } = startRunner(async (_, { signal, save }) => {
      await save('half')
      return await new Promise<JobOutcome>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    })
    await add('whole')
    await waitFor('half of it', async () => ((await rows())[0]?.payload === '"half"' ? true : undefined))
    await runner.stop()
    expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 0, payload: '"half"' }])
    expect((await claim())?.job).toMatchObject({ payload: 'half', attempts: 1 })
  })
})
