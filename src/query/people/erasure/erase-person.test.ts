import { describe, expect, test } from 'vitest'
import { asProjectId } from '../../../contract/ids.ts'
import { createLogger } from '../../../kernel/log.ts'
import type { Job } from '../../../store/catalog/job-store.ts'
import { render } from '../../sql/sql.ts'
import type { DeletionRequest, DeletionRequests } from './deletion-requests.ts'
import { createErasePerson } from './erase-person.ts'
import { ERASED_TABLES } from './erased-rows.ts'
import type { ErasePersonParts } from './erasure-attempt.ts'

const REQUEST: DeletionRequest = {
  id: '0197a1c0-0000-7000-8000-000000000001',
  projectId: asProjectId(1),
  externalId: 'anna',
  profileId: '',
  status: 'pending',
  eventsIdentified: 0,
  requestedMs: 0,
  completedMs: undefined,
  error: '',
}

const OTHER: DeletionRequest = {
  ...REQUEST,
  id: '0197a1c0-0000-7000-8000-000000000002',
  externalId: 'berta',
}

const ELSEWHERE: DeletionRequest = {
  ...OTHER,
  id: '0197a1c0-0000-7000-8000-000000000003',
  projectId: asProjectId(2),
}

const NOW_MS = 1_000_000
const CLOCK_MS = 900_000
const MINUTE_MS = 60_000

interface Setup {
  readonly payload?: object
  /** Requests whose jobs are due as well, with their payloads. */
  readonly others?: readonly { readonly of: DeletionRequest; readonly payload?: object }[]
  readonly request?: DeletionRequest | undefined
  /** Rows that each sweep leaves in `events`, then none. */
  readonly left?: readonly number[]
  readonly isDelivered?: boolean
  /** Cells of days from before the erasure. */
  readonly cellCount?: number
}

/** One attempt of the jobs against fakes; steps are recorded in order. */
async function runJobs(setup: Setup) {
  const { payload = {}, others = [], left = [], isDelivered = true, cellCount = 0 } = setup
  const steps: string[] = []
  const saved: unknown[] = []
  /** Whether each deletion spares rows from after the erasure. */
  const cutoffs: boolean[] = []
  const remaining = [...left]
  const request = 'request' in setup ? setup.request : REQUEST
  const deletions: Partial<Record<keyof DeletionRequests, unknown>> = {
    read: async (id: string) =>
      await Promise.resolve([OTHER, ELSEWHERE].find((other) => other.id === id) ?? request),
    start: async () => await Promise.resolve(steps.push('start')),
    setEvents: async (_: string, events: number) => await Promise.resolve(steps.push(`events ${events}`)),
    complete: async () => await Promise.resolve(steps.push('complete')),
    fail: async (id: string, error: string) => await Promise.resolve(steps.push(`fail ${id} ${error}`)),
  }
  const answer = (text: string): number => {
    if (text.includes('now64')) return CLOCK_MS
    if (text.includes('FROM day_cells ')) return cellCount
    if (!text.startsWith('SELECT toInt64(count()) FROM events ')) return 0
    return steps.at(-1) === 'quarantine' ? (remaining.shift() ?? 0) : 2
  }
  const answerRows = (text: string): readonly object[] =>
    text.startsWith('SELECT multiIf(') ? EVENTS_BY_REQUEST : [{ value: answer(text) }]
  const parts: ErasePersonParts = {
    store: {
      run: async (query) => await Promise.resolve(answerRows(render(query.statement).text) as never[]),
      execute: async (statement) => {
        const [, table = ''] = /^INSERT INTO (\w+)/.exec(render(statement).text) ?? []
        await Promise.resolve(steps.push(`insert ${table}`))
      },
      deleteRows: async ({ table, where }) => {
        cutoffs.push(Object.values(render(where).params).includes(CLOCK_MS))
        await Promise.resolve(steps.push(`delete ${table}`))
      },
      listUnfinished: async () => await Promise.resolve([]),
      questionMsMax: 0,
      untilFoldsEnd: async () => await Promise.resolve(void steps.push('folds')),
    },
    deletions: deletions as unknown as DeletionRequests,
    leftovers: {
      untilDelivered: async () => await Promise.resolve(isDelivered),
      erase: async () => await Promise.resolve(steps.push('quarantine')),
    },
    erasers: [{ name: 'devices', erase: async () => await Promise.resolve(void steps.push('devices')) }],
    clock: { nowMs: () => NOW_MS },
    log: createLogger({ role: 'test', level: 'silent' }),
  }
  const handler = createErasePerson(parts, { jobsMax: 10, groupsMax: 1, gatherMs: 0 })
  const context = {
    signal: new AbortController().signal,
    save: async (progress: unknown) => await Promise.resolve(void saved.push(progress)),
  }
  const jobs = [{ of: REQUEST, payload }, ...others].map(({ of, payload }) => jobOf(of, payload))
  const outcomes = await Promise.all(jobs.map(async (job) => await handler.run(job, context)))
  return { outcomes, steps, saved, cutoffs, handler }
}

