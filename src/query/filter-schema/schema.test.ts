import { create } from '@bufbuild/protobuf'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { msOf, sampleProfile, sampleWorld } from '../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../test/differential/world-store.ts'
import { printStatements } from '../../../test/harness/print-statements.ts'
import {
  GetFilterSchemaResponseSchema,
  type PropertyKeyMeta,
} from '../../contract/gen/common/v1/filter_schema_pb.js'
import { PropertySource, PropertyValueType } from '../../contract/gen/common/v1/property_pb.js'
import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import type { QueryRunner } from '../sql/select.ts'
import { render } from '../sql/sql.ts'
import { compileEventKeys, compileKinds, compileTraitKeys } from './compile-schema.ts'
import { describeFilterSchema } from './filter-schema.ts'
import { compileFirstEvent } from './first-event.ts'
import { listPropertyValues, type PropertyValuesRequest } from './property-values.ts'

const { AUTO, CUSTOM, PROFILE, UNSPECIFIED } = PropertySource
const SCENE = { timeZone: 'UTC', anchorMs: 0 }

function person(name: string, traits: Parameters<typeof sampleProfile>[1]['traits'] & object) {
  return { ...sampleProfile(name, { traits }), profileId: crypto.randomUUID() }
}

const world = sampleWorld(
  [
    { at: '10:00', by: 'a', properties: { n: 1n, $os: 'mac', doc: '{"k":"v"}', $level: 3n } },
    { at: '10:01', by: 'b', properties: { n: 1.5, $os: '', $url: 7n } },
    { at: '10:02', by: 'c', properties: { n: '1', $os: 4n, $url: 8n } },
    { at: '10:03', by: 'd', kind: 'buy', properties: { n: 2n, $os: 'win', at: new Date(5) } },
    { at: '10:04', by: 'cookieless-x', kind: 'buy', properties: { n: 2n, $os: 'win', $url: 'u', ok: true } },
  ],
  [
    person('zoe', { tier: 'gold', age: 5, note: null, $odd: 'x', address: { city: 'Bonn' } }),
    person('yan', { tier: 'blue', age: 5.5, tags: [1] }),
    person('xia', { tier: 'gold', age: 1e21, address: '{"city":"Köln"}' }),
    person('wim', { tier: '', note: 'n', address: { city: 'Bonn' } }),
  ],
)

