import { create } from '@bufbuild/protobuf'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EventSample, msOf, sampleWorld } from '../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../test/differential/world-store.ts'
import { createScriptedRunner } from '../../../test/harness/scripted-runner.ts'
import { GetResponseSchema } from '../../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import { Prng } from '../../kernel/prng.ts'
import { insertProfileDeletion } from '../../store/clickhouse/user-rows.ts'
import type { QueryRunner } from '../sql/select.ts'
import { readMerges } from './merged-ids.ts'
import { findByExternalId, type Person } from './person.ts'

/** An Identify call. */
interface Call {
  readonly externalId: string
  readonly anonymousId?: string
  readonly atMs: number
}

interface Merge {
  readonly id: string
  readonly mergedMs: number
}

const START_MS = msOf('10:00')

let store: WorldStore
const run: QueryRunner = async (query) => await store.run(query, AbortSignal.timeout(30_000))

beforeAll(async () => {
  store = await openSharedWorldStore()
})

afterAll(async () => {
  await store.close()
})

/** A project with events and Identify calls, in several parts. */
async function load(calls: readonly Call[], events: readonly EventSample[] = []): Promise<ProjectId> {
  const world = sampleWorld(events)
  const scene = { timeZone: 'UTC', anchorMs: 0 }
  const projectId = await store.load({ seed: 0, world, copies: world.events, scene, instants: [] })
  const users = [...new Set(calls.map(({ externalId }) => externalId))]
  for (let part = 0; part < 3; part++) {
    const values = calls
      .filter((_, index) => index % 3 === part)
      .map(({ externalId, anonymousId = '', atMs }) => ({
        project: projectId,
        external_id: externalId,
        profile_id: `00000000-0000-4000-8000-${String(users.indexOf(externalId)).padStart(12, '0')}`,
        anonymous_id: anonymousId,
        device_id: '',
        traits: {},
        received: atMs * 1000,
      }))
    await store.clickhouse.insert({
      table: 'identifies',
      values,
      format: 'JSONEachRow',
      clickhouse_settings: { async_insert: 0 },
    })
  }
  return projectId
}

async function personOf(projectId: ProjectId, externalId: string): Promise<Person> {
  const person = await findByExternalId({ projectId, externalId }, run)
  if (!person) throw new Error(`there is no ${externalId}`)
  return person
}

interface Listed extends Merge {
  /** Of the first and the last event. */
  readonly eventMs?: readonly number[]
}

async function mergesOf(projectId: ProjectId, person: Person) {
  const merges = await readMerges({ projectId, person }, run)
  const { mergedIds, totalMergedIds } = create(GetResponseSchema, merges)
  const listed = mergedIds.map(({ id, mergeTime, firstEventTime, lastEventTime }): Listed => {
    const eventMs = [firstEventTime, lastEventTime].flatMap((time) => (time ? [timestampMs(time)] : []))
    return { id, mergedMs: mergeTime ? timestampMs(mergeTime) : 0, ...(eventMs.length > 0 && { eventMs }) }
  })
  return { listed, total: Number(totalMergedIds) }
}

