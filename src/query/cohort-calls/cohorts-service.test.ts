import { randomUUID } from 'node:crypto'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { type Client, ConnectError } from '@connectrpc/connect'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type EventSample,
  sampleProfile,
  sampleRequest,
  sampleWorld,
} from '../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../test/differential/world-store.ts'
import { clientOf, type Refusal, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { WIDE_LIMITS } from '../../../test/harness/own-engine.ts'
import type { Cohort, CohortDefinitionSchema } from '../../contract/gen/millrace/cohorts/v1/cohort_pb.js'
import { CohortsService } from '../../contract/gen/millrace/cohorts/v1/cohorts_service_pb.js'
import { AggregationType } from '../../contract/gen/shared/insights/v1/event_query_pb.js'
import { InsightType } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { asCustomerId, asOrganisationId, type ProjectId } from '../../contract/ids.ts'
import { NO_NAME_FACTS } from '../../store/catalog/name-facts.ts'
import { changeCohortMembers, deleteCohortMembers } from '../../store/clickhouse/cohort-members.ts'
import { AnswerCache } from '../calls/answer-cache.ts'
import { createReadCohorts } from '../cohorts/cohort-reader.ts'
import { createInsertFound } from '../sql/execute.ts'
import { QueryGate } from '../sql/query-gate.ts'
import { type CohortsPorts, createCohortsService } from './cohorts-service.ts'

type DefinitionInit = Exclude<MessageInitShape<typeof CohortDefinitionSchema>, { $typeName: string }>

const NOW_MS = Date.parse('2026-01-06T12:00:00Z')
const NOT_FOUND: Refusal = ['NotFound', 'COHORT_NOT_FOUND']
const LIMIT_REACHED: Refusal = ['FailedPrecondition', 'LIMIT_REACHED']
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

const EVENTS: readonly EventSample[] = [
  { at: '10:00', by: 'anna', kind: 'view' },
  { at: '11:00', by: 'anon-bob', kind: 'view' },
  { at: '11:30', by: 'bob', kind: 'buy' },
  { at: '12:00', by: 'carla', kind: 'view' },
  { at: '12:30', by: 'cookieless-x', kind: 'view' },
]
const BOB = { ...sampleProfile('bob', { anonymousIds: ['anon-bob'] }), profileId: randomUUID() }

const BUYERS: DefinitionInit = performed('buy')

function performed(kind: string): DefinitionInit {
  const condition = { kind: { case: 'performed' as const, value: { event: { kind } } } }
  return { node: { case: 'condition', value: condition } }
}

function refersTo(...cohortIds: readonly string[]): DefinitionInit {
  const members = cohortIds.map((cohortId): DefinitionInit => {
    const condition = { kind: { case: 'cohort' as const, value: { cohortId } } }
    return { node: { case: 'condition', value: condition } }
  })
  return { node: { case: 'group', value: { members } } }
}

let store: WorldStore
let loaded: ProjectId

beforeAll(async () => {
  store = await openSharedWorldStore()
  const world = sampleWorld(EVENTS, [BOB])
  const scene = { timeZone: 'UTC', anchorMs: 0 }
  loaded = await store.load({ seed: 0, world, copies: [], scene, instants: [] })
  await store.settle()
})

afterAll(async () => {
  await store.close()
})

describeCatalog('cohorts', (under) => {
  let members: CohortsPorts['members']
  let ours: Client<typeof CohortsService>
  let theirs: Client<typeof CohortsService>

  beforeEach(async () => {
    members = {
      change: async (change) => await changeCohortMembers(store.clickhouse, change),
      insertFound: createInsertFound(store.clickhouse, WIDE_LIMITS),
      deleteAll: async (key) => await deleteCohortMembers(store.clickhouse, key),
    }
    await addProject(loaded)
    await addProject(loaded + 1_000_000)
    const methods = createCohortsService(openPorts())
    ours = clientOf(CohortsService, methods, callerIn(loaded))
    theirs = clientOf(CohortsService, methods, callerIn((loaded + 1_000_000) as ProjectId))
  })

  const openPorts = (): CohortsPorts => ({
    run: store.run,
    gate: new QueryGate({ runningMax: 4, waitingPerProjectMax: 100, waitMsMax: 60_000 }),
    projects: {
      read: async () => ({ reportingTimezone: 'UTC', names: NO_NAME_FACTS }),
    } as unknown as CohortsPorts['projects'],
    answers: new AnswerCache({ bytesMax: 1_000_000 }),
    clock: { nowMs: () => NOW_MS },
    answerTtlMs: 60_000,
    timeoutMs: 60_000,
    catalog: under.catalog,
    readCohorts: createReadCohorts(under.catalog),
    members: {
      change: async (change) => await members.change(change),
      insertFound: async (statement, signal) => await members.insertFound(statement, signal),
      deleteAll: async (key) => await members.deleteAll(key),
    },
  })

  const addProject = async (id: number): Promise<void> => {
    const organisation = { id: `org-${id}`, display_name: 'x', created_ms: 1 }
    await under.catalog.insertInto('organisations').values(organisation).execute()
    const project = { id, organisation_id: organisation.id, display_name: 'x', reporting_timezone: 'UTC' }
    await under.catalog
      .insertInto('projects')
      .values({ ...project, fcm_sealed: null, fcm_redacted: null, created_ms: 1 })
      .execute()
  }
  const callerIn = (projectId: ProjectId) => ({
    customerId: asCustomerId('account-1'),
    project: { projectId, organisationId: asOrganisationId('o'), role: 'member' as const },
  })
  const cohortOf = ({ cohort }: { readonly cohort?: Cohort | undefined }): Cohort => {
    if (!cohort) throw new Error('the answer has no cohort')
    return cohort
  }
  const create = async (name: string, definition: DefinitionInit = BUYERS): Promise<Cohort> =>
    cohortOf(await ours.create({ name, content: { case: 'definition', value: definition } }))
  const createList = async (...ids: string[]): Promise<Cohort> =>
    cohortOf(await ours.create({ name: 'List', content: { case: 'static', value: { ids } } }))
  const usersOf = async (cohortId: string): Promise<readonly string[]> => {
    const { distinctIds } = await ours.listMembers({ cohortId })
    const { users } = await ours.count({ of: { case: 'cohortId', value: cohortId } })
    expect(Number(users)).toBe(distinctIds.length)
    return distinctIds
  }
  const listIds = async (): Promise<readonly string[]> => (await ours.list({})).cohorts.map(({ id }) => id)

  test('cohorts are listed by name, with their creator', async () => {
    const second = await create('b')
    const first = await create('a')
    expect(first).toMatchObject({ name: 'a', createdBy: 'account-1', content: { case: 'definition' } })
    expect(await listIds()).toEqual([first.id, second.id])
    expect(cohortOf(await ours.get({ id: first.id }))).toEqual(first)
  })

  test('an update replaces the definition, and answers change with it', async () => {
    const { id } = await create('Buyers')
    expect(await usersOf(id)).toEqual(['bob'])
    const update = { id, name: 'Viewers', description: 'x', definition: performed('view') }
    expect(cohortOf(await ours.update(update))).toMatchObject({ name: 'Viewers', description: 'x' })
    expect(await usersOf(id)).toEqual(['anna', 'bob', 'carla'])
    expect(await refusalOf(ours.update({ id, name: 'x' }))).toEqual(['InvalidArgument', 'INVALID_REQUEST'])
  })

  test('a list gains and loses ids, and ids of one user count once', async () => {
    const { id, content } = await createList('anna', 'anon-bob', 'anna', 'nobody')
    expect(content).toMatchObject({ case: 'static', value: { ids: [], count: 3n } })
    expect(await usersOf(id)).toEqual(['anna', 'bob'])
    const added = cohortOf(await ours.addMembers({ id, ids: ['bob', BOB.profileId, 'cookieless-x'] }))
    expect(added.content).toMatchObject({ value: { count: 6n } })
    expect(await usersOf(id)).toEqual(['anna', 'bob'])
    const removed = cohortOf(await ours.removeMembers({ id, ids: ['anna', 'never-there'] }))
    expect(removed.content).toMatchObject({ value: { count: 5n } })
    expect(await usersOf(id)).toEqual(['bob'])
    await ours.addMembers({ id, ids: ['anna'] })
    expect(await usersOf(id)).toEqual(['anna', 'bob'])
  })

  test('only a list has ids, and only a dynamic cohort a definition', async () => {
    const dynamic = await create('Buyers')
    const notStatic: Refusal = ['FailedPrecondition', 'COHORT_NOT_STATIC']
    expect(await refusalOf(ours.addMembers({ id: dynamic.id, ids: ['anna'] }))).toEqual(notStatic)
    expect(await refusalOf(ours.removeMembers({ id: dynamic.id, ids: ['anna'] }))).toEqual(notStatic)
    const list = await createList('anna')
    const update = { id: list.id, name: 'x', definition: BUYERS }
    expect(await refusalOf(ours.update(update))).toEqual(['InvalidArgument', 'INVALID_REQUEST'])
    expect(cohortOf(await ours.update({ id: list.id, name: 'Renamed' }))).toMatchObject({ name: 'Renamed' })
    expect(await usersOf(list.id)).toEqual(['anna'])
  })

  test('a list that cannot be stored leaves no cohort', async () => {
    members = {
      ...members,
      change: async () => {
        throw new Error('the store is away')
      },
    }
    await expect(createList('anna')).rejects.toThrow()
    expect(await listIds()).toEqual([])
  })

  test('the cohorts of a user are those that have them by any id', async () => {
    const buyers = await create('Buyers')
    const list = await createList('anna', 'bob')
    await create('Nobody', performed('never'))
    const of = async (distinctId: string) =>
      (await ours.listOfUser({ distinctId })).cohorts.map(({ id }) => id)
    expect(await of('anon-bob')).toEqual([buyers.id, list.id])
    expect(await of(BOB.profileId)).toEqual([buyers.id, list.id])
    expect(await of('anna')).toEqual([list.id])
    expect(await of('cookieless-x')).toEqual([])
    expect(await of('nobody')).toEqual([])
  })

  test('the users behind a point become a list', async () => {
    const query = sampleRequest({
      insightType: InsightType.TRENDS,
      events: [{ event: { kind: 'view' }, aggregation: AggregationType.UNIQUE_USERS }],
      includeCookieless: true,
    })
    const point = { kind: { case: 'trends' as const, value: {} } }
    const saved = cohortOf(await ours.saveFromPoint({ name: 'Viewers', query, point }))
    expect(saved).toMatchObject({ name: 'Viewers', content: { case: 'static', value: { count: 3n } } })
    expect(await usersOf(saved.id)).toEqual(['anna', 'bob', 'carla'])
  })

  describe('references', () => {
    test('a cohort may refer to another one', async () => {
      const buyers = await create('Buyers')
      const both = await create('Both', refersTo(buyers.id, (await createList('bob', 'anna')).id))
      expect(await usersOf(both.id)).toEqual(['bob'])
      await ours.update({ id: buyers.id, name: 'Viewers', definition: performed('view') })
      expect(await usersOf(both.id)).toEqual(['anna', 'bob'])
    })

    test('a cycle is refused and changes nothing', async () => {
      const first = await create('First')
      const second = await create('Second', refersTo(first.id))
      const third = await create('Third', refersTo(second.id))
      const cycle: Refusal = ['FailedPrecondition', 'COHORT_CYCLE']
      for (const id of [first.id, second.id, third.id]) {
        const update = { id: first.id, name: 'First', definition: refersTo(id) }
        expect(await refusalOf(ours.update(update))).toEqual(cycle)
      }
      expect(cohortOf(await ours.get({ id: first.id }))).toEqual(first)
    })

    test('references to cohorts of other projects are not found', async () => {
      const { id } = await create('Buyers')
      const content = { case: 'definition' as const, value: refersTo(id) }
      expect(await refusalOf(theirs.create({ name: 'x', content }))).toEqual(NOT_FOUND)
      expect(await refusalOf(theirs.count({ of: content }))).toEqual(NOT_FOUND)
      expect((await theirs.list({})).cohorts).toEqual([])
    })

    test('a cohort has 200 conditions at most, with those that it refers to', async () => {
      const members = Array.from({ length: 50 }, () => BUYERS)
      const fifty = await create('Fifty', { node: { case: 'group', value: { members } } })
      const ids = (count: number): string[] => Array.from({ length: count }, () => fifty.id)
      await create('Two hundred', refersTo(...ids(4)))
      const content = { case: 'definition' as const, value: refersTo(...ids(5)) }
      const refusal: Refusal = ['InvalidArgument', 'INVALID_REQUEST']
      expect(await refusalOf(ours.create({ name: 'x', content }))).toEqual(refusal)
      expect(await listIds()).toHaveLength(2)
    })
  })

  test('a cohort in use is not deleted, and the error names its users', async () => {
    const { id } = await create('Buyers')
    const user = await create('Best buyers', refersTo(id))
    const dashboard = { id: randomUUID(), project_id: loaded, display_name: 'Shop', description: '' }
    await under.catalog
      .insertInto('dashboards')
      .values({
        ...dashboard,
        default_time_range: 0,
        default_granularity: 0,
        share_id: null,
        range_pinned: 0,
        share_password_hash: '',
        share_expires_ms: 0,
        embeddable: 0,
        tiles: JSON.stringify([{ insight: { spec: { cohorts: [{ cohortId: id }] } } }]),
        tiles_bytes: 1,
        created_ms: 1,
        updated_ms: 1,
      })
      .execute()
    await under.catalog
      .insertInto('saved_insights')
      .values({
        id: randomUUID(),
        project_id: loaded,
        name: 'Purchases',
        description: '',
        tags: '[]',
        insight_type: 1,
        content: JSON.stringify({ spec: { cohorts: [{ cohortId: id }] } }),
        content_bytes: 1,
        version: 1,
        created_by: '',
        updated_by: '',
        created_ms: 1,
        updated_ms: 1,
      })
      .execute()
    await under.catalog
      .insertInto('reports')
      .values({
        id: randomUUID(),
        project_id: loaded,
        dashboard_id: '',
        spec: JSON.stringify({ name: 'Weekly', webOverview: { cohorts: [{ cohortId: id }] } }),
        enabled: 1,
        paused_reason: '',
        created_by: '',
        created_ms: 1,
        updated_ms: 1,
      })
      .execute()
    const error = await ours.delete({ id }).catch((thrown: unknown) => ConnectError.from(thrown))
    const users =
      'the cohort "Best buyers", the dashboard "Shop", the saved insight "Purchases", the report "Weekly"'
    expect(error).toMatchObject({ message: expect.stringContaining(users) })
    expect(await refusalOf(ours.delete({ id }))).toEqual(['FailedPrecondition', 'COHORT_IN_USE'])
    await ours.delete({ id: user.id })
    await under.catalog.deleteFrom('dashboards').execute()
    expect(await refusalOf(ours.delete({ id }))).toEqual(['FailedPrecondition', 'COHORT_IN_USE'])
    await under.catalog.deleteFrom('saved_insights').execute()
    expect(await refusalOf(ours.delete({ id }))).toEqual(['FailedPrecondition', 'COHORT_IN_USE'])
    await under.catalog.deleteFrom('reports').execute()
    await ours.delete({ id })
    expect(await listIds()).toEqual([])
  })

  test('cohorts of another project are not found', async () => {
    const list = await createList('anna')
    const { id } = list
    expect(await refusalOf(theirs.get({ id }))).toEqual(NOT_FOUND)
    expect(await refusalOf(theirs.update({ id, name: 'x' }))).toEqual(NOT_FOUND)
    expect(await refusalOf(theirs.delete({ id }))).toEqual(NOT_FOUND)
    expect(await refusalOf(theirs.addMembers({ id, ids: ['x'] }))).toEqual(NOT_FOUND)
    expect(await refusalOf(theirs.listMembers({ cohortId: id }))).toEqual(NOT_FOUND)
    expect(cohortOf(await ours.get({ id }))).toEqual(list)
  })

  test.each([UNKNOWN_ID, 'x', "'", '\u{1F600}'])('the id %j is not found', async (id) => {
    expect(await refusalOf(ours.get({ id }))).toEqual(NOT_FOUND)
    expect(await refusalOf(ours.delete({ id }))).toEqual(NOT_FOUND)
    expect(await refusalOf(ours.removeMembers({ id, ids: ['x'] }))).toEqual(NOT_FOUND)
  })

  test('a project has at most 200 cohorts', async () => {
    const content = { case: 'static' as const, value: {} }
    for (let index = 0; index < 200; index++) await ours.create({ name: `${index}`, content })
    expect(await refusalOf(ours.create({ name: 'x', content }))).toEqual(LIMIT_REACHED)
    await theirs.create({ name: 'x', content })
  })
})
