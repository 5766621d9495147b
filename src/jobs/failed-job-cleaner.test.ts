import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeCatalog } from '../../test/harness/describe-catalog.ts'
import { waitFor } from '../../test/harness/wait.ts'
import { createLogger } from '../kernel/log.ts'
import { claimJob, deleteExpiredFailedJobs, failJob, insertJob } from '../store/catalog/job-store.ts'
import { FailedJobCleaner } from './failed-job-cleaner.ts'

const DAY_MS = 24 * 3_600_000

describeCatalog('failed jobs', (under) => {
  let nowMs: number
  let failed: FailedJobCleaner

  beforeEach(() => {
    nowMs = 1_000 * DAY_MS
    const log = createLogger({ role: 'test', level: 'silent' })
    failed = new FailedJobCleaner({
      catalog: under.catalog,
      clock: { nowMs: () => nowMs },
      log,
      intervalMs: 5,
    })
  })

  afterEach(async () => {
    await failed.stop()
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
    failed.start()
    nowMs += 29 * DAY_MS
    await waitFor('one to go', async () => ((await kinds()).length === 2 ? true : undefined))
    expect(await kinds()).toEqual(['mail failed', 'other waiting'])
    nowMs += 365 * DAY_MS
    await waitFor('the other one to go', async () => ((await kinds()).length === 1 ? true : undefined))
    expect(await kinds()).toEqual(['other waiting'])
  })

  test('are deleted at the end of 30 days and not before', async () => {
    await addFailed()
    expect(await deleteExpiredFailedJobs(under.catalog, nowMs + 30 * DAY_MS - 1)).toBe(0)
    expect(await deleteExpiredFailedJobs(under.catalog, nowMs + 30 * DAY_MS)).toBe(1)
  })
})
