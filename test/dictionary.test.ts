import { afterAll, beforeAll, expect, test } from 'vitest'
import { BATCH_CREATE, type JsonEvent, makeEvent } from './harness/events.ts'
import { reasonOf, TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const DICTIONARY = 'millrace.dictionary.v1.DictionaryService'
const INSIGHTS = 'shared.insights.v1.InsightsService'
const ACTIVITY = 'shared.activity.v1.ActivityService'
const DAY_MS = 24 * 3_600_000

type Body = Record<string, unknown>

let service: TestService

function event(kind: string, more: Partial<JsonEvent> = {}): JsonEvent {
  return makeEvent({ kind, occurTime: new Date(Date.now() - 60_000).toISOString(), ...more })
}

const text = (stringValue: string) => ({ stringValue })

const EVENTS = [
  event('signup', { distinctId: 'ann', customProperties: { plan: text('pro') } }),
  event('signup', { distinctId: 'bob', customProperties: { plan: text('free'), seats: { intValue: '3' } } }),
  event('sign_up', { distinctId: 'cid', customProperties: { plan: text('team') } }),
  event('Sign-Up', { distinctId: 'ann' }),
  event('noise', { distinctId: 'ann', customProperties: { internal: { boolValue: true } } }),
  event('login', { distinctId: 'cid' }),
]

beforeAll(async () => {
  service = await TestService.start({ SERVICE_QUERY_CACHE_SECONDS: '60' })
  const answer = await service.call(BATCH_CREATE, { events: EVENTS })
  expect(answer).toMatchObject({ status: 200, body: { accepted: EVENTS.length } })
  await waitFor('the names', async () => ((await kinds()).length === 5 ? true : undefined))
})

afterAll(async () => {
  await service.destroy()
})

async function ask(method: string, request: object, name = DICTIONARY): Promise<Body> {
  const { status, body } = await service.call(`${name}/${method}`, request)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}

async function refusal(method: string, request: object): Promise<unknown> {
  const { status, body } = await service.call(`${DICTIONARY}/${method}`, request)
  return [status, reasonOf(body)]
}

const namesOf = (list: unknown): readonly string[] =>
  ((list ?? []) as { name: string }[]).map(({ name }) => name)

async function kinds(selection: object = {}): Promise<readonly string[]> {
  return namesOf((await ask('ListEvents', { selection })).events)
}

async function trend(kind: string, aggregation = 'AGGREGATION_TYPE_TOTAL'): Promise<number> {
  const { segmentation } = await ask(
    'Query',
    {
      spec: { insightType: 'INSIGHT_TYPE_SEGMENTATION', events: [{ event: { kind }, aggregation }] },
      timeRange: {
        from: new Date(Date.now() - DAY_MS).toISOString(),
        to: new Date(Date.now() + DAY_MS).toISOString(),
      },
      granularity: 'GRANULARITY_DAY',
    },
    INSIGHTS,
  )
  const { values } = segmentation as { readonly values?: readonly number[] }
  return values?.[0] ?? 0
}

async function kindsWith(property: string): Promise<readonly string[]> {
  return namesOf((await ask('ListProperties', { selection: { search: property } })).properties)
}

/** A change of the dictionary reaches queries and edges after the lifetime of their caches. */
async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  await waitFor(what, async () => ((await isTrue()) ? true : undefined))
}

test('kinds are listed by their recent events', async () => {
  const { events, totalCount } = await ask('ListEvents', {})
  expect(totalCount).toBe(5)
  expect(namesOf(events)).toEqual(['signup', 'Sign-Up', 'login', 'noise', 'sign_up'])
  expect((events as Body[])[0]).toMatchObject({
    definition: { state: 'NAME_STATE_UNREVIEWED' },
    recentCount: '2',
    firstSeenTime: EVENTS[0]?.occurTime,
    wellKnown: true,
  })
})

test('pages follow each other, and a token of another list is refused', async () => {
  const seen: string[] = []
  let pageToken = ''
  do {
    const page = await ask('ListEvents', { pageSize: 2, pageToken })
    seen.push(...namesOf(page.events))
    pageToken = String(page.nextPageToken ?? '')
  } while (pageToken !== '')
  expect(seen).toEqual(await kinds())
  expect(await refusal('ListEvents', { pageToken: 'x' })).toEqual([400, 'INVALID_PAGE_TOKEN'])
})

test('properties have their types, carriers and values of recent events', async () => {
  const { properties } = await ask('ListProperties', { selection: { search: 'PLAN' } })
  expect(properties).toMatchObject([
    { name: 'plan', valueTypes: ['PROPERTY_VALUE_TYPE_STRING'], kindCount: 2, recentCount: '3' },
  ])
  const { events, samples } = await ask('GetProperty', { name: 'plan' })
  expect(namesOf(events)).toEqual(['signup', 'sign_up'])
  expect(['pro', 'free', 'team']).toEqual(expect.arrayContaining(samples as string[]))
  const { properties: carried } = await ask('GetEvent', { name: 'signup' })
  expect(namesOf(carried)).toEqual(expect.arrayContaining(['plan', 'seats']))
  expect(await refusal('GetEvent', { name: 'none' })).toEqual([404, 'NAME_NOT_FOUND'])
  expect(await refusal('GetProperty', { name: 'none' })).toEqual([404, 'NAME_NOT_FOUND'])
})