describe('merged ids of random claims', () => {
  const USERS = ['anna', 'bob', 'Carla', 'dörte', 'anon-0', 'anon-1'] as const
  const IDS = Array.from({ length: 40 }, (_, at) => `anon-${at}`)
  const random = new Prng(20260105)
  const claims = Array.from({ length: 160 }, () => ({
    externalId: random.pick(USERS),
    anonymousId: random.pick(IDS),
    // Few times, so that several users claim an id in the same millisecond.
    atMs: START_MS + random.below(6) * 1000,
  }))
  const people = new Map<string, Person>()
  let projectId: ProjectId

  beforeAll(async () => {
    projectId = await load([...USERS.map((externalId) => ({ externalId, atMs: START_MS })), ...claims])
    for (const externalId of USERS) people.set(externalId, await personOf(projectId, externalId))
    // A hidden profile keeps its external id and its claims.
    const { user } = await personOf(projectId, 'anon-1')
    await insertProfileDeletion(store.clickhouse, { projectId, user, deletedMs: START_MS + 60_000 })
    await store.settle()
  })

  /** The merges of a user by the rules: the first claim wins, then the smaller external id. */
  function expected(externalId: string): readonly Merge[] {
    const isFirst = (claim: Required<Call>): boolean =>
      !claims.some(
        (other) =>
          other.anonymousId === claim.anonymousId &&
          (other.atMs < claim.atMs ||
            (other.atMs === claim.atMs &&
              Buffer.compare(Buffer.from(other.externalId), Buffer.from(claim.externalId)) < 0)),
      )
    const won = claims.filter(
      (claim) =>
        claim.externalId === externalId &&
        !USERS.some((user) => user === claim.anonymousId) &&
        isFirst(claim),
    )
    return [...new Map(won.map(({ anonymousId, atMs }) => [anonymousId, atMs]))]
      .map(([id, mergedMs]) => ({ id, mergedMs }))
      .sort((left, right) => right.mergedMs - left.mergedMs || (left.id < right.id ? -1 : 1))
  }

  test.each(USERS)('of %s are the claims that came first, the latest first', async (externalId) => {
    const wanted = expected(externalId)
    expect(wanted.length).toBeGreaterThan(0)
    const { listed, total } = await mergesOf(projectId, people.get(externalId) as Person)
    expect([listed, total]).toEqual([wanted, wanted.length])
  })

  test('are those of the dictionary that queries resolve ids with', async () => {
    const listed = new Map<string, string>()
    for (const person of people.values())
      for (const { id } of (await mergesOf(projectId, person)).listed) listed.set(id, String(person.user))
    const answer = await store.clickhouse.query({
      query: `SELECT id, toString(dictGetOrDefault('identities', 'user_hash', sipHash64({project:UInt32}, id), toUInt64(0))) AS user
        FROM (SELECT arrayJoin({ids:Array(String)}) AS id)`,
      query_params: { project: projectId, ids: IDS },
      format: 'JSONEachRow',
    })
    const rows = await answer.json<{ readonly id: string; readonly user: string }>()
    const resolved = rows.filter(({ user }) => user !== '0').map(({ id, user }) => [id, user] as const)
    expect(resolved.length).toBeGreaterThan(20)
    expect(listed).toEqual(new Map(resolved))
  })
})

test('each id has the times of its first and last event', async () => {
  const projectId = await load(
    [
      { externalId: 'eve', anonymousId: 'anon-phone', atMs: START_MS },
      { externalId: 'eve', anonymousId: 'anon-laptop', atMs: START_MS + 1 },
    ],
    [
      { at: '12:00', by: 'anon-phone' },
      { at: '09:00', by: 'anon-phone' },
      { at: '13:00', by: 'eve' },
      { at: '11:00', by: 'anon-phone' },
    ],
  )
  const { listed } = await mergesOf(projectId, await personOf(projectId, 'eve'))
  expect(listed).toEqual([
    { id: 'anon-laptop', mergedMs: START_MS + 1 },
    { id: 'anon-phone', mergedMs: START_MS, eventMs: [msOf('09:00'), msOf('12:00')] },
  ])
})

test('of many ids the latest hundred are listed, and all are counted', async () => {
  const calls = Array.from({ length: 130 }, (_, at) => ({
    externalId: 'frank',
    anonymousId: `anon-${at}`,
    atMs: START_MS + at,
  }))
  const projectId = await load(calls)
  const { listed, total } = await mergesOf(projectId, await personOf(projectId, 'frank'))
  expect([listed.length, listed[0]?.id, listed.at(-1)?.id, total]).toEqual([100, 'anon-129', 'anon-30', 130])
})

test('ids of another project are not listed', async () => {
  const calls = [{ externalId: 'gina', anonymousId: 'anon-1', atMs: START_MS }]
  const [mine, theirs] = [await load(calls), await load(calls)]
  const person = await personOf(theirs, 'gina')
  expect(await readMerges({ projectId: mine, person }, run)).toEqual({ mergedIds: [], totalMergedIds: 0n })
  expect(await mergesOf(mine, await personOf(mine, 'gina'))).toMatchObject({ total: 1 })
})

test('an anonymous user needs no statement', async () => {
  const person = { user: 1n, id: 'anon-1', externalId: '', createdMs: 0, updatedMs: 0 }
  const { run: scripted, statements } = createScriptedRunner()
  const merges = await readMerges({ projectId: asProjectId(1), person }, scripted)
  expect([merges, statements]).toEqual([{ mergedIds: [], totalMergedIds: 0n }, []])
})
