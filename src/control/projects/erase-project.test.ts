import { beforeEach, expect, test } from 'vitest'
import { addCustomer } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import type { ProjectId } from '../../contract/ids.ts'
import { JobRunner } from '../../jobs/job-runner.ts'
import { createLogger } from '../../kernel/log.ts'
import { createOrganisation } from '../organisations/organisations.ts'
import { deleteProject, ERASE_PROJECT } from './delete-project.ts'
import { createEraseProject, type EraseStep } from './erase-project.ts'
import { createProject } from './projects.ts'

const START_MS = 1_000_000
const MINUTE_MS = 60_000
const log = createLogger({ role: 'test', level: 'silent' })

describeCatalog('erasure of projects', (under) => {
  let nowMs: number
  let waits: number
  let projectId: ProjectId
  const clock = { nowMs: () => nowMs }

  beforeEach(async () => {
    nowMs = START_MS
    waits = 0
    const customerId = await addCustomer(under.catalog, 'ada@example.org')
    const { id } = await createOrganisation(under.catalog, clock, { customerId, displayName: 'Org' })
    const project = { organisationId: id, customerId, displayName: 'Shop', reportingTimezone: '' }
    projectId = (await createProject(under.catalog, clock, project)).id
  })

  const jobRows = async () => await under.catalog.selectFrom('jobs').selectAll().orderBy('next_ms').execute()

  /** Runs jobs with these steps while `until` is not met. */
  const runJobs = async (
    steps: readonly EraseStep[],
    until: () => Promise<true | undefined>,
  ): Promise<void> => {
    const handler = createEraseProject({
      catalog: under.catalog,
      clock,
      log,
      steps,
      untilDelivered: async () => {
        waits++
      },
    })
    const runner = new JobRunner({
      catalog: under.catalog,
      clock,
      log,
      handlers: { [ERASE_PROJECT]: handler },
      tuning: { pollMs: 5, attemptsMax: 2, retry: { firstMs: 1, maxMs: 1 } },
    })
    runner.start()
    try {
      await waitFor('the jobs', until)
    } finally {
      await runner.stop()
    }
  }

  test('every store is erased ten seconds after the deletion, and again until a week has passed', async () => {
    const emptied: string[] = []
    const step = (name: string): EraseStep => {
      return async (erasure) => {
        emptied.push(`${name} ${erasure.projectId === projectId} ${nowMs - START_MS}`)
      }
    }
    await deleteProject(under.catalog, clock, projectId)
    const due: number[] = []
    await runJobs([step('rows'), step('files')], async () => {
      const [job] = await jobRows()
      if (job === undefined) return true
      if (job.state === 'waiting' && job.next_ms > nowMs) {
        due.push(job.next_ms - nowMs)
        nowMs = job.next_ms
      }
      return undefined
    })
    const hourMs = 60 * MINUTE_MS
    expect(due).toEqual([10_000, MINUTE_MS, 10 * MINUTE_MS, hourMs, 24 * hourMs, 144 * hourMs])
    expect(emptied.slice(0, 2)).toEqual(['rows true 10000', 'files true 10000'])
    expect(emptied).toHaveLength(12)
    expect(waits).toBe(1)
  })

  test('a failed erasure restarts an hour later', async () => {
    await deleteProject(under.catalog, clock, projectId)
    nowMs += 10_000
    const failing: EraseStep = async () => {
      throw new Error('the store is gone')
    }
    await runJobs([failing], async () => {
      nowMs++
      return (await jobRows()).some(({ state }) => state === 'failed') ? true : undefined
    })
    const rows = await jobRows()
    const failed = rows.find(({ state }) => state === 'failed')
    const again = rows.find(({ state }) => state !== 'failed')
    expect(failed).toMatchObject({ state: 'failed', error: 'the store is gone' })
    expect(again).toMatchObject({ kind: ERASE_PROJECT, project_id: projectId, state: 'waiting' })
    expect(Number(again?.next_ms) - Number(again?.created_ms)).toBe(60 * MINUTE_MS)
  })

  test('an existing project is not erased', async () => {
    let isErased = false
    await under.catalog
      .insertInto('jobs')
      .values({
        ...{ id: 'stray', kind: ERASE_PROJECT, project_id: projectId, payload: '{"round":0}' },
        ...{ state: 'waiting', attempts: 0, next_ms: 0, holder: '', error: '', created_ms: 0 },
      })
      .execute()
    const step: EraseStep = async () => {
      isErased = true
    }
    await runJobs([step], async () => ((await jobRows()).length === 0 ? true : undefined))
    expect(isErased).toBe(false)
  })
})
