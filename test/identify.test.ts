import { isDeepStrictEqual } from 'node:util'
import { createClient } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProfilesSDKService } from '../src/contract/gen/sdk/profiles/v1/profiles_sdk_service_pb.js'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { PUBLIC_KEY, TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const IDENTIFY = 'sdk.profiles.v1.ProfilesSDKService/Identify'
const PROFILES = 'shared.profiles.v1.ProfilesService'
const QUERY = 'shared.insights.v1.InsightsService/Query'

let service: TestService

beforeAll(async () => {
  service = await TestService.start()
})

afterAll(async () => {
  await service.destroy()
})

async function identify(request: object, headers: Record<string, string> = { 'x-api-key': PUBLIC_KEY }) {
  return await service.call(IDENTIFY, request, headers)
}

/** The profile of an external id, once it has the traits. */
async function profileWith(externalId: string, properties: object): Promise<Record<string, unknown>> {
  return await waitFor('the profile', async () => {
    const { status, body } = await service.call(`${PROFILES}/GetByExternalId`, { externalId })
    const profile = body.profile as Record<string, unknown> | undefined
    const isThere = status === 200 && isDeepStrictEqual(profile?.properties, properties)
    return isThere ? profile : undefined
  })
}

describe('Identify', () => {
  test('makes a profile, and later calls change the traits that they name', async () => {
    expect(await identify({ externalId: 'ann', traits: { plan: 'free', seats: 1 } })).toMatchObject({
      status: 200,
      body: {},
    })
    await identify({ externalId: 'ann', traits: { plan: 'pro', gone: null } })
    const profile = await profileWith('ann', { gone: null, plan: 'pro', seats: 1 })
    expect(profile).toMatchObject({ externalId: 'ann', projectId: '1' })
    // One INSERT writes traits and times, but they need not be seen from the same moment on.
    await waitFor('both ids to show the same', async () => {
      const byId = await service.call(`${PROFILES}/Get`, { id: profile.id })
      const byExternalId = await service.call(`${PROFILES}/GetByExternalId`, { externalId: 'ann' })
      return byId.status === 200 && isDeepStrictEqual(byId.body, byExternalId.body) ? byId : undefined
    })
    expect(await service.call(`${PROFILES}/Get`, { id: 'ann' })).toMatchObject({ status: 404 })
  })

  test('sets traits once, and removes them everywhere', async () => {
    await identify({
      externalId: 'tia',
      traits: { tier: 'pro', seats: 1 },
      traitsOnce: { landing: '/a', seats: 0 },
    })
    await profileWith('tia', { landing: '/a', seats: 1, tier: 'pro' })
    await identify({
      externalId: 'tia',
      traitsOnce: { landing: '/b', email: 'tia@x.example' },
      removedTraits: ['tier'],
    })
    await profileWith('tia', { email: 'tia@x.example', landing: '/a', seats: 1 })
    const schema = await service.call('shared.insights.v1.InsightsService/GetFilterSchema', {})
    const keys = schema.body.profilePropertyKeys as readonly { readonly name: string }[]
    expect(keys.map(({ name }) => name)).toEqual(expect.arrayContaining(['email', 'landing', 'seats']))
    expect(keys.map(({ name }) => name)).not.toContain('tier')
    const known = Date.parse(String((keys[0] as Record<string, unknown> | undefined)?.lastSeenAt))
    expect(Math.abs(Date.now() - known)).toBeLessThan(60_000)
    const valuesOf = async (propertyKey: string): Promise<unknown> => {
      const request = { propertyKey, source: 'PROPERTY_SOURCE_PROFILE' }
      const { body } = await service.call('shared.insights.v1.InsightsService/GetPropertyValues', request)
      return body.values ?? []
    }
    expect([await valuesOf('tier'), await valuesOf('landing')]).toEqual([[], ['/a']])
    await identify({ externalId: 'tia', traitsOnce: { tier: 'free' } })
    await identify({ externalId: 'tia', traits: { seats: 2 } })
    await profileWith('tia', { email: 'tia@x.example', landing: '/a', seats: 2 })
  })

  test('Get takes any id of an event when it may be an external id, which comes first', async () => {
    const idOf = async (id: string): Promise<unknown> => {
      const { body } = await service.call(`${PROFILES}/Get`, { id, orExternalId: true })
      return (body.profile as { readonly externalId?: string } | undefined)?.externalId ?? body.code
    }
    await identify({ externalId: 'una', anonymousId: 'anon-una', traits: { plan: 'free' } })
    const { id } = await profileWith('una', { plan: 'free' })
    await expect.poll(async () => await idOf('anon-una'), { timeout: 60_000 }).toBe('una')
    expect(await Promise.all(['una', String(id), 'nobody'].map(idOf))).toEqual(['una', 'una', 'not_found'])
    await identify({ externalId: String(id), traits: { plan: 'pro' } })
    await profileWith(String(id), { plan: 'pro' })
    expect(await idOf(String(id))).toBe(id)
  })

  test('merges earlier and later events of an anonymous id into the first user that claims it', async () => {
    const sent = [
      makeEvent({ distinctId: 'anon-a', kind: 'visit' }),
      makeEvent({ distinctId: 'bob', kind: 'visit' }),
      makeEvent({ distinctId: 'anon-b', kind: 'visit' }),
    ]
    await service.call(BATCH_CREATE, { events: sent })
    await identify({ externalId: 'bob', anonymousId: 'anon-a' })
    await identify({ externalId: 'eve', anonymousId: 'anon-a' })
    await service.call(BATCH_CREATE, { events: [makeEvent({ distinctId: 'anon-a', kind: 'visit' })] })
    const profile = await waitFor(
      'the merge',
      async () => {
        const { body } = await service.call(`${PROFILES}/Get`, { id: 'anon-a' })
        const found = body.profile as { externalId?: string; activity?: { totalEvents?: string } } | undefined
        return found?.externalId === 'bob' && found.activity?.totalEvents === '3' ? found : undefined
      },
      60_000,
    )
    expect(profile).toMatchObject({ externalId: 'bob' })
    const mergesOf = async (externalId: string, withMergedIds = true) => {
      const { body } = await service.call(`${PROFILES}/GetByExternalId`, { externalId, withMergedIds })
      return [body.mergedIds, body.totalMergedIds]
    }
    const time = expect.stringMatching(/^\d{4}-/)
    const merged = { id: 'anon-a', mergeTime: time, firstEventTime: time, lastEventTime: time }
    expect(await mergesOf('bob')).toEqual([[merged], '1'])
    expect(await mergesOf('bob', false)).toEqual([undefined, undefined])
    expect(await mergesOf('eve')).toEqual([undefined, undefined])
    const { body: byId } = await service.call(`${PROFILES}/Get`, { id: 'anon-a', withMergedIds: true })
    expect(byId).toMatchObject({ mergedIds: [merged], totalMergedIds: '1' })
    const feed = await service.call('shared.activity.v1.ActivityService/GetActivityFeed', {
      distinctId: 'anon-a',
    })
    expect(feed.body.events).toHaveLength(3)
    const users = {
      spec: {
        insightType: 'INSIGHT_TYPE_SEGMENTATION',
        events: [{ event: { kind: 'visit' }, aggregation: 'AGGREGATION_TYPE_UNIQUE_USERS' }],
      },
      timeRange: { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) },
      granularity: 'GRANULARITY_HOUR',
    }
    const { body } = await service.call(QUERY, users, { 'cache-control': 'no-cache' })
    expect(body).toEqual({ segmentation: { total: 2, values: [2] } })
  })

  test('merges nothing into a placeholder id', async () => {
    await service.call(BATCH_CREATE, { events: [makeEvent({ distinctId: 'anon-null' })] })
    expect(await identify({ externalId: 'null', anonymousId: 'anon-null', traits: { a: 1 } })).toMatchObject({
      status: 200,
    })
    await profileWith('null', { a: 1 })
    const { body } = await service.call(`${PROFILES}/Get`, { id: 'anon-null' })
    expect(body.profile).toMatchObject({ id: 'anon-null' })
  })

  test('counts refused merges', async () => {
    const unmerged = { externalId: 'undefined', anonymousId: 'anon-undefined' }
    // Each edge counts what came to it.
    expect(await identify(unmerged)).toMatchObject({ status: 200 })
    expect(await identify(unmerged)).toMatchObject({ status: 200 })
    const metrics = await fetch(`${service.adminUrl}/metrics`)
    expect(await metrics.text()).toMatch(/^millrace_identifies_unmerged_total.* [123]$/m)
  })

  test('brings a deleted profile back', async () => {
    await identify({ externalId: 'phoenix', traits: { a: 1 } })
    const { id } = await profileWith('phoenix', { a: 1 })
    await service.call(`${PROFILES}/Delete`, { id })
    expect(await service.call(`${PROFILES}/GetByExternalId`, { externalId: 'phoenix' })).toMatchObject({
      status: 404,
    })
    await identify({ externalId: 'phoenix', traits: { a: 2 } })
    await profileWith('phoenix', { a: 2 })
  })

  test('works over gRPC', async () => {
    const client = createClient(ProfilesSDKService, createGrpcTransport({ baseUrl: service.url }))
    const headers = { 'x-api-key': PUBLIC_KEY }
    await client.identify({ externalId: 'grpc', traits: { a: 'b' } }, { headers })
    await profileWith('grpc', { a: 'b' })
    const refused = client.identify({ externalId: '' }, { headers })
    await expect(refused).rejects.toMatchObject({ code: 3 })
  })

  test('keeps acknowledged calls when its process is killed', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => await identify({ externalId: `k${at}`, traits: { at } })),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    process.kill(service.pid('edge'), 'SIGKILL')
    await waitFor('the edge to serve again', async () => {
      const status = await fetch(`${service.url}/readyz`).then(
        (response) => response.status,
        () => 0,
      )
      return status === 200 ? true : undefined
    })
    for (let at = 0; at < answers.length; at++) await profileWith(`k${at}`, { at })
  })
})

test.each([
  ['no key', { externalId: 'x' }, { 'x-api-key': '' }, 401, 'unauthenticated'],
  ['an unknown key', { externalId: 'x' }, { 'x-api-key': `pub_${'z'.repeat(24)}` }, 401, 'unauthenticated'],
  ['no external id', {}, undefined, 400, 'invalid_argument'],
  ['an id of ours', { externalId: 'cookieless-x' }, undefined, 400, 'invalid_argument'],
  [
    'an anonymous id of another form',
    { externalId: 'x', anonymousId: 'y' },
    undefined,
    400,
    'invalid_argument',
  ],
  ['a long device id', { externalId: 'x', deviceId: 'd'.repeat(37) }, undefined, 400, 'invalid_argument'],
])('a call with %s is refused', async (_, request, headers, status, code) => {
  expect(await identify(request, headers)).toMatchObject({ status, body: { code } })
})