/** Events of the first and of the second request that run together. */
const EVENTS_BY_REQUEST = [
  { position: 1, count: 2 },
  { position: 2, count: 3 },
]

function jobOf({ id, projectId }: DeletionRequest, payload: object = {}): Job {
  return { id, kind: 'erase-person', projectId, payload: { requestId: id, ...payload }, attempts: 1 }
}

async function runJob(setup: Omit<Setup, 'others'>) {
  const { outcomes, ...rest } = await runJobs(setup)
  return { outcome: outcomes[0], ...rest }
}

describe('the first round of an erasure', () => {
  test('hides the user, counts, calls the other components, deletes, and schedules a search for late rows', async () => {
    const { outcome, steps, saved, cutoffs } = await runJob({})
    expect(cutoffs).toEqual([false])
    expect(steps).toEqual([
      'start',
      'insert profile_deletions',
      'insert erasure_ids',
      'insert erasure_sessions',
      'events 2',
      'devices',
      'delete events',
      'insert day_arrivals',
      'folds',
      'insert sessions',
      'insert users',
      'insert sessions',
      'quarantine',
      'complete',
    ])
    const progress = { requestId: REQUEST.id, round: 0, cutMs: CLOCK_MS, events: 2, isCounted: true }
    expect(saved).toEqual([progress])
    expect(outcome).toEqual({
      next: 'again',
      payload: { ...progress, round: 1, isCounted: false },
      dueMs: NOW_MS + MINUTE_MS,
    })
  })

  test('deletes cells of days from before it, once none can be stored and they are no longer valid', async () => {
    const { steps } = await runJob({ cellCount: 1 })
    const at = steps.indexOf('delete events')
    expect(steps.slice(at, at + 4)).toEqual([
      'delete events',
      'insert day_arrivals',
      'folds',
      'delete day_cells',
    ])
  })

  test('does not repeat the count of an interrupted attempt', async () => {
    const { steps, saved } = await runJob({ payload: { cutMs: 5, events: 7, isCounted: true } })
    expect(saved).toEqual([])
    expect(steps).toContain('events 7')
  })

  test('proceeds when the journal is not delivered in time', async () => {
    const { steps } = await runJob({ isDelivered: false })
    expect(steps.at(-1)).toBe('complete')
  })
})

