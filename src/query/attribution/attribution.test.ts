import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Profile } from '../../../test/differential/model.ts'
import {
  type EventSample,
  type RequestSample,
  resultOf,
  sampleProfile,
  sampleRequest,
  sampleWorld,
} from '../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../test/differential/world-store.ts'
import { createScriptedRunner } from '../../../test/harness/scripted-runner.ts'
import { FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../contract/gen/common/v1/property_pb.js'
import {
  type InsightQuerySpecSchema,
  InsightType,
} from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { QueryResponseSchema } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { ListRequestSchema } from '../../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import { listPropertyValues } from '../filter-schema/property-values.ts'
import { prepareInsight } from '../insight-types.ts'
import { listProfiles } from '../people/list-profiles.ts'
import type { QueryRunner } from '../sql/select.ts'

type Spec = MessageInitShape<typeof InsightQuerySpecSchema>

const { SESSION_ENTRY, FIRST_TOUCH, PROFILE } = PropertySource
const TIMEOUT_MS = 30_000

/** A day of a shop; `ad` is the advertisement that an event names. */
const EVENTS: readonly EventSample[] = [
  // Ada comes by mail, as a visitor; her session of eleven hours is hers and Bob's.
  {
    at: '2026-01-04T09:00:00Z',
    by: 'anon-ada',
    session: 1,
    kind: 'open',
    properties: { ad: 'mail', $bot: true },
  },
  { at: '2026-01-04T20:00:00Z', by: 'ada', session: 1, kind: 'buy', properties: { ad: 'own' } },
  { at: '2026-01-04T20:01:00Z', by: 'bob', session: 1, kind: 'buy' },
  // Two events of one instant, the one with the lower id sent last; it names no advertisement.
  { at: '09:00', by: 'bob', session: 2, kind: 'open', id: 91, properties: { ad: 'search' } },
  { at: '09:00', by: 'bob', session: 2, kind: 'view', id: 90 },
  { at: '09:05', by: 'bob', session: 2, kind: 'buy' },
  // A session that went on for a week.
  { at: '2025-12-29T10:00:00Z', by: 'ada', session: 3, kind: 'open', properties: { ad: 'week' } },
  { at: '10:00', by: 'anon-ada', session: 3, kind: 'buy' },
  { at: '10:30', by: 'cookieless-x', session: 4, kind: 'open', properties: { ad: 'shop' } },
  { at: '10:31', by: 'cookieless-x', session: 4, kind: 'buy', properties: { ad: 'own' } },
]
const world = sampleWorld(EVENTS, [
  profile('ada', { anonymousIds: ['anon-ada'], traits: { plan: 'team' } }),
  profile('zoe', { traits: { plan: 'free' } }),
])

function profile(externalId: string, facts: Parameters<typeof sampleProfile>[1]): Profile {
  return { ...sampleProfile(externalId, facts), profileId: crypto.randomUUID() }
}

let store: WorldStore
let projectId: ProjectId
const run: QueryRunner = async (query) => await store.run(query, AbortSignal.timeout(TIMEOUT_MS))

beforeAll(async () => {
  store = await openSharedWorldStore()
  const scene = { timeZone: 'UTC', anchorMs: 0 }
  projectId = await store.load({ seed: 0, world, copies: world.events, scene, instants: [] })
  await store.settle()
}, 60_000)

afterAll(async () => await store?.close())

/** Purchases by breakdown value: `mail 2`. */
async function purchasesBy(
  breakdown: NonNullable<Spec['breakdowns']>[number],
  { spec = {}, range = {} }: { readonly spec?: Spec; readonly range?: RequestSample } = {},
): Promise<readonly string[]> {
  const request = sampleRequest(
    {
      insightType: InsightType.TRENDS,
      events: [{ event: { kind: 'buy' } }],
      breakdowns: [breakdown],
      ...spec,
    },
    { from: '2026-01-04T12:00:00Z', ...range },
  )
  const insight = prepareInsight(request, { projectId, projectTimeZone: 'UTC' })
  const { series } = resultOf(create(QueryResponseSchema, await insight.answer(run)), 'trends')
  return series.map(
    ({ breakdown: values, points }) =>
      `${Object.values(values)} ${points.reduce((sum, { value }) => sum + value, 0)}`,
  )
}

describe('a breakdown', () => {
  test('by the start of the session has the value of its first event, of any user and any time', async () => {
    const expected = ['mail 2', ' 1', 'shop 1', 'week 1']
    expect(await purchasesBy({ property: 'ad', source: SESSION_ENTRY })).toEqual(expected)
    const spec = { excludeBots: true }
    expect(await purchasesBy({ property: 'ad', source: SESSION_ENTRY }, { spec })).toEqual(expected)
  })

  test('by the first touch has the value of the first event of the user, under any of their ids', async () => {
    expect(await purchasesBy({ property: 'ad', source: FIRST_TOUCH })).toEqual([' 2', 'week 2', 'shop 1'])
    const range = { from: '10:15' }
    expect(await purchasesBy({ property: 'ad', source: FIRST_TOUCH }, { range })).toEqual(['shop 1'])
  })

  test('by a trait has the current one', async () => {
    expect(await purchasesBy({ property: 'plan', source: PROFILE })).toEqual([' 3', 'team 2'])
  })

  test('names a property under one source', async () => {
    const spec = { breakdowns: [{ property: 'ad' }, { property: 'ad', source: FIRST_TOUCH }] }
    await expect(purchasesBy({ property: 'ad' }, { spec })).rejects.toThrow('must not name a property twice')
    const auto = purchasesBy({ property: 'ad', source: PropertySource.AUTO })
    await expect(auto).rejects.toThrow('must start with $ for an auto property')
  })
})

test.each([
  [SESSION_ENTRY, 'mail', [' 1', 'team 1']],
  [FIRST_TOUCH, 'week', ['team 2']],
])('a condition and a breakdown may have different sources: %i', async (source, value, expected) => {
  const filters = [{ property: 'ad', operator: FilterOperator.EQUALS, value, source }]
  const spec = { filterGroups: [{ filters }] }
  expect(await purchasesBy({ property: 'plan', source: PROFILE }, { spec })).toEqual(expected)
})

test('conditions on one first event read the history once', async () => {
  const filters = ['a', 'b', 'c'].map((value) => ({
    property: 'ad',
    operator: FilterOperator.NOT_EQUALS,
    value,
    source: SESSION_ENTRY,
  }))
  const own = { property: 'ad', operator: FilterOperator.IS_SET }
  const filterGroups = [{ filters: [...filters, own] }]
  const request = sampleRequest({ insightType: InsightType.SEGMENTATION, filterGroups })
  const { run: scripted, statements } = createScriptedRunner([{ total: 0, values: [] }])
  await prepareInsight(request, { projectId: asProjectId(1), projectTimeZone: 'UTC' }).answer(scripted)
  expect(statements[0]?.text.match(/argMin/g)).toHaveLength(1)
})

test.each([
  [FIRST_TOUCH, FilterOperator.EQUALS, ['ada']],
  [FIRST_TOUCH, FilterOperator.NOT_EQUALS, ['bob', 'zoe']],
  [SESSION_ENTRY, FilterOperator.EQUALS, ['ada']],
  [SESSION_ENTRY, FilterOperator.IS_NOT_SET, ['bob', 'zoe']],
])('people are listed by source %i and operator %i', async (source, operator, ids) => {
  const value = operator === FilterOperator.IS_NOT_SET ? '' : 'week'
  const request = create(ListRequestSchema, {
    filterGroups: [{ filters: [{ property: 'ad', operator, value, source }] }],
  })
  const found: string[] = []
  for await (const { profiles } of listProfiles({ request, projectId, run }))
    found.push(...profiles.map(({ externalId, id = '' }) => externalId || id))
  expect(found.sort()).toEqual(ids)
})

test.each([
  [SESSION_ENTRY, '', ['mail', 'shop', 'week']],
  [FIRST_TOUCH, '', ['shop', 'week']],
  [SESSION_ENTRY, 'view', []],
])(
  'the values of source %i with events %j are those of its sessions or users',
  async (source, eventKind, values) => {
    const request = { propertyKey: 'ad', source, eventKind, search: '' }
    const listed = await listPropertyValues({ request, projectId, reason: 'INVALID_INSIGHT_QUERY', run })
    expect(listed.values).toEqual(values)
  },
)
