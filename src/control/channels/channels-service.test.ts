import type { Client } from '@connectrpc/connect'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clientOf, type Refusal, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { type HttpDouble, startHttpDouble } from '../../../test/harness/http-double.ts'
import { LOOPBACK, rangesOf } from '../../../test/harness/loopback.ts'
import {
  type Channel,
  ChannelsService,
  DeliveryState,
  DisabledReason,
} from '../../contract/gen/millrace/alerts/v1/channels_service_pb.js'
import { asCustomerId, asOrganisationId, type ProjectId } from '../../contract/ids.ts'
import { Outbound } from '../../kernel/outbound/outbound.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { Channels } from './channels.ts'
import { createChannelsService } from './channels-service.ts'
import { Deliveries } from './deliveries.ts'

const NOT_FOUND: Refusal = ['NotFound', 'CHANNEL_NOT_FOUND']
const INVALID: Refusal = ['InvalidArgument', 'INVALID_REQUEST']
const PATH = '/services/T0000/B0000/a-secret-of-the-webhook'

describeCatalog('channels', (under) => {
  let nowMs: number
  let double: HttpDouble
  let outbound: Outbound
  let ours: Client<typeof ChannelsService>
  let theirs: Client<typeof ChannelsService>

  beforeEach(async () => {
    nowMs = Date.parse('2026-06-01T10:00:00Z')
    double = await startHttpDouble(() => ({ status: 200 }))
    outbound = LOOPBACK
    ours = connect(await addProject('Ours'))
    theirs = connect(await addProject('Theirs'))
  })

  afterEach(async () => await double.stop())

  async function addProject(displayName: string): Promise<ProjectId> {
    const organisationId = asOrganisationId(displayName)
    await under.catalog
      .insertInto('organisations')
      .values({ id: organisationId, display_name: displayName, created_ms: 1 })
      .execute()
    return await insertProject(under.catalog, { nowMs: () => nowMs }, { organisationId, displayName })
  }

  function connect(projectId: ProjectId): Client<typeof ChannelsService> {
    const { catalog } = under
    const clock = { nowMs: () => nowMs }
    const sealer = new Sealer(Buffer.alloc(32, 1))
    const methods = createChannelsService({
      channels: new Channels({ catalog, clock, sealer }),
      deliveries: new Deliveries({ catalog, sealer }),
      clock,
      get outbound() {
        return outbound
      },
      chooseSender: async () => {
        throw new Error('there is no mail in these tests')
      },
      publicUrl: 'https://millrace.example.com',
    })
    const project = { projectId, organisationId: asOrganisationId('o'), role: 'admin' as const }
    return clientOf(ChannelsService, methods, { customerId: asCustomerId('a'), project })
  }

  const slack = (url = `${double.url}${PATH}`) => ({ case: 'slack' as const, value: { url } })
  const webhook = (url = `${double.url}${PATH}`) => ({ case: 'webhook' as const, value: { url } })
  const mail = (...addresses: string[]) => ({ case: 'mail' as const, value: { addresses } })
  const channelOf = ({ channel }: { readonly channel?: Channel | undefined }): Channel => {
    if (!channel) throw new Error('the answer has no channel')
    return channel
  }

  test('a channel is stored sealed and read without its secrets', async () => {
    const created = await ours.create({ name: 'Team', target: slack() })
    expect(created.signingSecret).toBe('')
    const { id } = channelOf(created)
    const read = channelOf(await ours.get({ id }))
    expect(read).toMatchObject({
      name: 'Team',
      enabled: true,
      disabledReason: DisabledReason.UNSPECIFIED,
      target: { case: 'slack', value: { url: '', maskedUrl: `${double.url}/…hook` } },
    })
    const rows = await under.catalog.selectFrom('channels').selectAll().execute()
    expect(JSON.stringify(rows)).not.toMatch(/T0000|secret-of/)
  })

  test('the signing secret is shown once, and once more when it is replaced', async () => {
    const created = await ours.create({ name: 'Hook', target: webhook() })
    expect(created.signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { id } = channelOf(created)
    const kept = await ours.update({ id, name: 'Hook 2', enabled: true })
    expect([kept.signingSecret, channelOf(kept).name]).toEqual(['', 'Hook 2'])
    await ours.test({ id })
    const rotated = await ours.update({ id, name: 'Hook 2', enabled: true, rotateSigningSecret: true })
    expect(rotated.signingSecret).not.toBe(created.signingSecret)
    await ours.test({ id })
    nowMs += 24 * 3_600_000
    await ours.test({ id })
    const signatures = double.requests.map(
      ({ headers }) => String(headers['webhook-signature']).split(' ').length,
    )
    expect(signatures).toEqual([1, 2, 1])
    expect(double.requests.map(({ path }) => path)).toEqual([PATH, PATH, PATH])
  })

  test('an update without a destination keeps it, and none changes its kind', async () => {
    const { id } = channelOf(await ours.create({ name: 'Team', target: mail('a@example.org') }))
    const kept = channelOf(await ours.update({ id, name: 'Team', enabled: false }))
    expect(kept).toMatchObject({ enabled: false, target: mail('a@example.org') })
    const changed = channelOf(
      await ours.update({ id, name: 'Team', enabled: true, target: mail('b@example.org') }),
    )
    expect(changed.target).toMatchObject(mail('b@example.org'))
    for (const wrong of [{ target: slack() }, { rotateSigningSecret: true }])
      expect(await refusalOf(ours.update({ id, name: 'Team', enabled: true, ...wrong }))).toEqual(INVALID)
  })

  test.each([
    ['no URL', { case: 'slack' as const, value: { url: '' } }],
    ['another scheme', { case: 'webhook' as const, value: { url: 'ftp://example.com/' } }],
    ['credentials in the URL', { case: 'webhook' as const, value: { url: 'https://a:b@example.com/' } }],
    ['a name for an address', { case: 'mail' as const, value: { addresses: ['Ada <ada@example.org>'] } }],
    [
      'one address twice',
      { case: 'mail' as const, value: { addresses: ['a@example.org', 'a@example.org'] } },
    ],
    [
      'several addresses in one',
      { case: 'mail' as const, value: { addresses: ['a@example.org,b@example.org'] } },
    ],
  ])('%s is rejected', async (_, target) => {
    expect(await refusalOf(ours.create({ name: 'x', target }))).toEqual(INVALID)
  })

  test('a test reports the outcome, is listed, and does not count as a failure', async () => {
    const { id } = channelOf(await ours.create({ name: 'Hook', target: webhook() }))
    const passed = await ours.test({ id })
    expect(passed.deliveries).toMatchObject([
      { type: 'channel.test', state: DeliveryState.DELIVERED, status: 200, attempts: 1, error: '' },
    ])
    outbound = new Outbound({ allowed: rangesOf('none') })
    nowMs += 1000
    const failed = await ours.test({ id })
    expect(failed.deliveries).toMatchObject([
      { state: DeliveryState.FAILED, status: 0, error: expect.stringContaining('no public address') },
    ])
    const listed = await ours.listDeliveries({ channelId: id })
    expect(listed.deliveries.map(({ state }) => state)).toEqual([
      DeliveryState.FAILED,
      DeliveryState.DELIVERED,
    ])
    expect(channelOf(await ours.get({ id })).failingSince).toBeUndefined()
  })

  test('deliveries have pages', async () => {
    const { id: channelId } = channelOf(await ours.create({ name: 'Hook', target: webhook() }))
    for (let count = 0; count < 5; count++) await ours.test({ id: channelId })
    const ids: string[] = []
    let pageToken = ''
    do {
      const page = await ours.listDeliveries({ channelId, pageSize: 2, pageToken })
      ids.push(...page.deliveries.map(({ id }) => id))
      pageToken = page.nextPageToken
    } while (pageToken !== '')
    expect(new Set(ids).size).toBe(5)
    expect(ids).toHaveLength(5)
    const wrong = ours.listDeliveries({ channelId, pageToken: 'x' })
    expect(await refusalOf(wrong)).toEqual(['InvalidArgument', 'INVALID_PAGE_TOKEN'])
  })

  test('channels of another project are not found', async () => {
    const { id } = channelOf(await ours.create({ name: 'Hook', target: webhook() }))
    const calls = [
      theirs.get({ id }),
      theirs.update({ id, name: 'x', enabled: true }),
      theirs.delete({ id }),
      theirs.test({ id }),
      theirs.listDeliveries({ channelId: id }),
      ours.get({ id: "' OR 1=1" }),
    ]
    expect(await Promise.all(calls.map(refusalOf))).toEqual(calls.map(() => NOT_FOUND))
    expect((await theirs.list({})).channels).toEqual([])
    await ours.delete({ id })
    expect(await refusalOf(ours.get({ id }))).toEqual(NOT_FOUND)
  })

  test('a project has at most 50', async () => {
    for (let count = 0; count < 50; count++)
      await ours.create({ name: `c${count}`, target: mail('a@example.org') })
    const last = ours.create({ name: 'one more', target: mail('a@example.org') })
    expect(await refusalOf(last)).toEqual(['FailedPrecondition', 'LIMIT_REACHED'])
    expect((await ours.list({})).channels).toHaveLength(50)
  })
})
