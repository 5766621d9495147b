import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { asProjectId, type ProjectId } from '../src/contract/ids.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { profileIdOf } from '../src/pipeline/identify/identify-row.ts'
import { insertApiKey } from '../src/store/catalog/api-keys.ts'
import { openCatalog } from '../src/store/catalog/catalog.ts'
import { firstOrganisationId, insertProject } from '../src/store/catalog/projects.ts'
import { type ClickHouse, openClickHouse } from '../src/store/clickhouse/client.ts'
import { findBytes } from './harness/byte-search.ts'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { TestService } from './harness/service.ts'
import { isAlive, waitFor } from './harness/wait.ts'

/** An erasure waits for merges of the engine and for turns of its job, and longer on a busy machine. */
const WAIT_MS_MAX = 120_000
vi.setConfig({ testTimeout: WAIT_MS_MAX + 30_000 })

const PROFILES = 'shared.profiles.v1.ProfilesService'
const OTHER_KEY = `prv_${'o'.repeat(24)}`
const IN_OTHER = { 'x-api-key': OTHER_KEY }
const PROJECT = asProjectId(1)

/** How long files may hold what is erased; see docs/erasure.md. */
const GRACE_MS = 120_000

/** Texts that only the person's data has, so that finding one is finding the person. */
const ALICE = `alice-${randomUUID()}@example.org`
const ANONYMOUS = `anon-${randomUUID()}`
const TRAIT = `trait-${randomUUID()}`
const PROPERTY = `property-${randomUUID()}`
const TEXTS = [ALICE, ANONYMOUS, TRAIT, PROPERTY]

const BOB = 'bob@example.org'

const DELETIONS = "system.mutations WHERE database = currentDatabase() AND table = 'events'"

/** Claimed by bob first, and by alice later. */
const SHARED_DEVICE = 'anon-of-bob'
const SHARED_SESSION = randomUUID()

let service: TestService
let clickhouse: ClickHouse
let otherProject: ProjectId

beforeAll(async () => {
  service = await TestService.start()
  clickhouse = openClickHouse(service.clickhouse(), {
    application: 'millrace-test',
    connectionsMax: 4,
    requestTimeoutMs: 60_000,
  })
  otherProject = await addProject()
})

afterAll(async () => {
  await clickhouse?.close()
  await service?.destroy()
})

async function addProject(): Promise<ProjectId> {
  const catalog = openCatalog(service)
  const organisationId = (await firstOrganisationId(catalog)) ?? ''
  const projectId = await insertProject(catalog, systemClock, { organisationId, displayName: 'Other' })
  const key = { projectId, kind: 'private', displayName: 'Other', text: OTHER_KEY } as const
  await insertApiKey(catalog, systemClock, key)
  await catalog.destroy()
  return projectId
}

interface Identity {
  readonly externalId: string
  readonly anonymousId?: string
  readonly claimed?: string
  readonly projectId?: ProjectId
}

async function identify({ externalId, anonymousId, claimed, projectId = PROJECT }: Identity): Promise<void> {
  const received = Date.parse(claimed ?? '2026-01-02T00:00:00Z') * 1000
  const row = {
    project: projectId,
    external_id: externalId,
    profile_id: profileIdOf(projectId, externalId),
    anonymous_id: anonymousId ?? '',
    device_id: `device-of-${externalId}`,
    traits: { name: JSON.stringify(externalId === ALICE ? TRAIT : 'Bob') },
    received,
  }
  await clickhouse.insert({
    table: 'identifies',
    values: [row],
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0 },
  })
}