describe('a later round', () => {
  test('deletes only late rows, without hiding the user, calling the other components or completing again', async () => {
    const { outcome, steps, cutoffs } = await runJob({ payload: { round: 1, cutMs: CLOCK_MS, events: 2 } })
    expect(cutoffs).toEqual([true])
    expect(steps).toEqual([
      'insert erasure_ids',
      'insert erasure_sessions',
      'events 4',
      'delete events',
      'insert day_arrivals',
      'folds',
      'insert sessions',
      'insert users',
      'insert sessions',
      'quarantine',
    ])
    expect(outcome).toMatchObject({ next: 'again', payload: { round: 2, cutMs: CLOCK_MS, events: 4 } })
  })

  test.each([
    [0, MINUTE_MS],
    [1, 10 * MINUTE_MS],
    [2, 60 * MINUTE_MS],
    [3, 24 * 60 * MINUTE_MS],
    [4, 6 * 24 * 60 * MINUTE_MS],
  ])('follows round %i after %i ms', async (round, delayMs) => {
    const { outcome } = await runJob({ payload: { round, cutMs: CLOCK_MS } })
    expect(outcome).toMatchObject({ next: 'again', dueMs: NOW_MS + delayMs })
  })

  test('is the last one when it deletes the recorded ids, too', async () => {
    const { outcome, steps } = await runJob({ payload: { round: 5, cutMs: CLOCK_MS } })
    expect(outcome).toEqual({ next: 'done' })
    expect(steps.slice(-3)).toEqual([
      'delete profile_deletions',
      'delete erasure_sessions',
      'delete erasure_ids',
    ])
  })
})

describe('a sweep', () => {
  test('is repeated while rows remain', async () => {
    const { steps } = await runJob({ left: [1, 1] })
    expect(steps.filter((step) => step === 'delete events')).toHaveLength(3)
    expect(steps.at(-1)).toBe('complete')
  })

  test('fails when rows keep arriving', async () => {
    await expect(runJob({ left: [1, 1, 1, 1, 1] })).rejects.toThrow('keep arriving')
  })
})

describe('people of one project who wait', () => {
  test('are deleted by one statement for each table, and counted and completed one by one', async () => {
    const { outcomes, steps, saved } = await runJobs({ others: [{ of: OTHER }] })
    expect(steps).toEqual([
      ...['start', 'insert profile_deletions', 'start', 'insert profile_deletions'],
      ...['insert erasure_ids', 'insert erasure_ids', 'insert erasure_sessions'],
      ...['events 2', 'events 3', 'devices', 'devices'],
      ...['delete events', 'insert day_arrivals', 'folds'],
      ...['insert sessions', 'insert users', 'insert sessions'],
      ...['quarantine', 'quarantine', 'complete', 'complete'],
    ])
    const common = { round: 0, cutMs: CLOCK_MS, isCounted: true }
    expect(saved).toEqual([
      { ...common, requestId: REQUEST.id, events: 2 },
      { ...common, requestId: OTHER.id, events: 3 },
    ])
    expect(outcomes).toMatchObject([
      { payload: { requestId: REQUEST.id, round: 1, events: 2 } },
      { payload: { requestId: OTHER.id, round: 1, events: 3 } },
    ])
  })

  test('are not counted again when an attempt was interrupted', async () => {
    const payload = { cutMs: 5, events: 7, isCounted: true }
    const { steps } = await runJobs({
      payload,
      others: [{ of: OTHER, payload: { ...payload, isCounted: false } }],
    })
    expect(steps).toContain('events 7')
    expect(steps).toContain('events 10')
  })

  test.each([
    ['of another project', { of: ELSEWHERE }],
    ['in another round', { of: OTHER, payload: { round: 1, cutMs: CLOCK_MS } }],
    ['with another cut', { of: OTHER, payload: { cutMs: 5 } }],
  ])('are not erased together with one %s', async (_, other) => {
    const { steps } = await runJobs({ others: [other] })
    expect(steps.filter((step) => step === 'delete events')).toHaveLength(2)
  })
})

test('a job whose request no longer exists is done', async () => {
  expect((await runJob({ request: undefined })).outcome).toEqual({ next: 'done' })
})

test('a job without attempts left marks its request as failed', async () => {
  const { handler, steps } = await runJob({})
  await handler.giveUp(jobOf(REQUEST), 'no disk')
  expect(steps.at(-1)).toBe(`fail ${REQUEST.id} no disk`)
})

test('events are deleted first and the names of users last, so that the user stays hidden', () => {
  expect(ERASED_TABLES[0]).toBe('events')
  expect(ERASED_TABLES.slice(-2)).toEqual(['identity_claims', 'profiles'])
})
