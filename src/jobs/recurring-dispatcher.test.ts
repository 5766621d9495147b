import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeCatalog } from '../../test/harness/describe-catalog.ts'
import { startDispatcherProcess } from '../../test/harness/dispatcher-process.ts'
import { waitFor } from '../../test/harness/wait.ts'
import type { ProjectId } from '../contract/ids.ts'
import type { Schedule } from '../domain/schedule.ts'
import { createLogger } from '../kernel/log.ts'
import type { Catalog } from '../store/catalog/catalog.ts'
import { claimJob, failJob, finishJob, type Job, retryJob } from '../store/catalog/job-store.ts'
import { insertProject } from '../store/catalog/projects.ts'
import { countRecurringJobs, deleteRecurringJob, followTimeZone } from '../store/catalog/recurring-store.ts'
import type { JobContext } from './job-handler.ts'
import { JobRunner } from './job-runner.ts'
import { dispatchDueJobs, pickFairly, RecurringDispatcher } from './recurring-dispatcher.ts'
import {
  addRecurringJob,
  changeRecurringJob,
  createRecurringJobHandlers,
  type NewRecurringJob,
  type RecurringRun,
  type RunPayload,
} from './recurring-jobs.ts'

const KIND = 'check'
const HOURLY: Schedule = { every: 'hour', minute: 0, hour: 0, day: 0 }
const DAILY: Schedule = { every: 'day', minute: 0, hour: 8, day: 0 }
const HOUR_MS = 3_600_000
const log = createLogger({ role: 'test', level: 'silent' })