describe('in the store', () => {
  let store: WorldStore
  let projectId: ProjectId
  const run: QueryRunner = async (query) => await store.run(query, AbortSignal.timeout(30_000))

  beforeAll(async () => {
    store = await openSharedWorldStore()
    projectId = await store.load({ seed: 0, world, copies: world.events, scene: SCENE, instants: [] })
    await store.settle()
  })

  afterAll(async () => {
    await store.close()
  })

  async function schema(eventKind = '', allowedTypes: PropertyValueType[] = []) {
    const answer = await describeFilterSchema({ request: { eventKind, allowedTypes }, projectId, run })
    return create(GetFilterSchemaResponseSchema, answer)
  }

  const show = (keys: readonly PropertyKeyMeta[]): readonly string[] =>
    keys.map(({ name, count, valueType }) => `${name} ${count} ${PropertyValueType[valueType]}`)

  test('kinds and keys are counted without duplicates', async () => {
    const { events, autoPropertyKeys, customPropertyKeys, profilePropertyKeys } = await schema()
    expect(events.map(({ name, count }) => `${name} ${count}`)).toEqual(['view 3', 'buy 2'])
    expect(show(autoPropertyKeys)).toEqual(['$os 5 STRING', '$url 3 INTEGER', '$level 1 INTEGER'])
    expect(show(customPropertyKeys)).toEqual(['n 5 INTEGER', 'at 1 DATETIME', 'doc 1 STRING', 'ok 1 BOOLEAN'])
    expect(show(profilePropertyKeys)).toEqual([
      'tier 4 STRING',
      'address 3 OTHER',
      'age 3 INTEGER',
      'note 2 STRING',
      '$odd 1 STRING',
      'tags 1 OTHER',
    ])
  })

  test('each has the time when it was last seen', async () => {
    const { events, autoPropertyKeys } = await schema()
    expect(events.map(({ lastSeenAt }) => lastSeenAt && timestampMs(lastSeenAt))).toEqual([
      msOf('10:02'),
      msOf('10:04'),
    ])
    expect(autoPropertyKeys.map(({ lastSeenAt }) => lastSeenAt && timestampMs(lastSeenAt))).toEqual([
      msOf('10:04'),
      msOf('10:04'),
      msOf('10:00'),
    ])
  })

  test('a project has the time of its first event, and 0 without events', async () => {
    const firstOf = async (project: ProjectId) => await run(compileFirstEvent(project))
    expect(await firstOf(projectId)).toEqual([{ firstMs: msOf('10:00') }])
    expect(await firstOf(asProjectId(98_765))).toEqual([{ firstMs: 0 }])
  })

  test('the version of a trait gives the time when it was set', async () => {
    const setMs = Date.parse('2026-02-03T04:05:06.789Z')
    await store.clickhouse.command({
      query: `INSERT INTO traits SELECT 99, 1, 'tier', '"gold"', bitShiftLeft(toUInt64({us:Int64}), 12) + 4095`,
      query_params: { us: setMs * 1000 },
    })
    const rows = await run(compileTraitKeys({ projectId: asProjectId(99), allowedTypes: [] }))
    expect(rows).toEqual([{ name: 'tier', count: 1n, lastMs: setMs, valueType: PropertyValueType.STRING }])
  })

  test('a kind narrows the keys of events, and types narrow all keys', async () => {
    const ofBuy = await schema('buy')
    expect(ofBuy.events).toHaveLength(2)
    expect(show(ofBuy.customPropertyKeys)).toEqual(['n 2 INTEGER', 'at 1 DATETIME', 'ok 1 BOOLEAN'])
    expect(show(ofBuy.autoPropertyKeys)).toEqual(['$os 2 STRING', '$url 1 STRING'])
    const some = await schema('', [PropertyValueType.OTHER, PropertyValueType.DATETIME])
    expect(show(some.customPropertyKeys)).toEqual(['at 1 DATETIME'])
    expect(show(some.autoPropertyKeys)).toEqual([])
    expect(show(some.profilePropertyKeys)).toEqual(['address 3 OTHER', 'tags 1 OTHER'])
  })

  test('no list is longer than its limit', async () => {
    const keys = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, true]))
    const events = [1, 2, 3].map((part) => ({
      at: '10:00',
      properties: Object.fromEntries(
        Object.keys(keys).flatMap((key) => [
          [`${key}-${part}`, true],
          [`$${key}-${part}`, true],
        ]),
      ),
    }))
    const many = await store.load({
      seed: 0,
      world: sampleWorld(events),
      copies: [],
      scene: SCENE,
      instants: [],
    })
    const answer = create(
      GetFilterSchemaResponseSchema,
      await describeFilterSchema({ request: { eventKind: '', allowedTypes: [] }, projectId: many, run }),
    )
    expect(answer.autoPropertyKeys).toHaveLength(500)
    expect(answer.customPropertyKeys).toHaveLength(500)
    expect(answer.customPropertyKeys[0]?.name).toBe('k0-1')
  })

  async function values(request: Omit<PropertyValuesRequest, 'search'>, search = '') {
    const call = { request: { ...request, search }, projectId, run }
    return await listPropertyValues({ ...call, reason: 'INVALID_INSIGHT_QUERY' })
  }

  test.each<[key: string, source: PropertySource, kind: string, expected: readonly string[]]>([
    ['n', CUSTOM, '', ['1', '2', '1.5']],
    ['n', CUSTOM, 'buy', ['2']],
    ['$os', AUTO, '', ['win', '4', 'mac']],
    ['$level', AUTO, '', ['3']],
    ['at', CUSTOM, '', ['1970-01-01T00:00:00.005Z']],
    ['doc.k', CUSTOM, '', ['v']],
    ['tier', PROFILE, '', ['gold', 'blue']],
    ['tier', PROFILE, 'buy', ['gold', 'blue']],
    ['note', PROFILE, '', ['n']],
    ['age', PROFILE, '', ['1e+21', '5', '5.5']],
    ['address.city', PROFILE, '', ['Bonn', 'Köln']],
    ['n', PROFILE, '', []],
  ])('values of %s (source %i, kind %j)', async (propertyKey, source, eventKind, expected) => {
    expect((await values({ propertyKey, source, eventKind })).values).toEqual(expected)
  })

  test('values have their counts, of events or of profiles', async () => {
    const ofOs = await values({ propertyKey: '$os', source: AUTO, eventKind: '' })
    expect(ofOs).toEqual({ values: ['win', '4', 'mac'], counts: [2n, 1n, 1n] })
    const ofTier = await values({ propertyKey: 'tier', source: PROFILE, eventKind: '' })
    expect(ofTier).toEqual({ values: ['gold', 'blue'], counts: [2n, 1n] })
  })

  test.each<[key: string, source: PropertySource, search: string, expected: readonly string[]]>([
    ['$os', AUTO, 'A', ['mac']],
    ['$os', AUTO, 'windows', []],
    ['n', CUSTOM, '1', ['1', '1.5']],
    ['address.city', PROFILE, 'KÖ', ['Köln']],
    ['tier', PROFILE, "'%_\\", []],
  ])('values of %s (source %i) that contain %j', async (propertyKey, source, search, expected) => {
    expect((await values({ propertyKey, source, eventKind: '' }, search)).values).toEqual(expected)
  })

  test('recent events are counted from an instant on, and without one not at all', async () => {
    const recentSince = timestampFromMs(msOf('10:02'))
    const request = { eventKind: '', allowedTypes: [], recentSince }
    const { events } = create(
      GetFilterSchemaResponseSchema,
      await describeFilterSchema({ request, projectId, run }),
    )
    expect(events.map(({ name, count, recentCount }) => `${name} ${count} ${recentCount}`)).toEqual([
      'view 3 1',
      'buy 2 2',
    ])
    expect(events.map(({ firstSeenAt }) => firstSeenAt && timestampMs(firstSeenAt))).toEqual([
      msOf('10:00'),
      msOf('10:03'),
    ])
    expect((await schema()).events.map(({ recentCount }) => recentCount)).toEqual([0n, 0n])
  })

  test('at most 100 values are listed', async () => {
    const events = Array.from({ length: 101 }, (_, index) => ({
      at: '10:00',
      properties: { n: 100 + index },
    }))
    const many = await store.load({
      seed: 0,
      world: sampleWorld(events),
      copies: [],
      scene: SCENE,
      instants: [],
    })
    const request = { propertyKey: 'n', source: CUSTOM, eventKind: '', search: '' }
    const answer = await listPropertyValues({
      request,
      projectId: many,
      reason: 'INVALID_INSIGHT_QUERY',
      run,
    })
    expect([answer.values.length, answer.values[0], answer.values.at(-1)]).toEqual([100, '100', '199'])
  })
})