test('a definition is found by its texts, its state and its tags, and an empty one is removed', async () => {
  const definition = {
    displayName: 'Signed up',
    description: 'An account exists.',
    owner: 'Growth',
    tags: ['core'],
    state: 'NAME_STATE_VERIFIED',
  }
  expect(await ask('UpdateEvent', { name: 'planned', definition })).toMatchObject({
    event: { name: 'planned', definition },
  })
  expect(await kinds({ search: 'growth' })).toEqual(['planned'])
  expect(await kinds({ states: ['NAME_STATE_VERIFIED'] })).toEqual(['planned'])
  expect(await kinds({ tag: 'core' })).toEqual(['planned'])
  expect(await kinds({ newSince: new Date(Date.now() - 7 * DAY_MS).toISOString() })).toHaveLength(5)
  await ask('UpdateEvent', { name: 'planned' })
  expect(await kinds()).not.toContain('planned')
})

test('hidden names leave the filter schema, and others show their display names', async () => {
  const hidden = { state: 'NAME_STATE_HIDDEN' }
  await ask('UpdateEvent', { name: 'noise', definition: hidden })
  await ask('UpdateProperty', { name: 'internal', definition: hidden })
  await ask('UpdateEvent', {
    name: 'login',
    definition: { displayName: 'Logged in', description: 'By form.' },
  })
  const read = async (): Promise<Body> => await ask('GetFilterSchema', {}, INSIGHTS)
  // Each change reaches a reader on its own.
  await until('all changes', async () => {
    const { events, customPropertyKeys } = await read()
    const login = (events as Body[] | undefined)?.find(({ name }) => name === 'login')
    return (
      !namesOf(events).includes('noise') &&
      !namesOf(customPropertyKeys).includes('internal') &&
      login?.displayName === 'Logged in'
    )
  })
  const schema = await read()
  expect(namesOf(schema.customPropertyKeys)).toEqual(['plan', 'seats'])
  expect(schema.events).toContainEqual(
    expect.objectContaining({ name: 'login', displayName: 'Logged in', description: 'By form.' }),
  )
  expect(await trend('noise')).toBe(1)
})

test('near-duplicates are grouped until they are ignored', async () => {
  const groups = async () =>
    ((await ask('ListNearDuplicates', {})).groups as { events: unknown }[] | undefined)?.map(({ events }) =>
      namesOf(events),
    ) ?? []
  expect(await groups()).toEqual([['signup', 'Sign-Up', 'sign_up']])
  await ask('IgnoreNearDuplicates', { names: ['signup', 'sign_up'] })
  expect(await groups()).toEqual([['signup', 'Sign-Up', 'sign_up']])
  await ask('IgnoreNearDuplicates', { names: ['signup', 'Sign-Up'] })
  expect(await groups()).toEqual([])
})

test('merged kinds are asked as one, and split again', async () => {
  const merged = await ask('MergeNames', { into: 'signup', names: ['sign_up', 'Sign-Up'] })
  expect(merged).toMatchObject({ event: { name: 'signup', mergedNames: ['Sign-Up', 'sign_up'] } })
  await until('the merge', async () => (await trend('signup')) === 4)
  expect(await trend('signup', 'AGGREGATION_TYPE_UNIQUE_USERS')).toBe(3)
  expect(await trend('sign_up')).toBe(1)
  const explored = await ask('GetEventExplorer', { events: [{ kind: 'signup' }] }, ACTIVITY)
  expect(explored.events).toHaveLength(4)
  const schema = await ask('GetFilterSchema', {}, INSIGHTS)
  expect(namesOf(schema.events)).not.toContain('sign_up')
  expect(schema.events).toContainEqual(
    expect.objectContaining({ name: 'signup', count: '4', mergedKinds: ['Sign-Up', 'sign_up'] }),
  )
  const { values } = await ask(
    'GetPropertyValues',
    { propertyKey: 'plan', source: 'PROPERTY_SOURCE_CUSTOM', eventKind: 'signup' },
    INSIGHTS,
  )
  expect(values).toEqual(['free', 'pro', 'team'])
  await ask('SplitNames', { names: ['sign_up', 'Sign-Up'] })
  await until('the split', async () => (await trend('signup')) === 2)
})

