import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { beforeEach, expect, test } from 'vitest'
import { clientOf, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { CampaignService } from '../../contract/gen/shared/campaigns/v1/campaign_service_pb.js'
import { asCustomerId, asOrganisationId, type ProjectId } from '../../contract/ids.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { Campaigns, SEND_CAMPAIGN } from './campaigns.ts'
import { createCampaignsService } from './campaigns-service.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')
const HOUR_MS = 3_600_000
const LATER = timestampFromMs(START_MS + HOUR_MS)
const HELLO = new TextEncoder().encode('{"title":"Hello"}')
const NOT_FOUND = ['NotFound', 'CAMPAIGN_NOT_FOUND']
const NOT_SCHEDULED = ['FailedPrecondition', 'CAMPAIGN_NOT_SCHEDULED']

describeCatalog('campaigns', (under) => {
  let nowMs: number
  let wakeCount: number
  let campaigns: Campaigns
  let project: ProjectId
  let other: ProjectId

  const clock = { nowMs: () => nowMs }
  const organisationId = asOrganisationId('o')
  const inProject = (projectId: ProjectId) =>
    clientOf(CampaignService, createCampaignsService({ campaigns, clock }), {
      customerId: asCustomerId('c'),
      project: { projectId, organisationId, role: 'member' },
    })

  beforeEach(async () => {
    nowMs = START_MS
    wakeCount = 0
    const { catalog } = under
    const organisation = { id: organisationId, display_name: 'O', created_ms: 1 }
    await catalog.insertInto('organisations').values(organisation).execute()
    project = await insertProject(catalog, clock, { organisationId, displayName: 'one' })
    other = await insertProject(catalog, clock, { organisationId, displayName: 'two' })
    campaigns = new Campaigns({
      catalog,
      clock,
      wakeJobs: () => {
        wakeCount++
      },
    })
  })

  const create = async (fields: object = {}) => {
    const request = { name: 'Spring', notificationData: HELLO, scheduledTime: LATER, ...fields }
    const { campaign } = await inProject(project).create(request)
    if (!campaign) throw new Error('no campaign')
    return campaign
  }
  const jobs = async () => {
    const rows = await under.catalog.selectFrom('jobs').selectAll().orderBy('next_ms').execute()
    return rows.map(({ kind, next_ms, payload }) => ({
      kind,
      dueMs: Number(next_ms),
      ...JSON.parse(payload),
    }))
  }

  test('a scheduled campaign has a job that is due at its time', async () => {
    const created = await create()
    expect(created).toMatchObject({
      name: 'Spring',
      projectId: String(project),
      notificationData: HELLO,
      status: 'scheduled',
      scheduledTime: LATER,
      createTime: timestampFromMs(START_MS),
      updateTime: timestampFromMs(START_MS),
    })
    expect(created.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect([created.startTime, created.endTime]).toEqual([undefined, undefined])
    expect(await jobs()).toEqual([
      { kind: SEND_CAMPAIGN, dueMs: START_MS + HOUR_MS, id: created.id, revision: 1 },
    ])
    expect(wakeCount).toBe(1)
  })

  test.each([undefined, timestampFromMs(START_MS - HOUR_MS), timestampFromMs(-1)])(
    'a past or missing time means now: %s',
    async (scheduledTime) => {
      const { campaign } = await inProject(project).create({
        name: 'Now',
        notificationData: HELLO,
        ...(scheduledTime ? { scheduledTime } : {}),
      })
      expect(campaign?.scheduledTime && timestampMs(campaign.scheduledTime)).toBe(START_MS)
      expect(await jobs()).toMatchObject([{ dueMs: START_MS }])
    },
  )

  test('campaigns are read singly and as a list, the latest first, within their project', async () => {
    const first = await create({ name: 'first' })
    nowMs += 1
    const second = await create({ name: 'second' })
    const { campaign } = await inProject(project).get({ id: first.id })
    expect(campaign).toEqual(first)
    const { campaigns: all } = await inProject(project).batchGet({})
    expect(all).toEqual([second, first])
    expect((await inProject(other).batchGet({})).campaigns).toEqual([])
    expect(await refusalOf(inProject(other).get({ id: first.id }))).toEqual(NOT_FOUND)
    expect(await refusalOf(inProject(other).update({ id: first.id, name: 'x' }))).toEqual(NOT_FOUND)
    expect(await refusalOf(inProject(other).delete({ id: first.id }))).toEqual(NOT_FOUND)
    expect(await refusalOf(inProject(project).get({ id: 'unknown' }))).toEqual(NOT_FOUND)
  })

  test('an update changes the given fields, and a new time has its own job', async () => {
    const { id } = await create()
    nowMs += 1000
    const renamed = await inProject(project).update({ id, name: 'Summer' })
    expect(renamed.campaign).toMatchObject({
      name: 'Summer',
      notificationData: HELLO,
      scheduledTime: LATER,
      updateTime: timestampFromMs(nowMs),
    })
    const notificationData = new TextEncoder().encode('{"body":"Bye"}')
    const scheduledTime = timestampFromMs(START_MS + 2000)
    const moved = await inProject(project).update({ id, notificationData, scheduledTime })
    expect(moved.campaign).toMatchObject({ name: 'Summer', notificationData, scheduledTime })
    expect((await inProject(project).get({ id })).campaign).toEqual(moved.campaign)
    expect(await jobs()).toMatchObject([
      { dueMs: START_MS + 2000, revision: 2 },
      { dueMs: START_MS + HOUR_MS, revision: 1 },
    ])
    expect(await campaigns.start({ id, revision: 1 })).toBeUndefined()
    expect(await campaigns.start({ id, revision: 2 })).toMatchObject({ status: 'in-progress' })
  })

  test('the start and end of a campaign are recorded once', async () => {
    const { id } = await create()
    nowMs += HOUR_MS
    await campaigns.start({ id, revision: 1 })
    nowMs += 1000
    expect(await campaigns.start({ id, revision: 1 })).toMatchObject({ startMs: START_MS + HOUR_MS })
    await campaigns.finish(id, 'complete')
    nowMs += 1000
    await campaigns.finish(id, 'fail')
    expect((await inProject(project).get({ id })).campaign).toMatchObject({
      status: 'complete',
      startTime: timestampFromMs(START_MS + HOUR_MS),
      endTime: timestampFromMs(START_MS + HOUR_MS + 1000),
    })
    expect(await campaigns.start({ id, revision: 1 })).toBeUndefined()
  })

  test('a running or finished campaign cannot be changed', async () => {
    const { id } = await create()
    await campaigns.start({ id, revision: 1 })
    expect(await refusalOf(inProject(project).update({ id, name: 'x' }))).toEqual(NOT_SCHEDULED)
    await campaigns.finish(id, 'fail')
    expect(await refusalOf(inProject(project).update({ id, scheduledTime: LATER }))).toEqual(NOT_SCHEDULED)
    expect((await inProject(project).get({ id })).campaign).toMatchObject({ name: 'Spring', status: 'fail' })
  })

  test('concurrent starts and updates lose no change', async () => {
    const { id } = await create()
    const [started, ...refusals] = await Promise.all([
      campaigns.start({ id, revision: 1 }),
      ...['a', 'b'].map((name) => refusalOf(inProject(project).update({ id, name }))),
    ])
    expect(started).toBeDefined()
    const expected = refusals.map(() => expect.toBeOneOf([undefined, NOT_SCHEDULED]))
    expect(refusals).toEqual(expected)
    const { campaign } = await inProject(project).get({ id })
    expect(campaign?.status).toBe('in-progress')
  })

  test('a deleted campaign is not sent', async () => {
    const { id } = await create()
    await inProject(project).delete({ id })
    expect(await refusalOf(inProject(project).get({ id }))).toEqual(NOT_FOUND)
    expect(await refusalOf(inProject(project).delete({ id }))).toEqual(NOT_FOUND)
    expect(await campaigns.start({ id, revision: 1 })).toBeUndefined()
  })

  test('an invalid notification or time is rejected and stores nothing', async () => {
    const refused = ['InvalidArgument', 'INVALID_REQUEST']
    const bad = new TextEncoder().encode('{"title":""}')
    expect(await refusalOf(create({ notificationData: bad }))).toEqual(refused)
    expect(await refusalOf(create({ notificationData: new Uint8Array() }))).toEqual(refused)
    const never = { seconds: 253_402_300_800n, nanos: 0 }
    expect(await refusalOf(create({ scheduledTime: never }))).toEqual(refused)
    expect(await jobs()).toEqual([])
  })

  test('the number of campaigns per project is limited', async () => {
    const row = await under.catalog
      .selectFrom('campaigns')
      .selectAll()
      .where('id', '=', (await create()).id)
      .executeTakeFirstOrThrow()
    const more = Array.from({ length: 1999 }, (_, index) => ({ ...row, id: `c${index}` }))
    for (let start = 0; start < more.length; start += 500) {
      await under.catalog
        .insertInto('campaigns')
        .values(more.slice(start, start + 500))
        .execute()
    }
    expect(await refusalOf(create())).toEqual(['FailedPrecondition', 'LIMIT_REACHED'])
    await inProject(project).delete({ id: 'c0' })
    expect(await refusalOf(create())).toBeUndefined()
  })
})
