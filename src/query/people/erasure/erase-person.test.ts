import { describe, expect, test } from 'vitest'
import { asProjectId } from '../../../contract/ids.ts'
import type { JobOutcome } from '../../../jobs/job-handler.ts'
import { createLogger } from '../../../kernel/log.ts'
import { render } from '../../sql/sql.ts'
import type { DeletionRequest, DeletionRequests } from './deletion-requests.ts'
import { createErasePerson } from './erase-person.ts'
import { ERASED_TABLES } from './erased-rows.ts'

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

const NOW_MS = 1_000_000
const CLOCK_MS = 900_000
const MINUTE_MS = 60_000

interface Setup {
  readonly payload?: object
  readonly request?: DeletionRequest | undefined
  /** Rows that each sweep leaves in `events`, then none. */
  readonly left?: readonly number[]
  readonly isDelivered?: boolean
  /** Cells of days from before the erasure. */
  readonly cellCount?: number
}

/** One attempt of the job against fakes; steps are recorded in order. */
async function runJob({ payload = {}, left = [], isDelivered = true, cellCount = 0, ...setup }: Setup) {
  const steps: string[] = []
  const saved: unknown[] = []
  /** Whether each deletion spares rows from after the erasure. */
  const cutoffs: boolean[] = []
  const remaining = [...left]
  const request = 'request' in setup ? setup.request : REQUEST
  const deletions: Partial<Record<keyof DeletionRequests, unknown>> = {
    read: async () => await Promise.resolve(request),
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
  const handler = createErasePerson({
    store: {
      run: async (query) =>
        await Promise.resolve([{ value: answer(render(query.statement).text) }] as never[]),
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
  })
  const job = {
    id: '1',
    kind: 'erase-person',
    projectId: REQUEST.projectId,
    payload: { requestId: REQUEST.id, ...payload },
    attempts: 1,
  }
  const context = {
    signal: new AbortController().signal,
    save: async (progress: unknown) => await Promise.resolve(void saved.push(progress)),
  }
  const outcome: JobOutcome = await handler.run(job, context)
  return { outcome, steps, saved, cutoffs, handler, job }
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

test('a job whose request no longer exists is done', async () => {
  expect((await runJob({ request: undefined })).outcome).toEqual({ next: 'done' })
})

test('a job without attempts left marks its request as failed', async () => {
  const { handler, job, steps } = await runJob({})
  await handler.giveUp(job, 'no disk')
  expect(steps.at(-1)).toBe(`fail ${REQUEST.id} no disk`)
})

test('events are deleted first and the names of users last, so that the user stays hidden', () => {
  expect(ERASED_TABLES[0]).toBe('events')
  expect(ERASED_TABLES.slice(-2)).toEqual(['identity_claims', 'profiles'])
})
