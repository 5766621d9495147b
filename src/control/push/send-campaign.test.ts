import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { LOOPBACK } from '../../../test/harness/loopback.ts'
import {
  googleError,
  type PushService,
  type RefuseMessage,
  startPushService,
} from '../../../test/harness/push-service.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import type { ProjectId } from '../../contract/ids.ts'
import type { JobHandler } from '../../jobs/job-handler.ts'
import { JobRunner } from '../../jobs/job-runner.ts'
import { createLogger } from '../../kernel/log.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import type { Delivery } from '../../store/clickhouse/deliveries.ts'
import { Campaigns, SEND_CAMPAIGN } from '../campaigns/campaigns.ts'
import { Devices, type Platform } from '../devices/devices.ts'
import { parseFcmAccount } from '../projects/fcm-account.ts'
import { CampaignSends } from './campaign-sends.ts'
import { messageIdOf } from './fcm-message.ts'
import { FcmTokens } from './fcm-tokens.ts'
import { createSendCampaign, type SendCampaignParts } from './send-campaign.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')
const PLATFORMS: readonly Platform[] = ['android', 'ios', 'web']
const log = createLogger({ role: 'test', level: 'silent' })

describeCatalog('sending a campaign', (under) => {
  let nowMs: number
  let project: ProjectId
  let refuse: RefuseMessage
  let service: PushService
  let campaigns: Campaigns
  let devices: Devices
  let delivered: Delivery[]
  let parts: SendCampaignParts
  let runner: JobRunner | undefined

  const clock = { nowMs: () => nowMs }

  beforeEach(async () => {
    nowMs = START_MS
    refuse = () => undefined
    service = await startPushService(async (message) => await refuse(message))
    const { catalog } = under
    await catalog.insertInto('organisations').values({ id: 'o', display_name: 'O', created_ms: 1 }).execute()
    project = await insertProject(catalog, clock, { organisationId: 'o', displayName: 'one' })
    campaigns = new Campaigns({ catalog, clock, wakeJobs: () => undefined })
    devices = new Devices({ catalog, clock, sealer: new Sealer(Buffer.alloc(32, 1)), countMax: 10_000 })
    delivered = []
    // The assertions that accounts sign must be good now, by the real clock of the library that checks them.
    const realClock = { nowMs: () => performance.timeOrigin + performance.now() }
    parts = {
      campaigns,
      devices,
      sends: new CampaignSends({ catalog, clock, devices }),
      fcm: {
        url: service.url,
        tokens: new FcmTokens({ clock: realClock, fcmUrl: service.url, outbound: LOOPBACK }),
        clock,
        retry: { firstMs: 1, maxMs: 2 },
      },
      readAccount: async () => parseFcmAccount(service.account),
      recordDeliveries: async (deliveries) => {
        delivered.push(...deliveries)
      },
      clock,
      log,
    }
  })

  afterEach(async () => {
    await runner?.stop()
    runner = undefined
    await service.stop()
  })

  function startRunner(handler: JobHandler = createSendCampaign(parts)): JobRunner {
    runner = new JobRunner({
      catalog: under.catalog,
      clock,
      log,
      handlers: { [SEND_CAMPAIGN]: handler },
      tuning: { pollMs: 5, attemptsMax: 3, retry: { firstMs: 100, maxMs: 1000 } },
    })
    runner.start()
    return runner
  }

  const addDevices = async (count: number, in_ = project): Promise<readonly string[]> => {
    const ids = Array.from({ length: count }, (_, index) => `d${String(index).padStart(4, '0')}`)
    for (const [index, deviceId] of ids.entries()) {
      const platform = PLATFORMS[index % 3] ?? 'web'
      const device = { projectId: in_, deviceId, platform, token: `token of ${deviceId}` }
      await devices.register({ ...device, owner: undefined, properties: '{}' })
    }
    return ids
  }
  const create = async (scheduledMs = nowMs) =>
    await campaigns.create(project, { name: 'Spring', notification: '{"title":"Hello"}', scheduledMs })
  const untilOver = async (id: string) =>
    await waitFor('the end of the campaign', async () => {
      const campaign = await campaigns.read({ projectId: project, id })
      return campaign.status === 'complete' || campaign.status === 'fail' ? campaign : undefined
    })
  const pushedTo = (): readonly string[] => service.taken.map(({ token }) => token.slice(9)).sort()
  const jobRow = async () => await under.catalog.selectFrom('jobs').selectAll().executeTakeFirst()
  const activeCount = async () =>
    (await devices.listActive({ projectId: project, deviceId: '' }, 5000)).length

  test('it starts at its time and is sent to each active device of the project', async () => {
    const other = await insertProject(under.catalog, clock, { organisationId: 'o', displayName: 'two' })
    await addDevices(2, other)
    const ids = await addDevices(4)
    await devices.setStatus({ projectId: project, deviceId: 'd0003' }, 'inactive')
    const { id } = await create(START_MS + 1000)
    startRunner()
    nowMs += 999
    expect((await campaigns.read({ projectId: project, id })).status).toBe('scheduled')
    expect(service.taken).toEqual([])
    nowMs += 1
    expect(await untilOver(id)).toMatchObject({
      status: 'complete',
      startMs: START_MS + 1000,
      endMs: START_MS + 1000,
    })
    expect(pushedTo()).toEqual(ids.slice(0, 3))
    expect(service.taken[0]).toMatchObject({ notification: { title: 'Hello' }, data: { campaign_id: id } })
    expect(delivered.map(({ deviceId, platform, type }) => [deviceId, platform, type]).sort()).toEqual([
      ['d0000', 'android', 'sent'],
      ['d0001', 'ios', 'sent'],
      ['d0002', 'web', 'sent'],
    ])
    expect(delivered[0]).toMatchObject({ projectId: project, campaignId: id, timeMs: START_MS + 1000 })
    await waitFor('no job', async () => ((await jobRow()) === undefined ? true : undefined))
    expect(await under.catalog.selectFrom('campaign_sends').selectAll().execute()).toEqual([])
  })

  test('a campaign to many devices is sent in pages, once to each', async () => {
    const ids = await addDevices(110)
    const { id } = await create()
    startRunner(createSendCampaign({ ...parts, pageDevices: 50 }))
    expect((await untilOver(id)).status).toBe('complete')
    expect(pushedTo()).toEqual(ids)
    expect(service.tokens).toHaveLength(1)
    expect(delivered).toHaveLength(110)
  })

  test('a campaign without recipients is complete', async () => {
    const { id } = await create()
    startRunner()
    expect((await untilOver(id)).status).toBe('complete')
  })

  test('an unregistered token deactivates its device; a rejected message does not', async () => {
    await addDevices(3)
    refuse = ({ token }) => {
      if (token.endsWith('d0000')) return googleError(404, 'UNREGISTERED')
      return token.endsWith('d0001') ? googleError(400, 'INVALID_ARGUMENT') : undefined
    }
    const { id } = await create()
    startRunner()
    expect((await untilOver(id)).status).toBe('complete')
    expect(await activeCount()).toBe(2)
    expect(delivered.map(({ deviceId, type, metadata }) => [deviceId, type, metadata]).sort()).toEqual([
      ['d0000', 'failed', { reason: 'unregistered' }],
      ['d0001', 'failed', { reason: 'refused' }],
      ['d0002', 'sent', {}],
    ])
  })

  test('a campaign that reached no device has failed', async () => {
    await addDevices(2)
    refuse = () => googleError(400, 'INVALID_ARGUMENT')
    const { id } = await create()
    startRunner()
    expect((await untilOver(id)).status).toBe('fail')
  })

  test('without an accepted service account the campaign fails immediately and the devices stay active', async () => {
    await addDevices(2)
    const without = await create()
    startRunner(createSendCampaign({ ...parts, readAccount: async () => undefined }))
    expect(await untilOver(without.id)).toMatchObject({ status: 'fail', startMs: START_MS, endMs: START_MS })
    await runner?.stop()
    refuse = () => googleError(403, 'PERMISSION_DENIED')
    const refused = await create()
    startRunner()
    expect((await untilOver(refused.id)).status).toBe('fail')
    expect(await activeCount()).toBe(2)
  })

  test('an unavailable service is retried; no device receives the message twice', async () => {
    await addDevices(70)
    const isLate = (token: string): boolean => token.endsWith('d0065') || token.endsWith('d0010')
    refuse = ({ token }) => (isLate(token) ? googleError(503, 'UNAVAILABLE') : undefined)
    const { id } = await create()
    startRunner()
    const waiting = await waitFor('a failure', async () => {
      const row = await jobRow()
      return row?.attempts === 1 && row.state === 'waiting' ? row : undefined
    })
    expect(pushedTo()).toHaveLength(63)
    refuse = () => undefined
    nowMs = Number(waiting.next_ms)
    expect((await untilOver(id)).status).toBe('complete')
    expect(pushedTo()).toHaveLength(70)
    expect(new Set(pushedTo()).size).toBe(70)
    expect(delivered).toHaveLength(70)
  })

  test('a service that stays unavailable fails the campaign', async () => {
    await addDevices(1)
    refuse = () => googleError(503, 'UNAVAILABLE')
    const { id } = await create()
    startRunner()
    for (const attempts of [1, 2]) {
      const row = await waitFor('a failure', async () => {
        const found = await jobRow()
        return found?.attempts === attempts && found.state === 'waiting' ? found : undefined
      })
      nowMs = Number(row.next_ms)
    }
    expect((await untilOver(id)).status).toBe('fail')
  })

  test('a long requested delay is respected', async () => {
    await addDevices(1)
    refuse = () => googleError(429, 'QUOTA_EXCEEDED', { 'retry-after': '600' })
    const { id } = await create()
    startRunner()
    const row = await waitFor('the pause', async () => {
      const found = await jobRow()
      return found?.state === 'waiting' && Number(found.next_ms) > nowMs ? found : undefined
    })
    expect([Number(row.next_ms), row.attempts]).toEqual([START_MS + 600_000, 0])
    refuse = () => undefined
    nowMs += 600_000
    expect((await untilOver(id)).status).toBe('complete')
  })

  test('after a day of postponements the campaign fails', async () => {
    await addDevices(1)
    const { id } = await create()
    await campaigns.start({ id, revision: 1 })
    nowMs += 24 * 3_600_000 + 1
    startRunner()
    expect((await untilOver(id)).status).toBe('fail')
    expect(service.taken).toEqual([])
  })

  test('after a stop during a page only messages without an answer are repeated', async () => {
    const ids = await addDevices(100)
    refuse = async ({ token }) =>
      token.endsWith('d0064') ? await new Promise<undefined>(() => undefined) : undefined
    const { id } = await create()
    const first = startRunner()
    await waitFor('all but one', () => (service.taken.length === 99 ? true : undefined))
    await first.stop()
    refuse = () => undefined
    const taken = service.taken.length
    startRunner()
    expect((await untilOver(id)).status).toBe('complete')
    const again = service.taken.slice(taken).map(({ token }) => token.slice(9))
    // An answer that was in flight when the process stopped is lost.
    expect(again).toContain('d0064')
    expect(again.filter((deviceId) => deviceId < 'd0064')).toEqual([])
    expect([...new Set(pushedTo())]).toEqual(ids)
  })

  test('after a crash between two pages, no page is repeated', async () => {
    const ids = await addDevices(60)
    const { id } = await create()
    let count = 0
    class Crashing extends CampaignSends {
      override async clear(campaignId: string): Promise<void> {
        await super.clear(campaignId)
        if (++count === 1) throw new Error('gone')
      }
    }
    const sends = new Crashing({ catalog: under.catalog, clock, devices })
    startRunner(createSendCampaign({ ...parts, sends, pageDevices: 50 }))
    const row = await waitFor('the crash', async () => {
      const found = await jobRow()
      return found?.attempts === 1 && found.state === 'waiting' ? found : undefined
    })
    nowMs = Number(row.next_ms)
    expect((await untilOver(id)).status).toBe('complete')
    expect(pushedTo()).toEqual(ids)
  })

  test('after a crash only messages without a recorded outcome are repeated', async () => {
    const ids = await addDevices(100)
    const { id } = await create()
    let crash: (error: Error) => void = () => undefined
    const crashed = new Promise<never>((_, reject) => {
      crash = reject
    })
    class Crashing extends CampaignSends {
      override async settle(...args: Parameters<CampaignSends['settle']>): Promise<void> {
        if (args[1].some(({ target }) => target.deviceId === 'd0064')) await crashed
        await super.settle(...args)
      }
    }
    const sends = new Crashing({ catalog: under.catalog, clock, devices })
    const dying = startRunner(createSendCampaign({ ...parts, sends }))
    await waitFor('all messages', () => (service.taken.length === 100 ? true : undefined))
    // Its claim ends, and another process finds the job.
    nowMs += 3_600_000
    startRunner()
    expect((await untilOver(id)).status).toBe('complete')
    crash(new Error('gone'))
    await dying.stop()
    const again = service.taken.slice(100).map(({ token }) => token.slice(9))
    expect(again.sort()).toEqual(ids.slice(64))
    expect(delivered).toHaveLength(100)
  })

  test('deliveries that cannot be recorded are recorded later, without sending again', async () => {
    await addDevices(3)
    let isDown = true
    const recordDeliveries: SendCampaignParts['recordDeliveries'] = async (deliveries, signal) => {
      if (isDown) throw new Error('the store is down')
      await parts.recordDeliveries(deliveries, signal)
    }
    const { id } = await create()
    startRunner(createSendCampaign({ ...parts, recordDeliveries }))
    const row = await waitFor('a failure', async () => {
      const found = await jobRow()
      return found?.attempts === 1 && found.state === 'waiting' ? found : undefined
    })
    isDown = false
    nowMs = Number(row.next_ms)
    expect((await untilOver(id)).status).toBe('complete')
    expect(service.taken).toHaveLength(3)
    expect(delivered.map(({ messageId }) => messageId).sort()).toEqual(
      ['d0000', 'd0001', 'd0002'].map((deviceId) => messageIdOf({ campaignId: id, deviceId })).sort(),
    )
  })

  test('a campaign that is deleted while it is sent stops after the current page', async () => {
    await addDevices(150)
    const { id } = await create()
    let isDeleted = false
    refuse = async () => {
      if (isDeleted) return undefined
      isDeleted = true
      await campaigns.remove({ projectId: project, id })
      return undefined
    }
    startRunner()
    await waitFor('no job', async () => {
      const row = await jobRow()
      if (row?.state === 'waiting') nowMs = Math.max(nowMs, Number(row.next_ms))
      return row === undefined ? true : undefined
    })
    expect(service.taken.length).toBeLessThanOrEqual(64)
  })
})