async function count(statement: string): Promise<number> {
  const result = await clickhouse.query({
    query: `SELECT count() AS n FROM ${statement}`,
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ n: string }>()
  return Number(row?.n)
}

async function send(events: readonly object[], headers: Record<string, string> = {}): Promise<void> {
  const stored = await count('events FINAL')
  for (let start = 0; start < events.length; start += 1000) {
    const batch = { events: events.slice(start, start + 1000) }
    expect((await service.call(BATCH_CREATE, batch, headers)).status).toBe(200)
  }
  await waitFor('the events in ClickHouse', async () =>
    (await count('events FINAL')) === stored + events.length ? true : undefined,
  )
}

function eventsOf(distinctId: string, fields: object = {}): object {
  return makeEvent({ distinctId, customProperties: { mark: { stringValue: PROPERTY } }, ...fields })
}

async function untilCompleted(requestId: unknown, timeoutMs = WAIT_MS_MAX): Promise<Record<string, unknown>> {
  return await waitFor(
    'the erasure',
    async () => {
      const { body } = await service.call(`${PROFILES}/GetDeletionRequest`, { requestId })
      return body.status === 'COMPLIANCE_REQUEST_STATUS_COMPLETED' ? body : undefined
    },
    timeoutMs,
  )
}

async function deleteSubject(externalId: string): Promise<Record<string, unknown>> {
  return (await service.call(`${PROFILES}/DeleteDataSubject`, { externalId })).body
}

/** The visits of the day on which both had a session, as they are now. */
async function listVisits(fields: object = {}): Promise<unknown> {
  const timeRange = { from: '2020-02-02T00:00:00Z', to: '2020-02-03T00:00:00Z' }
  const { body } = await service.call(
    'millrace.web.v1.VisitsService/List',
    { timeRange, ...fields },
    { 'cache-control': 'no-cache' },
  )
  return body.visits ?? []
}

test('a person is erased under every id, although the query process is killed in the middle', async () => {
  await identify({ externalId: ALICE, anonymousId: ANONYMOUS })
  await identify({ externalId: BOB, anonymousId: SHARED_DEVICE, claimed: '2026-01-02T00:00:00Z' })
  await identify({ externalId: ALICE, anonymousId: SHARED_DEVICE, claimed: '2026-01-03T00:00:00Z' })
  await identify({ externalId: ALICE, projectId: otherProject })
  await send([
    ...Array.from({ length: 40 }, () => eventsOf(ALICE)),
    ...Array.from({ length: 30 }, () => eventsOf(ANONYMOUS)),
    eventsOf(ALICE, { occurTime: '2020-02-02T00:00:00Z', sessionId: SHARED_SESSION }),
    makeEvent({ distinctId: BOB, occurTime: '2020-02-02T01:00:00Z', sessionId: SHARED_SESSION }),
    ...Array.from({ length: 20 }, () => makeEvent({ distinctId: BOB })),
    ...Array.from({ length: 10 }, () => makeEvent({ distinctId: SHARED_DEVICE })),
  ])
  await send([makeEvent({ distinctId: ALICE })], IN_OTHER)
  const { body: profile } = await service.call(`${PROFILES}/GetByExternalId`, {
    externalId: ALICE,
    withMergedIds: true,
  })
  expect(profile).toMatchObject({
    mergedIds: [{ id: ANONYMOUS, mergeTime: '2026-01-02T00:00:00Z' }],
    totalMergedIds: '1',
  })

  expect(await listVisits({ distinctId: ALICE })).toMatchObject([
    { sessionId: SHARED_SESSION, startTime: '2020-02-02T00:00:00Z', events: '2', visitor: { id: ALICE } },
  ])

  const asked = await deleteSubject(ALICE)
  expect(asked).toMatchObject({ status: 'COMPLIANCE_REQUEST_STATUS_PENDING' })
  const hidden = await service.call(`${PROFILES}/GetByExternalId`, { externalId: ALICE })
  expect(hidden.body).toMatchObject({ code: 'not_found' })
  const { body: begun } = await waitFor('the begin of the work', async () => {
    const answer = await service.call(`${PROFILES}/GetDeletionRequest`, { requestId: asked.requestId })
    return answer.body.status === 'COMPLIANCE_REQUEST_STATUS_PENDING' ? undefined : answer
  })
  expect(begun).toMatchObject({ status: 'COMPLIANCE_REQUEST_STATUS_PROCESSING' })
  const killed = service.pid('query')
  process.kill(killed, 'SIGKILL')
  await waitFor('another query process', () => {
    const pid = service.pid('query')
    return pid !== killed && isAlive(pid) ? true : undefined
  })
  const done = await untilCompleted(asked.requestId)

  expect(done).toEqual({
    requestId: asked.requestId,
    externalId: ALICE,
    profileId: (profile.profile as { readonly id: string }).id,
    status: 'COMPLIANCE_REQUEST_STATUS_COMPLETED',
    eventsIdentified: '71',
    requestedAt: expect.stringMatching(/^\d{4}-/),
    completedAt: expect.stringMatching(/^\d{4}-/),
  })
})

test('no data of the erased user remains, and other users keep theirs', async () => {
  const ofAlice = `project = 1 AND user_hash = sipHash64(toUInt32(1), '${ALICE}')`
  for (const table of ['events', 'users', 'profiles', 'traits', 'identity_claims', 'device_users'] as const) {
    expect(await count(`${table} WHERE ${ofAlice}`), table).toBe(0)
  }
  expect(await count(`events FINAL WHERE project = 1 AND distinct_id = '${BOB}'`)).toBe(21)
  expect(await count(`events FINAL WHERE project = 1 AND distinct_id = '${SHARED_DEVICE}'`)).toBe(10)
  expect(await count(`events FINAL WHERE project = ${otherProject}`)).toBe(1)
  expect(await count(`profiles FINAL WHERE external_id = '${ALICE}' AND project = ${otherProject}`)).toBe(1)
  expect(await count('sessions FINAL WHERE project = 1')).toBe(31)
  const shared = `sessions FINAL WHERE session_id = '${SHARED_SESSION}' AND first = '2020-02-02 01:00:00'`
  expect(await count(shared)).toBe(1)
  expect(await listVisits({ distinctId: ALICE })).toEqual([])
  const left = { sessionId: SHARED_SESSION, startTime: '2020-02-02T01:00:00Z', events: '1', bounced: true }
  expect(await listVisits()).toMatchObject([{ ...left, visitor: { id: BOB } }])
  expect(await listVisits({ distinctId: BOB })).toMatchObject([left])
  const { body } = await service.call(`${PROFILES}/GetByExternalId`, { externalId: BOB, withMergedIds: true })
  expect(body).toMatchObject({
    profile: { properties: { name: 'Bob' }, activity: { totalEvents: '31' } },
    mergedIds: [{ id: SHARED_DEVICE, mergeTime: '2026-01-02T00:00:00Z' }],
    totalMergedIds: '1',
  })
  const merged = await service.call(`${PROFILES}/Get`, { id: ANONYMOUS, withMergedIds: true })
  expect(merged.body).toMatchObject({ code: 'not_found' })
})

test('late events are erased too, and events after the erasure remain', async () => {
  const late = eventsOf(ANONYMOUS, { occurTime: '2026-01-05T00:00:00Z' })
  await send([late, eventsOf(ALICE), eventsOf(ALICE, { occurTime: '2026-01-06T00:00:00Z' })])
  const catalog = openCatalog(service)
  const payloads = async () =>
    (await catalog.selectFrom('jobs').select('payload').where('kind', '=', 'erase-person').execute()).map(
      ({ payload }) => JSON.parse(payload),
    )
  expect(await payloads()).toMatchObject([{ round: 1, events: 71 }])
  await catalog.updateTable('jobs').set({ next_ms: 0 }).execute()
  await waitFor('the next round', async () => ((await payloads())[0]?.round === 2 ? true : undefined))
  expect(await payloads()).toMatchObject([{ round: 2, events: 73 }])
  await catalog.destroy()
  expect(await count(`events FINAL WHERE project = 1 AND distinct_id IN ('${ALICE}', '${ANONYMOUS}')`)).toBe(
    1,
  )
  expect(await count(`users FINAL WHERE project = 1 AND distinct_id = '${ALICE}'`)).toBe(1)
  const { requestId } = await deleteSubject(ALICE)
  expect(await untilCompleted(requestId)).toMatchObject({ eventsIdentified: '1' })
})

test('a request is visible to its project only', async () => {
  const { requestId } = await deleteSubject(BOB)
  const repeated = await deleteSubject(BOB)
  expect(repeated.requestId).toBe(requestId)
  const { body } = await service.call(`${PROFILES}/GetDeletionRequest`, { requestId }, IN_OTHER)
  expect(body).toMatchObject({ code: 'not_found' })
  expect(await untilCompleted(requestId)).toMatchObject({ externalId: BOB, eventsIdentified: '31' })
})

test.each([
  ['DeleteDataSubject', { externalId: 'nobody' }, 'not_found'],
  ['DeleteDataSubject', {}, 'invalid_argument'],
  ['GetDeletionRequest', { requestId: 'none' }, 'not_found'],
  ['GetDeletionRequest', {}, 'invalid_argument'],
])('%s of %j is %s', async (method, request, code) => {
  expect((await service.call(`${PROFILES}/${method}`, request)).body).toMatchObject({ code })
})

test('an id without a profile is erased with its events', async () => {
  await send([makeEvent({ distinctId: 'never-identified' })])
  // Rows of views follow their events by a moment.
  await waitFor('the id among the users', async () =>
    (await count("users WHERE distinct_id = 'never-identified'")) > 0 ? true : undefined,
  )
  const { requestId } = await deleteSubject('never-identified')
  const done = await untilCompleted(requestId)
  expect(done).toMatchObject({ externalId: 'never-identified', eventsIdentified: '1' })
  expect(done).not.toHaveProperty('profileId')
  expect(await deleteSubject('never-identified')).toMatchObject({ code: 'not_found' })
})

test('people whose erasures wait are deleted together, and each has the count of its own events', async () => {
  const names = Array.from({ length: 5 }, (_, index) => `together-${index}`)
  const session = randomUUID()
  await identify({ externalId: 'together-1', anonymousId: 'anon-of-together-1' })
  await send([
    ...names.flatMap((name, index) => Array.from({ length: index + 1 }, () => eventsOf(name))),
    eventsOf('anon-of-together-1'),
    eventsOf('together-2', { occurTime: '2020-03-03T00:00:00Z', sessionId: session }),
    eventsOf('together-3', { occurTime: '2020-03-03T00:01:00Z', sessionId: session }),
    makeEvent({ distinctId: 'stays', occurTime: '2020-03-03T00:02:00Z', sessionId: session }),
  ])
  await waitFor('the ids among the users', async () =>
    (await count("users FINAL WHERE distinct_id LIKE 'together-%'")) === names.length ? true : undefined,
  )
  const before = await count(DELETIONS)
  const asked = await Promise.all(names.map(async (name) => await deleteSubject(name)))
  const events: string[] = []
  for (const { requestId } of asked) events.push(String((await untilCompleted(requestId)).eventsIdentified))
  expect(events).toEqual(['1', '3', '4', '5', '5'])
  expect(await count("events WHERE distinct_id LIKE '%together-%'")).toBe(0)
  const left = `sessions FINAL WHERE session_id = '${session}' AND first = '2020-03-03 00:02:00'`
  expect(await count(left)).toBe(1)
  expect((await count(DELETIONS)) - before).toBeLessThan(names.length)
})

test('after the last round not even hashes are left', async () => {
  const catalog = openCatalog(service)
  expect(await count('erasure_ids')).toBeGreaterThan(0)
  await waitFor(
    'the last round of every erasure',
    async () => {
      await catalog.updateTable('jobs').set({ next_ms: 0 }).where('state', '=', 'waiting').execute()
      const jobs = await catalog.selectFrom('jobs').select('id').execute()
      return jobs.length === 0 ? true : undefined
    },
    WAIT_MS_MAX,
  )
  await catalog.destroy()
  for (const table of ['erasure_ids', 'erasure_sessions', 'profile_deletions']) {
    expect(await count(table), table).toBe(0)
  }
})

test('no file holds the person after the grace', async () => {
  const files = findBytes(service.dataDir, TEXTS)
  expect(files).not.toEqual([])
  const asked = await service.call(`${PROFILES}/DeleteDataSubject`, { externalId: ALICE }, IN_OTHER)
  expect(asked.status).toBe(200)
  await clickhouse.command({ query: 'SYSTEM FLUSH LOGS' })
  const left = await waitFor(
    'the last file with a text of the person to go',
    () => (findBytes(service.dataDir, TEXTS).length === 0 ? [] : undefined),
    GRACE_MS + 60_000,
  ).catch(() => findBytes(service.dataDir, TEXTS))
  expect(left).toEqual([])
}, 180_000)