test('kinds of a merged kind move with it, and no kind counts as a merged one', async () => {
  await ask('MergeNames', { into: 'b', names: ['a'] })
  expect(await ask('MergeNames', { into: 'c', names: ['b'] })).toMatchObject({
    event: { mergedNames: ['a', 'b'] },
  })
  expect(await refusal('MergeNames', { into: 'a', names: ['d'] })).toEqual([400, 'INVALID_REQUEST'])
  expect(await refusal('MergeNames', { into: 'e', names: ['e'] })).toEqual([400, 'INVALID_REQUEST'])
  await ask('SplitNames', { names: ['a', 'b'] })
})

test('blocked kinds are dropped on arrival', async () => {
  await ask('UpdateEvent', { name: 'spam', definition: { state: 'NAME_STATE_BLOCKED' } })
  const send = async () =>
    (
      await service.call(
        BATCH_CREATE,
        {
          events: [
            event('spam'),
            event('login'),
            { ...event('spam'), distinctId: undefined, sessionId: undefined, cookieless: true },
          ],
        },
        { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Test/1.0' },
      )
    ).body
  const startMs = Date.now()
  await until('the block', async () => (await send()).dropped === 2)
  expect(Date.now() - startMs).toBeLessThan(10_000)
  expect(await send()).toEqual({ accepted: 1, dropped: 2, droppedByReason: { blocked_kind: 2 } })
  const only = (await service.call(BATCH_CREATE, { events: [event('spam')] })).body
  expect(only).toEqual({ dropped: 1, droppedByReason: { blocked_kind: 1 } })
  await ask('UpdateEvent', { name: 'spam' })
  await until('the end of the block', async () => (await send()).accepted === 3)
  const blocked = { definition: { state: 'NAME_STATE_BLOCKED' } }
  expect(await refusal('UpdateProperty', { name: 'plan', ...blocked })).toEqual([400, 'INVALID_REQUEST'])
})

test('values of an erased person are not shown', async () => {
  const seen = async () => (await ask('GetProperty', { name: 'secret' })).samples ?? []
  const secret = { customProperties: { secret: text('of eve') } }
  await service.call(BATCH_CREATE, { events: [event('login', { distinctId: 'eve', ...secret })] })
  await until('the property', async () => (await kindsWith('secret')).length === 1)
  expect(await seen()).toEqual(['of eve'])
  const PROFILES = 'shared.profiles.v1.ProfilesService'
  await service.call('sdk.profiles.v1.ProfilesSDKService/Identify', { externalId: 'eve' })
  const { requestId } = await ask('DeleteDataSubject', { externalId: 'eve' }, PROFILES)
  await until('the erasure', async () => {
    const { status } = await ask('GetDeletionRequest', { requestId }, PROFILES)
    return status === 'COMPLIANCE_REQUEST_STATUS_COMPLETED'
  })
  expect(await seen()).toEqual([])
})

test('an export is imported again, as messages and as CSV', async () => {
  await ask('UpdateProperty', {
    name: 'plan',
    definition: {
      description: '=1+1, "quoted"\nand more',
      tags: ['a', 'b c'],
      state: 'NAME_STATE_DEPRECATED',
    },
  })
  await ask('MergeNames', { into: 'signup', names: ['sign_up'] })
  const { definitions } = await ask('ExportDefinitions', {})
  const { csv } = await ask('ExportDefinitions', { format: 'DEFINITION_FORMAT_CSV' })
  expect(csv).toContain('event,sign_up,,,,,unreviewed,signup\r\n')
  for (const file of [{ definitions }, { csv }]) {
    expect(await ask('ImportDefinitions', file)).not.toHaveProperty('changedCount')
    const cleared = (definitions as Body[]).map(({ type, name }) => ({ type, name }))
    expect(await ask('ImportDefinitions', { definitions: cleared })).toMatchObject({
      changedCount: cleared.length,
    })
    expect((await ask('ExportDefinitions', {})).definitions ?? []).toEqual([])
    expect(await ask('ImportDefinitions', file)).toMatchObject({ changedCount: cleared.length })
    expect((await ask('ExportDefinitions', {})).definitions).toEqual(definitions)
  }
})

test('a file with a wrong row changes nothing', async () => {
  const before = await ask('ExportDefinitions', {})
  const { status, body } = await service.call(`${DICTIONARY}/ImportDefinitions`, {
    csv: 'type,name,state\nevent,login,verified\nevent,a b,verified\n',
  })
  expect([status, body.message]).toEqual([400, 'csv: "a b" is not a possible event kind'])
  expect(await ask('ExportDefinitions', {})).toEqual(before)
})

test('a file without a column leaves that part alone', async () => {
  await ask('UpdateEvent', { name: 'login', definition: { displayName: 'Log-in', owner: 'Core' } })
  await ask('ImportDefinitions', { csv: 'type,name,owner\nevent,login,Growth\n' })
  expect((await ask('GetEvent', { name: 'login' })).event).toMatchObject({
    definition: { displayName: 'Log-in', owner: 'Growth' },
  })
})