describeCatalog('recurring jobs', (under) => {
  let catalog: Catalog
  let nowMs: number
  let stops: (() => Promise<void>)[]
  let projectCount = 0

  const clock = { nowMs: () => nowMs }
  const at = (text: string): void => {
    nowMs = Date.parse(text)
  }

  beforeEach(() => {
    catalog = under.catalog
    stops = []
    at('2026-06-01T10:30:00Z')
  })

  afterEach(async () => {
    for (const stop of stops) await stop()
  })

  async function addProject(reportingTimezone = 'UTC'): Promise<ProjectId> {
    const organisationId = 'o'
    const organisation = { id: organisationId, display_name: 'O', created_ms: 1 }
    await catalog
      .insertInto('organisations')
      .values(organisation)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const displayName = `Project ${++projectCount}`
    return await insertProject(catalog, clock, { organisationId, displayName, reportingTimezone })
  }

  async function add(id: string, fields: Partial<NewRecurringJob> = {}): Promise<void> {
    await addRecurringJob(catalog, clock, { id, kind: KIND, payload: null, schedule: HOURLY, ...fields })
  }

  async function dispatch(): Promise<number> {
    return await dispatchDueJobs({ catalog, clock, kinds: [KIND], wakeJobs: () => undefined })
  }

  const unitOf = ({ payload }: Pick<Job, 'payload'>): string => {
    const { recurringId, fromMs, toMs } = payload as RunPayload
    const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16)
    return `${recurringId} ${iso(fromMs)} ${iso(toMs)}`
  }

  /** Runs the jobs that are due, and returns the units that they are about. */
  async function runAll(): Promise<readonly string[]> {
    const units: string[] = []
    for (;;) {
      const claim = await claimJob(catalog, { kinds: [KIND], nowMs, leaseMs: 1000 })
      if (!claim) return units
      units.push(unitOf(claim.job))
      await finishJob(catalog, claim)
    }
  }

  async function dispatchAndRun(): Promise<readonly string[]> {
    await dispatch()
    return await runAll()
  }

  test('the first unit is the one in which a job is added', async () => {
    await add('a')
    expect(await dispatchAndRun()).toEqual([])
    at('2026-06-01T11:00:00Z')
    expect(await dispatchAndRun()).toEqual(['a 2026-06-01T10:00 2026-06-01T11:00'])
    expect(await dispatchAndRun()).toEqual([])
  })

  test('after downtime the newest complete unit is done, and only that', async () => {
    await add('a')
    at('2026-06-02T15:10:00Z')
    expect(await dispatchAndRun()).toEqual(['a 2026-06-02T14:00 2026-06-02T15:00'])
    expect(await dispatchAndRun()).toEqual([])
  })

  test('of two processes, one adds the job of each unit', async () => {
    const processes = await Promise.all([0, 1].map(() => startDispatcherProcess(under.place, [KIND])))
    stops.push(...processes.map(({ stop }) => stop))
    const ids = Array.from({ length: 6 }, (_, index) => `job-${index}`)
    for (const id of ids) await add(id, { projectId: await addProject() })
    for (let round = 0; round < 5; round++) {
      nowMs += HOUR_MS
      await Promise.all(processes.map((started) => started.dispatch(nowMs)))
      const units = await runAll()
      expect(units.map((unit) => unit.split(' ')[0]).sort()).toEqual(ids)
    }
  })

  test('while the job of one unit waits for a retry, no other is added; then the newest is', async () => {
    await add('a')
    nowMs += HOUR_MS
    await dispatch()
    const claim = await claimJob(catalog, { kinds: [KIND], nowMs, leaseMs: 1000 })
    if (!claim) throw new Error('no job is due')
    await retryJob(catalog, claim, { error: 'no', dueMs: nowMs + 3 * HOUR_MS })
    nowMs += 2 * HOUR_MS
    expect(await dispatch()).toBe(0)
    nowMs += HOUR_MS
    expect(await dispatchAndRun()).toEqual(['a 2026-06-01T10:00 2026-06-01T11:00'])
    expect(await dispatchAndRun()).toEqual(['a 2026-06-01T13:00 2026-06-01T14:00'])
  })

  test('a unit whose job has failed is not tried again, and does not hold up the next', async () => {
    await add('a')
    nowMs += HOUR_MS
    await dispatch()
    const claim = await claimJob(catalog, { kinds: [KIND], nowMs, leaseMs: 1000 })
    if (!claim) throw new Error('no job is due')
    await failJob(catalog, claim, { error: 'no', nowMs })
    expect(await dispatch()).toBe(0)
    nowMs += HOUR_MS
    expect(await dispatchAndRun()).toEqual(['a 2026-06-01T11:00 2026-06-01T12:00'])
  })

  test('a clock that is set back does no unit twice, and one that was far ahead is forgotten', async () => {
    await add('a')
    at('2026-06-01T12:10:00Z')
    expect(await dispatchAndRun()).toHaveLength(1)
    at('2026-06-01T10:10:00Z')
    expect(await dispatchAndRun()).toEqual([])
    at('2026-06-01T12:20:00Z')
    expect(await dispatchAndRun()).toEqual([])
    at('2026-06-01T13:00:00Z')
    expect(await dispatchAndRun()).toHaveLength(1)
    at('2031-01-01T00:00:00Z')
    expect(await dispatchAndRun()).toHaveLength(1)
    at('2026-06-01T13:30:00Z')
    expect(await dispatchAndRun()).toEqual([])
    at('2026-06-01T14:00:00Z')
    expect(await dispatchAndRun()).toEqual(['a 2026-06-01T13:00 2026-06-01T14:00'])
  })

  test("a job follows the zone of its project, and a day that is done is not done again in another zone's hours", async () => {
    const projectId = await addProject('Europe/Berlin')
    await add('a', { projectId, schedule: DAILY })
    at('2026-06-02T06:00:00Z')
    expect(await dispatchAndRun()).toEqual(['a 2026-05-31T22:00 2026-06-01T22:00'])
    await catalog.updateTable('projects').set({ reporting_timezone: 'Europe/London' }).execute()
    await followTimeZone(catalog, projectId)
    at('2026-06-02T07:00:00Z')
    expect(await dispatchAndRun()).toEqual([])
    at('2026-06-03T06:59:00Z')
    expect(await dispatchAndRun()).toEqual([])
    at('2026-06-03T07:00:00Z')
    expect(await dispatchAndRun()).toEqual(['a 2026-06-01T23:00 2026-06-02T23:00'])
  })

  test.each([
    ['forward', '2026-03-28T12:00:00Z', '2026-03-31T12:00:00Z', 3],
    ['back', '2026-10-24T12:00:00Z', '2026-10-27T12:00:00Z', 3],
  ])('every day has one run when the clocks go %s', async (_, from, to, count) => {
    at(from)
    await add('a', { schedule: { ...DAILY, hour: 2, minute: 30 }, timeZone: 'Europe/Berlin' })
    const units: string[] = []
    for (; nowMs <= Date.parse(to); nowMs += HOUR_MS / 2) units.push(...(await dispatchAndRun()))
    expect(units).toHaveLength(count)
    expect(new Set(units).size).toBe(count)
  })

  test('a schedule that moves within the day runs once that day', async () => {
    at('2026-06-01T05:00:00Z')
    await add('a', { schedule: DAILY, timeZone: 'UTC' })
    at('2026-06-01T08:00:00Z')
    expect(await dispatchAndRun()).toHaveLength(1)
    await changeRecurringJob(catalog, clock, {
      id: 'a',
      payload: 1,
      schedule: { ...DAILY, hour: 10 },
      timeZone: 'UTC',
    })
    at('2026-06-01T10:00:00Z')
    expect(await dispatchAndRun()).toEqual([])
    await changeRecurringJob(catalog, clock, { id: 'a', payload: 1, schedule: HOURLY, timeZone: 'UTC' })
    expect(await dispatchAndRun()).toEqual([])
    at('2026-06-01T11:00:00Z')
    expect(await dispatchAndRun()).toEqual(['a 2026-06-01T10:00 2026-06-01T11:00'])
  })

  test('a project with a thousand jobs leaves turns to the others', async () => {
    const large = await addProject()
    for (let index = 0; index < 20; index++) await add(`large-${index}`, { projectId: large })
    nowMs += 1
    const small = await addProject()
    await add('small', { projectId: small })
    nowMs += HOUR_MS
    expect(await dispatch()).toBe(5)
    const units = await runAll()
    expect(units.filter((unit) => unit.startsWith('small'))).toHaveLength(1)
    expect(await dispatch()).toBe(4)
  })

  test('a run has the current payload, and a deleted job does nothing', async () => {
    const runs: RecurringRun[] = []
    const handlers = createRecurringJobHandlers(
      { [KIND]: async (run) => void runs.push(run) },
      { catalog, wakeDispatcher: () => undefined },
    )
    const context: JobContext = { signal: new AbortController().signal, save: async () => undefined }
    await add('a', { payload: 'old' })
    await add('b')
    nowMs += HOUR_MS
    await dispatch()
    await changeRecurringJob(catalog, clock, { id: 'a', payload: 'new', schedule: HOURLY })
    await deleteRecurringJob(catalog, 'b')
    for (;;) {
      const claim = await claimJob(catalog, { kinds: [KIND], nowMs, leaseMs: 1000 })
      if (!claim) break
      expect(await handlers[KIND]?.run(claim.job, context)).toEqual({ next: 'done' })
      await finishJob(catalog, claim)
    }
    const toMs = Date.parse('2026-06-01T11:00:00Z')
    expect(runs).toEqual([
      {
        id: `a/${toMs}`,
        recurringId: 'a',
        projectId: undefined,
        payload: 'new',
        fromMs: toMs - HOUR_MS,
        toMs,
        timeZone: 'UTC',
      },
    ])
  })

  test('a running dispatcher adds the standing jobs once, and its jobs run', async () => {
    const runs: string[] = []
    const standing: NewRecurringJob = { id: 'standing', kind: KIND, payload: null, schedule: HOURLY }
    const handlers = createRecurringJobHandlers(
      { [KIND]: async ({ id }) => void runs.push(id) },
      { catalog, wakeDispatcher: () => undefined },
    )
    const runner = new JobRunner({ catalog, clock, log, handlers, tuning: { pollMs: 5 } })
    const dispatchers = [0, 1].map(
      () =>
        new RecurringDispatcher({
          catalog,
          clock,
          log,
          kinds: [KIND],
          wakeJobs: () => runner.wake(),
          standing: [standing],
          pollMs: 5,
        }),
    )
    stops.push(...[runner, ...dispatchers].map((part) => async () => await part.stop()))
    for (const part of [runner, ...dispatchers]) part.start()
    await waitFor('the job', async () => ((await countRecurringJobs(catalog)).length > 0 ? true : undefined))
    nowMs += HOUR_MS
    await waitFor('the run', () => (runs.length > 0 ? true : undefined))
    expect(await countRecurringJobs(catalog)).toMatchObject([{ kind: KIND, count: 1 }])
    expect(runs).toEqual([`standing/${Date.parse('2026-06-01T11:00:00Z')}`])
  })
})

test.each<[name: string, due: string, inFlight: Record<string, number>, picked: string]>([
  ['projects take turns', 'AAAAAABC', {}, 'ABCAAA'],
  ['a project with jobs in flight comes later', 'AAB', { A: 2 }, 'BAA'],
  ['a project has at most four', 'AAB', { A: 4 }, 'B'],
  ['there are at most eight', 'ABC', { D: 4, E: 3 }, 'A'],
  ['none have a place', 'ABC', { D: 4, E: 4 }, ''],
])('%s', (_, due, inFlight, picked) => {
  const idOf = (letter: string) => letter.charCodeAt(0) as ProjectId
  const counts = new Map(Object.entries(inFlight).map(([letter, count]) => [idOf(letter), count]))
  const jobs = [...due].map((letter) => ({ projectId: idOf(letter), letter }))
  expect(
    pickFairly(jobs, counts)
      .map(({ letter }) => letter)
      .join(''),
  ).toBe(picked)
})
