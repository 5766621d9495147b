import { beforeEach, expect, test } from 'vitest'
import { addCustomer, clientOf, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { RetentionService } from '../../contract/gen/millrace/projects/v1/retention_service_pb.js'
import type { CustomerId, OrganisationId, ProjectId } from '../../contract/ids.ts'
import { createLogger } from '../../kernel/log.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { createOrganisation } from '../organisations/organisations.ts'
import { createExpireEvents, createExpireProject, type DeleteExpired, EXPIRE_PROJECT } from './retention.ts'
import { createRetentionService } from './retention-service.ts'

const NOW_MS = Date.parse('2026-05-31T12:34:56Z')

describeCatalog('the retention of a project', (under) => {
  let nowMs: number
  const clock = { nowMs: () => nowMs }
  const log = createLogger({ role: 'test', level: 'silent' })
  let organisationId: OrganisationId
  let shop: ProjectId
  let blog: ProjectId
  let ada: CustomerId
  /** Events of the project from before the instant that was asked for last. */
  let older: number
  let askedMs: number[]
  let serviceRetentionDays: number
  let deleted: string[]

  beforeEach(async () => {
    nowMs = NOW_MS
    older = 0
    askedMs = []
    serviceRetentionDays = 0
    deleted = []
    ada = await addCustomer(under.catalog, 'ada@example.org')
    organisationId = (await createOrganisation(under.catalog, clock, { customerId: ada, displayName: 'Org' }))
      .id
    shop = await insertProject(under.catalog, clock, { organisationId, displayName: 'Shop' })
    blog = await insertProject(under.catalog, clock, { organisationId, displayName: 'Blog' })
  })

  const client = () =>
    clientOf(
      RetentionService,
      createRetentionService({
        ...{ catalog: under.catalog, clock, serviceRetentionDays },
        countEvents: async ({ projectId, beforeMs }) => {
          expect(projectId).toBe(shop)
          askedMs.push(beforeMs)
          return older
        },
      }),
      { customerId: ada, project: { projectId: shop, organisationId, role: 'admin' } },
    )

  const deleteExpired: DeleteExpired = async ({ kept }) => {
    deleted.push(...kept.map(({ projectId, day }) => `${projectId} ${day}`))
    return { eventRows: 1, partitionCount: 1 }
  }
  const expireAll = async (): Promise<void> => {
    const run = {
      id: 'x',
      recurringId: 'x',
      projectId: undefined,
      payload: null,
      fromMs: 0,
      toMs: 0,
      timeZone: '',
    }
    const handler = createExpireEvents({ catalog: under.catalog, clock, log, deleteExpired })
    await handler(run, { signal: AbortSignal.timeout(1000) })
  }
  const jobs = async () =>
    await under.catalog.selectFrom('jobs').selectAll().where('kind', '=', EXPIRE_PROJECT).execute()

  test('is that of the service until it is set', async () => {
    serviceRetentionDays = 400
    expect((await client().get({})).retention).toMatchObject({ days: 0, serviceDays: 400 })
    expect((await client().set({ days: 30 })).retention).toMatchObject({ days: 30, serviceDays: 400 })
    expect((await client().get({})).retention).toMatchObject({ days: 30, serviceDays: 400 })
    expect((await client().set({ days: 0 })).retention).toMatchObject({ days: 0, serviceDays: 400 })
  })

  test('is counted from the start of the day in UTC', async () => {
    older = 7
    const preview = await client().preview({ days: 90 })
    expect(preview).toMatchObject({
      expiredEvents: 7n,
      keptFrom: { seconds: BigInt(Date.parse('2026-03-02T00:00:00Z') / 1000) },
    })
    expect(askedMs).toEqual([Date.parse('2026-03-02T00:00:00Z')])
  })

  test('deletes no more events than are confirmed', async () => {
    older = 7
    for (const expiredEvents of [0n, 6n])
      expect(await refusalOf(client().set({ days: 90, expiredEvents }))).toEqual([
        'FailedPrecondition',
        'RETENTION_NOT_CONFIRMED',
      ])
    expect((await client().get({})).retention?.days).toBe(0)
    expect(await jobs()).toEqual([])
    await client().set({ days: 90, expiredEvents: 7n })
    expect(await jobs()).toMatchObject([
      {
        kind: EXPIRE_PROJECT,
        project_id: shop,
        next_ms: expect.toSatisfy((ms) => Number(ms) === NOW_MS + 60_000),
      },
    ])
  })

  test('is at most that of the service', async () => {
    serviceRetentionDays = 400
    expect(await refusalOf(client().set({ days: 401 }))).toEqual(['InvalidArgument', 'INVALID_REQUEST'])
    await client().set({ days: 400 })
    serviceRetentionDays = 0
    await client().set({ days: 36_500 })
  })

  test('deletes nothing when it was taken back before the deletion began', async () => {
    await client().set({ days: 90 })
    await client().set({ days: 0 })
    const [job] = await jobs()
    expect(job).toBeDefined()
    const handler = createExpireProject({ catalog: under.catalog, clock, log, deleteExpired })
    const claimed = { id: 'j', kind: EXPIRE_PROJECT, projectId: shop, payload: null, attempts: 1 }
    const context = { signal: AbortSignal.timeout(1000), save: async () => undefined }
    expect(await handler.run(claimed, context)).toEqual({ next: 'done' })
    expect(deleted).toEqual([])
    await client().set({ days: 90 })
    await handler.run(claimed, context)
    expect(deleted).toEqual([`${shop} 2026-03-02`])
  })

  test('is followed by the weekly run, for the projects that have one', async () => {
    await expireAll()
    expect(deleted).toEqual([])
    await client().set({ days: 90 })
    await under.catalog.updateTable('projects').set({ retention_days: 1 }).where('id', '=', blog).execute()
    await expireAll()
    expect(deleted).toEqual([`${shop} 2026-03-02`, `${blog} 2026-05-30`])
    nowMs += 7 * 86_400_000
    deleted = []
    await expireAll()
    expect(deleted).toEqual([`${shop} 2026-03-09`, `${blog} 2026-06-06`])
  })

  test('of a hundred years deletes nothing', async () => {
    await client().set({ days: 36_500 })
    await expireAll()
    expect(deleted).toEqual([])
  })
})
