import { beforeEach, expect, test } from 'vitest'
import { describeCatalog } from '../../test/harness/describe-catalog.ts'
import { createLogger } from '../kernel/log.ts'
import { claimJob, deleteExpiredFailedJobs, failJob, insertJob } from '../store/catalog/job-store.ts'
import { createFailedJobCleaner } from './failed-job-cleaner.ts'

const DAY_MS = 24 * 3_600_000

describeCatalog('failed jobs', (under) => {
  let nowMs: number
  let clean: () => Promise<void>

  beforeEach(() => {
    nowMs = 1_000 * DAY_MS
    const log = createLogger({ role: 'test', level: 'silent' })
    const cleaner = createFailedJobCleaner({ catalog: under.catalog, clock: { nowMs: () => nowMs }, log })
    const run = {
      id: 'r',
      recurringId: 'r',
      projectId: undefined,
      payload: null,
      fromMs: 0,
      toMs: 0,
      timeZone: 'UTC',
    }
    clean = async () => await cleaner(run, { signal: new AbortController().signal })
  })

  async function addFailed(): Promise<void> {
    const { catalog } = under
    await insertJob(catalog, { kind: 'mail', payload: null, nowMs })
    const claim = await claimJob(catalog, { kinds: ['mail'], nowMs, leaseMs: 1000 })
    if (!claim) throw new Error('no job is due')
    await failJob(catalog, claim, { error: 'no server', nowMs })
  }

  async function kinds(): Promise<string[]> {
    const rows = await under.catalog.selectFrom('jobs').select(['kind', 'state']).execute()
    return rows.map(({ kind, state }) => `${kind} ${state}`).sort()
  }

  test('are kept for 30 days; waiting jobs are kept until they run', async () => {
    await addFailed()
    nowMs += DAY_MS
    await addFailed()
    await insertJob(under.catalog, { kind: 'other', payload: null, nowMs })
    nowMs += 29 * DAY_MS
    await clean()
    expect(await kinds()).toEqual(['mail failed', 'other waiting'])
    nowMs += 365 * DAY_MS
    await clean()
    expect(await kinds()).toEqual(['other waiting'])
  })

  test('are deleted at the end of 30 days and not before', async () => {
    await addFailed()
    expect(await deleteExpiredFailedJobs(under.catalog, nowMs + 30 * DAY_MS - 1)).toBe(0)
    expect(await deleteExpiredFailedJobs(under.catalog, nowMs + 30 * DAY_MS)).toBe(1)
  })
})