test('events are grouped by their key sets', () => {
  const projectId = asProjectId(9)
  expect(
    printStatements(render(compileKinds({ projectId, recentSinceMs: 5 }).statement)),
  ).toMatchInlineSnapshot(`
    "
    SELECT toString(name), toInt64(total), lastMs, firstMs, toInt64(recent)
    FROM (
      SELECT kind AS name,
        count() AS total,
        countIf(time >= fromUnixTimestamp64Milli({p0:Int64}, 'UTC')) AS recent,
        toUnixTimestamp64Milli(min(time)) AS firstMs,
        toUnixTimestamp64Milli(max(time)) AS lastMs
      FROM events FINAL
      PREWHERE project = {p1:UInt32}
        AND indexHint(
          toDate(time) >= toDate(fromUnixTimestamp64Milli({p2:Int64}, 'UTC')),
          toDate(time) <= toDate(fromUnixTimestamp64Milli({p3:Int64}, 'UTC'))
        )
        AND time >= fromUnixTimestamp64Milli({p4:Int64}, 'UTC')
        AND time < fromUnixTimestamp64Milli({p5:Int64}, 'UTC')
      WHERE 1
      GROUP BY name
    )
    ORDER BY total DESC, name
    LIMIT 1000
    p0 = 5
    p1 = 9
    p2 = 0
    p3 = 4291747199999
    p4 = 0
    p5 = 4291747200000
    "
  `)
  const keys = compileEventKeys({ projectId, eventKinds: ['buy'], allowedTypes: [PropertyValueType.STRING] })
  expect(printStatements(render(keys.statement))).toMatchInlineSnapshot(`
    "
    SELECT toString(name), toInt64(total), lastMs, toInt64(valueType)
    FROM (
      SELECT name, lastMs, arraySum(counts) AS total, indexOf(counts, arrayMax(counts)) AS valueType
      FROM (
        SELECT name,
          lastMs,
          arrayConcat(
            [if(found[1] > 0, found[1] - arraySum(arraySlice(found, 3)), 0) + found[2]], arraySlice(found, 3)
          ) AS counts
        FROM (
          SELECT tupleElement(seen, 1) AS name,
            [
              toInt64(sumIf(events, tupleElement(seen, 2) = {p0:Int64})),
              toInt64(sumIf(events, tupleElement(seen, 2) = {p1:Int64})),
              toInt64(sumIf(events, tupleElement(seen, 2) = {p2:Int64})),
              toInt64(sumIf(events, tupleElement(seen, 2) = {p3:Int64})),
              toInt64(sumIf(events, tupleElement(seen, 2) = {p4:Int64})),
              toInt64(sumIf(events, tupleElement(seen, 2) = {p5:Int64}))
            ] AS found,
            toUnixTimestamp64Milli(max(last)) AS lastMs
          FROM (
            SELECT bitShiftLeft(toUInt64(notEmpty(url)), {p6:Int64}) + bitShiftLeft(toUInt64(notEmpty(pathname)), {p7:Int64}) + bitShiftLeft(toUInt64(notEmpty(hostname)), {p8:Int64}) + bitShiftLeft(toUInt64(notEmpty(title)), {p9:Int64}) + bitShiftLeft(toUInt64(notEmpty(referrer)), {p10:Int64}) + bitShiftLeft(
              toUInt64(notEmpty(referrer_domain)), {p11:Int64}
            ) + bitShiftLeft(toUInt64(notEmpty(channel)), {p12:Int64}) + bitShiftLeft(toUInt64(notEmpty(utm_source)), {p13:Int64}) + bitShiftLeft(toUInt64(notEmpty(utm_medium)), {p14:Int64}) + bitShiftLeft(toUInt64(notEmpty(utm_campaign)), {p15:Int64}) + bitShiftLeft(toUInt64(notEmpty(utm_term)), {p16:Int64}) + bitShiftLeft(toUInt64(notEmpty(utm_content)), {p17:Int64}) + bitShiftLeft(toUInt64(notEmpty(browser)), {p18:Int64}) + bitShiftLeft(toUInt64(notEmpty(browser_version)), {p19:Int64}) + bitShiftLeft(toUInt64(notEmpty(os)), {p20:Int64}) + bitShiftLeft(toUInt64(notEmpty(os_version)), {p21:Int64}) + bitShiftLeft(toUInt64(notEmpty(device)), {p22:Int64}) + bitShiftLeft(toUInt64(notEmpty(device_type)), {p23:Int64}) + bitShiftLeft(toUInt64(notEmpty(country)), {p24:Int64}) + bitShiftLeft(toUInt64(notEmpty(region)), {p25:Int64}) + bitShiftLeft(toUInt64(notEmpty(city)), {p26:Int64}) + bitShiftLeft(toUInt64(notEmpty(continent)), {p27:Int64}) + bitShiftLeft(toUInt64(notEmpty(language)), {p28:Int64}) AS promoted,
              strings.keys AS key0,
              ints.keys AS key1,
              doubles.keys AS key2,
              bools.keys AS key3,
              times.keys AS key4,
              count() AS events,
              max(time) AS last
            FROM events FINAL
            PREWHERE project = {p29:UInt32}
              AND indexHint(
                toDate(time) >= toDate(fromUnixTimestamp64Milli({p30:Int64}, 'UTC')),
                toDate(time) <= toDate(fromUnixTimestamp64Milli({p31:Int64}, 'UTC'))
              )
              AND time >= fromUnixTimestamp64Milli({p32:Int64}, 'UTC')
              AND time < fromUnixTimestamp64Milli({p33:Int64}, 'UTC')
              AND kind IN {p34:Array(String)}
            WHERE 1
            GROUP BY promoted, key0, key1, key2, key3, key4
          )
          ARRAY JOIN arrayConcat(
            arrayMap(bit -> ({p35:Array(String)}[bit + 1], {p36:Int64}), bitPositionsToArray(promoted)),
            arrayMap(name -> (name, {p37:Int64}), key0),
            arrayMap(name -> (name, {p38:Int64}), key1),
            arrayMap(name -> (name, {p39:Int64}), key2),
            arrayMap(name -> (name, {p40:Int64}), key3),
            arrayMap(name -> (name, {p41:Int64}), key4)
          ) AS seen
          GROUP BY name
        )
      )
    )
    WHERE valueType IN {p42:Array(Int64)}
    ORDER BY total DESC, name
    LIMIT 500 BY startsWith(name, '$')
    p0 = 0
    p1 = 1
    p2 = 2
    p3 = 3
    p4 = 4
    p5 = 5
    p6 = 0
    p7 = 1
    p8 = 2
    p9 = 3
    p10 = 4
    p11 = 5
    p12 = 6
    p13 = 7
    p14 = 8
    p15 = 9
    p16 = 10
    p17 = 11
    p18 = 12
    p19 = 13
    p20 = 14
    p21 = 15
    p22 = 16
    p23 = 17
    p24 = 18
    p25 = 19
    p26 = 20
    p27 = 21
    p28 = 22
    p29 = 9
    p30 = 0
    p31 = 4291747199999
    p32 = 0
    p33 = 4291747200000
    p34 = ["buy"]
    p35 = ["$url","$pathname","$hostname","$title","$referrer","$referrerDomain","$channel","$utmSource","$utmMedium","$utmCampaign","$utmTerm","$utmContent","$browser","$browserVersion","$os","$osVersion","$device","$deviceType","$country","$region","$city","$continent","$language"]
    p36 = 0
    p37 = 1
    p38 = 2
    p39 = 3
    p40 = 4
    p41 = 5
    p42 = [1]
    "
  `)
})

test.each<[propertyKey: string, source: PropertySource, field: string]>([
  ['', CUSTOM, 'propertyKey'],
  ['a b', CUSTOM, 'propertyKey'],
  ['$', AUTO, 'propertyKey'],
  ['n', AUTO, 'propertyKey'],
  ['$os', CUSTOM, 'propertyKey'],
  ['n', UNSPECIFIED, 'source'],
  ['n', 99 as PropertySource, 'source'],
])('values of %j are rejected for source %i', async (propertyKey, source, field) => {
  const request = { propertyKey, source, eventKind: '', search: '' }
  const call = { request, projectId: asProjectId(9), run: async () => [] }
  await expect(listPropertyValues({ ...call, reason: 'INVALID_ACTIVITY_FILTER' })).rejects.toMatchObject({
    code: 'invalid_argument',
    reason: 'INVALID_ACTIVITY_FILTER',
    violations: [{ field }],
  })
})
