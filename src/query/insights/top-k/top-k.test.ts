import { create, fromJson, type JsonObject, type MessageInitShape } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  answerSample,
  resultOf,
  sampleProfile,
  sampleRequest,
  sampleWorld,
} from '../../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../../test/differential/world-store.ts'
import { printStatements } from '../../../../test/harness/print-statements.ts'
import { createScriptedRunner, recordStatements } from '../../../../test/harness/scripted-runner.ts'
import { AggregationType } from '../../../contract/gen/shared/insights/v1/event_query_pb.js'
import {
  type InsightQuerySpec,
  InsightQuerySpecSchema,
  InsightType,
} from '../../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { QueryResponseSchema } from '../../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { TopKRow } from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import {
  TopKQuery_Dimension as Dimension,
  type TopKQuerySchema,
} from '../../../contract/gen/shared/insights/v1/top_k_query_pb.js'
import { asProjectId, type ProjectId } from '../../../contract/ids.ts'
import { prepareInsight } from '../../insight-types.ts'
import { computedCells } from '../../sql/day-cells.ts'
import type { Statement } from '../../sql/sql.ts'

type Query = MessageInitShape<typeof TopKQuerySchema>

const BY_PLAN = { dimension: Dimension.PROPERTY, property: 'plan' }
const BY_BROWSER = { dimension: Dimension.PROPERTY, property: '$browser' }
const BY_KIND = { dimension: Dimension.EVENT_KIND }
const BY_USER = { dimension: Dimension.USER }

function topKSpec(topK: Query, { includeCookieless = false } = {}): InsightQuerySpec {
  return create(InsightQuerySpecSchema, { insightType: InsightType.TOP_K, topK, includeCookieless })
}

function mapSpec(metric: AggregationType, metricProperty = ''): InsightQuerySpec {
  return create(InsightQuerySpecSchema, { insightType: InsightType.MAP, map: { metric, metricProperty } })
}

const prepare = (spec: InsightQuerySpec) =>
  prepareInsight(sampleRequest(spec), { projectId: asProjectId(9), projectTimeZone: 'UTC' })

/** The statements of a spec whose results are empty. */
async function statementsOf(spec: InsightQuerySpec): Promise<readonly Statement[]> {
  return await recordStatements(prepare(spec))
}

describe('statements', () => {
  test('event counts need no sorting of the groups', async () => {
    expect(
      printStatements(...(await statementsOf(topKSpec({ ...BY_KIND, limit: 3 })))),
    ).toMatchInlineSnapshot(`
      "
      SELECT tupleElement(
        arrayJoin(
          arraySlice(groupArraySorted(100)((-toInt64(state0), toString(key0), user)), 1, {p0:Int64})
        ) AS entry,
        2
      ),
        tupleElement(entry, 3),
        -tupleElement(entry, 1),
        toInt64(sum(state0))
      FROM (
        SELECT kind AS key0, toUInt64(0) AS user, count() AS state0
        FROM events FINAL
        PREWHERE project = {p1:UInt32}
          AND indexHint(
            toDate(time) >= toDate(fromUnixTimestamp64Milli({p2:Int64}, 'UTC')),
            toDate(time) <= toDate(fromUnixTimestamp64Milli({p3:Int64}, 'UTC'))
          )
          AND time >= fromUnixTimestamp64Milli({p4:Int64}, 'UTC')
          AND time < fromUnixTimestamp64Milli({p5:Int64}, 'UTC')
        WHERE 1
        GROUP BY key0
      )
      p0 = 3
      p1 = 9
      p2 = 1767571200000
      p3 = 1767657599999
      p4 = 1767571200000
      p5 = 1767657600000
      "
    `)
  })

  test('values are ranked by merged user states, in one scan', async () => {
    const spec = topKSpec({ ...BY_BROWSER, metric: AggregationType.UNIQUE_USERS })
    expect(printStatements(...(await statementsOf(spec)))).toMatchInlineSnapshot(`
      "
      SELECT toString(any(key0)), any(user), ifNull(toFloat64(uniqExactArray(state0)), 0.), toInt64(rank)
      FROM (
        SELECT key0, user, state0, least(row_number() OVER (ORDER BY total DESC, key0), {p0:Int64}) AS rank
        FROM (
          SELECT key0, user, state0, ifNull(toFloat64(arrayUniq(state0)), 0.) AS total
          FROM (
            SELECT browser AS key0,
              toUInt64(0) AS user,
              arrayMap(
                hash -> dictGetOrDefault('identities', 'user_hash', hash, hash), groupUniqArray(user_hash)
              ) AS state0
            FROM events FINAL
            PREWHERE project = {p1:UInt32}
              AND indexHint(
                toDate(time) >= toDate(fromUnixTimestamp64Milli({p2:Int64}, 'UTC')),
                toDate(time) <= toDate(fromUnixTimestamp64Milli({p3:Int64}, 'UTC'))
              )
              AND time >= fromUnixTimestamp64Milli({p4:Int64}, 'UTC')
              AND time < fromUnixTimestamp64Milli({p5:Int64}, 'UTC')
            WHERE 1 AND NOT cookieless
            GROUP BY key0
          )
        )
      )
      GROUP BY rank
      ORDER BY rank
      p0 = 11
      p1 = 9
      p2 = 1767571200000
      p3 = 1767657599999
      p4 = 1767571200000
      p5 = 1767657600000
      "
    `)
  })

  test('users are grouped by hash and named before they are ranked', async () => {
    const metric = { metric: AggregationType.SUM, metricProperty: 'n' }
    const spec = topKSpec({ ...BY_USER, ...metric, omitOthers: true, scope: { kind: 'buy' } })
    expect(printStatements(...(await statementsOf(spec)))).toMatchInlineSnapshot(`
      "
      SELECT toString(key0), user, ifNull(toFloat64(state0), 0.) AS total
      FROM (
        SELECT if(external_id = '', id, external_id) AS key0, user, state0
        FROM (
          SELECT dictGetOrDefault('identities', 'user_hash', user_hash, user_hash) AS user,
            any(distinct_id) AS id,
            ifNull(
              sum(
                multiIf(
                  mapContains(ints, {p0:String}),
                  toFloat64(ints[{p0:String}]),
                  mapContains(doubles, {p0:String}),
                  doubles[{p0:String}],
                  if(
                    match(strings[{p0:String}], '^-?[0-9]+([.][0-9]+)?$')
                    AND isFinite(toFloat64OrNull(strings[{p0:String}])),
                    toFloat64OrNull(strings[{p0:String}]),
                    NULL
                  )
                )
              ),
              0.
            ) AS state0
          FROM events FINAL
          PREWHERE project = {p1:UInt32}
            AND indexHint(
              toDate(time) >= toDate(fromUnixTimestamp64Milli({p2:Int64}, 'UTC')),
              toDate(time) <= toDate(fromUnixTimestamp64Milli({p3:Int64}, 'UTC'))
            )
            AND time >= fromUnixTimestamp64Milli({p4:Int64}, 'UTC')
            AND time < fromUnixTimestamp64Milli({p5:Int64}, 'UTC')
            AND kind IN {p6:Array(String)}
          WHERE 1 AND NOT cookieless
          GROUP BY user
        ) AS users
        LEFT ANY JOIN (
          SELECT user_hash AS user, any(external_id) AS external_id
          FROM profiles
          WHERE project = {p7:UInt32}
          GROUP BY user
        ) AS names USING user
      )
      ORDER BY total DESC, key0
      LIMIT {p8:Int64}
      p0 = "n"
      p1 = 9
      p2 = 1767571200000
      p3 = 1767657599999
      p4 = 1767571200000
      p5 = 1767657600000
      p6 = ["buy"]
      p7 = 9
      p8 = 10
      "
    `)
  })

  test('users are counted without texts, and those of the ranking named', async () => {
    const { run, statements } = createScriptedRunner([{ user: 1n, sample: 2n, value: 3, total: 4 }])
    await prepare(topKSpec({ ...BY_USER, scope: { kind: 'buy' } })).answer(run)
    expect(printStatements(...statements.slice(0, 3))).toMatchInlineSnapshot(`
      "
      SELECT user, sample, toInt64(counted), toInt64(total)
      FROM (
        SELECT user, sample, counted, sum(counted) OVER () AS total
        FROM (
          SELECT dictGetOrDefault('identities', 'user_hash', user_hash, user_hash) AS user,
            any(user_hash) AS sample,
            sum(sent) AS counted
          FROM (
            SELECT user_hash, count() AS sent
            FROM events FINAL
            PREWHERE project = {p0:UInt32}
              AND indexHint(
                toDate(time) >= toDate(fromUnixTimestamp64Milli({p1:Int64}, 'UTC')),
                toDate(time) <= toDate(fromUnixTimestamp64Milli({p2:Int64}, 'UTC'))
              )
              AND time >= fromUnixTimestamp64Milli({p3:Int64}, 'UTC')
              AND time < fromUnixTimestamp64Milli({p4:Int64}, 'UTC')
              AND kind IN {p5:Array(String)}
            WHERE 1 AND NOT cookieless
            GROUP BY user_hash
          )
          GROUP BY user
        )
        ORDER BY counted DESC
        LIMIT {p6:Int64} WITH TIES
      )
      LIMIT {p7:Int64}
      p0 = 9
      p1 = 1767571200000
      p2 = 1767657599999
      p3 = 1767571200000
      p4 = 1767657600000
      p5 = ["buy"]
      p6 = 10
      p7 = 1001
      SELECT user_hash, any(external_id)
      FROM profiles
      WHERE project = {p0:UInt32} AND user_hash IN {p1:Array(UInt64)}
      GROUP BY user_hash
      p0 = 9
      p1 = ["1"]
      SELECT user_hash, any(distinct_id)
      FROM events
      PREWHERE project = {p0:UInt32}
        AND indexHint(
          toDate(time) >= toDate(fromUnixTimestamp64Milli({p1:Int64}, 'UTC')),
          toDate(time) <= toDate(fromUnixTimestamp64Milli({p2:Int64}, 'UTC'))
        )
        AND time >= fromUnixTimestamp64Milli({p3:Int64}, 'UTC')
        AND time < fromUnixTimestamp64Milli({p4:Int64}, 'UTC')
        AND user_hash IN {p5:Array(UInt64)}
      WHERE 1
      GROUP BY user_hash
      p0 = 9
      p1 = 1767571200000
      p2 = 1767657599999
      p3 = 1767571200000
      p4 = 1767657600000
      p5 = ["2"]
      "
    `)
  })

  test('pages with most events have a bit in a mask of each user', async () => {
    const { run, statements } = createScriptedRunner([{ key: '/', user: 0n, value: 3, total: 4 }])
    const spec = { dimension: Dimension.PROPERTY, property: '$pathname', limit: 3 }
    await prepare(topKSpec({ ...spec, metric: AggregationType.UNIQUE_USERS })).answer(run)
    expect(printStatements(...statements.slice(1))).toMatchInlineSnapshot(`
      "
      SELECT arrayMap(own -> toInt64(own), users), toInt64(others)
      FROM (
        SELECT users, arrayCount(mask -> bitAnd(mask, bitNot(arraySum(top))) != 0, masks) AS others
        FROM (
          SELECT masks,
            users,
            arraySlice(
              arraySort((bit, own, key) -> (-toInt64(own), key), {p0:Array(UInt64)}, users, {p1:Array(String)}),
              1,
              {p2:Int64}
            ) AS top
          FROM (
            SELECT groupArray(mask) AS masks,
              sumForEach(arrayMap(bit -> bitAnd(mask, bit) != 0, {p0:Array(UInt64)})) AS users
            FROM (
              SELECT dictGetOrDefault('identities', 'user_hash', user_hash, user_hash) AS user,
                groupBitOr(sent) AS mask
              FROM (
                SELECT user_hash,
                  groupBitOr(
                    transform(
                      toString(pathname), {p1:Array(String)}, {p0:Array(UInt64)}, bitShiftLeft(toUInt64(1), 63)
                    )
                  ) AS sent
                FROM events FINAL
                PREWHERE project = {p3:UInt32}
                  AND indexHint(
                    toDate(time) >= toDate(fromUnixTimestamp64Milli({p4:Int64}, 'UTC')),
                    toDate(time) <= toDate(fromUnixTimestamp64Milli({p5:Int64}, 'UTC'))
                  )
                  AND time >= fromUnixTimestamp64Milli({p6:Int64}, 'UTC')
                  AND time < fromUnixTimestamp64Milli({p7:Int64}, 'UTC')
                WHERE 1 AND NOT cookieless
                GROUP BY user_hash
              )
              GROUP BY user
            )
          )
        )
      )
      p0 = ["1"]
      p1 = ["/"]
      p2 = 3
      p3 = 9
      p4 = 1767571200000
      p5 = 1767657599999
      p6 = 1767571200000
      p7 = 1767657600000
      "
    `)
  })

  test('a map has every country', async () => {
    expect(
      printStatements(...(await statementsOf(mapSpec(AggregationType.UNSPECIFIED)))),
    ).toMatchInlineSnapshot(`
      "
      SELECT toString(key0), user, ifNull(toFloat64(state0), 0.) AS total
      FROM (
        SELECT country AS key0, toUInt64(0) AS user, count() AS state0
        FROM events FINAL
        PREWHERE project = {p0:UInt32}
          AND indexHint(
            toDate(time) >= toDate(fromUnixTimestamp64Milli({p1:Int64}, 'UTC')),
            toDate(time) <= toDate(fromUnixTimestamp64Milli({p2:Int64}, 'UTC'))
          )
          AND time >= fromUnixTimestamp64Milli({p3:Int64}, 'UTC')
          AND time < fromUnixTimestamp64Milli({p4:Int64}, 'UTC')
        WHERE 1 AND country != ''
        GROUP BY key0
      )
      ORDER BY total DESC, key0
      p0 = 9
      p1 = 1767571200000
      p2 = 1767657599999
      p3 = 1767571200000
      p4 = 1767657600000
      "
    `)
  })
})

const SCENE = { timeZone: 'UTC', anchorMs: 0 }
const BOB_ID = '01930000-0000-7000-8000-0000000000b0'
const bob = {
  ...sampleProfile('bob', { anonymousIds: ['anon-bob'], traits: { tier: 'gold', note: null } }),
  profileId: BOB_ID,
}
const world = sampleWorld(
  [
    { at: '10:00', by: 'anna', properties: { plan: 'pro', n: 1n, $country: 'DE', $browser: 'A' } },
    { at: '10:01', by: 'anna', properties: { plan: 'free', n: 5n, $country: 'DE', $browser: 'B' } },
    { at: '10:02', by: 'anon-bob', properties: { plan: 'pro', n: 3n, $country: 'FR', $browser: 'A' } },
    { at: '10:03', by: 'bob', kind: 'buy', properties: { n: 4n, $country: '', $browser: 'C' } },
    { at: '10:04', by: BOB_ID, kind: 'buy', properties: { plan: 'é', $country: 'FR', $browser: 'C' } },
    { at: '10:05', by: 'cookieless-x', kind: 'buy', properties: { plan: '$others', $country: 'IT' } },
    { at: '10:06', by: 'cookieless-x', kind: 'buy', properties: { plan: '$others' } },
    { at: '10:07', by: 'Zoe', properties: { plan: 'Pro', n: 9n } },
    { at: '2026-01-06T00:00:00Z', by: 'late', properties: { plan: 'pro', n: 100n } },
  ],
  [bob],
)

describe('answers', () => {
  let store: WorldStore
  let projectId: ProjectId

  beforeAll(async () => {
    store = await openSharedWorldStore()
    projectId = await store.load({ seed: 0, world, copies: world.events, scene: SCENE, instants: [] })
    await store.settle()
  })

  afterAll(async () => {
    await store.close()
  })

  async function run(spec: InsightQuerySpec): Promise<readonly TopKRow[]> {
    const insight = prepareInsight(sampleRequest(spec), { projectId, projectTimeZone: 'UTC' })
    const answer = await insight.answer(async (query) => await store.run(query, AbortSignal.timeout(30_000)))
    const { result } = create(QueryResponseSchema, answer)
    if (result.case !== 'topK') throw new Error(`the answer is ${result.case}`)
    return result.value.rows
  }

  /** Rows as `value number`; the others row is in brackets. */
  async function show(spec: InsightQuerySpec): Promise<readonly string[]> {
    const rows = await run(spec)
    return rows.map(({ dimensionValue, value, isOthers }) =>
      isOthers ? `(${dimensionValue}) ${value}` : `${dimensionValue} ${value}`,
    )
  }

  test('ties go by bytes, the empty text is a row, and a value may have the label of the others', async () => {
    expect(await show(topKSpec(BY_PLAN))).toEqual(['$others 2', 'pro 2', ' 1', 'Pro 1', 'free 1', 'é 1'])
  })

  test.each<[what: string, query: Query, expected: readonly string[]]>([
    ['events', BY_PLAN, ['$others 2', '($others) 6']],
    [
      'a limit that covers all values',
      { ...BY_PLAN, limit: 6 },
      ['$others 2', 'pro 2', ' 1', 'Pro 1', 'free 1', 'é 1'],
    ],
    ['users of any text', { ...BY_PLAN, metric: AggregationType.UNIQUE_USERS }, ['pro 2', '($others) 3']],
    ['users of a column', { ...BY_BROWSER, metric: AggregationType.UNIQUE_USERS }, ['A 2', '($others) 3']],
    [
      'a mean',
      { ...BY_PLAN, metric: AggregationType.AVG, metricProperty: 'n' },
      ['Pro 9', `($others) ${13 / 4}`],
    ],
    [
      'events per user',
      { ...BY_BROWSER, metric: AggregationType.PER_USER_AVG },
      ['C 2', '($others) 1.3333333333333333'],
    ],
    [
      'nothing but zeros',
      { ...BY_PLAN, metric: AggregationType.MAX, metricProperty: 'x' },
      [' 0', '($others) 0'],
    ],
  ])('others: %s', async (_, query, expected) => {
    expect(await show(topKSpec({ limit: 1, ...query }))).toEqual(expected)
    expect(await show(topKSpec({ limit: 1, ...query, omitOthers: true }))).toEqual(
      expected.filter((row) => !row.startsWith('($others)')),
    )
  })

  test('a scope restricts the ranking', async () => {
    expect(await show(topKSpec({ ...BY_KIND, scope: { kind: 'buy' } }))).toEqual(['buy 4'])
    expect(await show(topKSpec({ ...BY_KIND, scope: { kind: 'none' } }))).toEqual([])
  })

  test('all ids of a user are one row, with the profile', async () => {
    const rows = await run(topKSpec(BY_USER))
    expect(rows.map(({ dimensionValue, value }) => [dimensionValue, value])).toEqual([
      ['bob', 3],
      ['anna', 2],
      ['Zoe', 1],
    ])
    expect(rows.map(({ profile }) => profile?.externalId)).toEqual(['bob', undefined, undefined])
    expect(rows[0]?.profile).toMatchObject({ id: BOB_ID, properties: { tier: 'gold', note: null } })
  })

  test('cookieless visitors are excluded from user rankings unless requested, for every metric', async () => {
    const sums = { ...BY_USER, metric: AggregationType.SUM, metricProperty: 'n', limit: 1 }
    expect(await show(topKSpec(sums))).toEqual(['Zoe 9', '($others) 13'])
    expect(await show(topKSpec(BY_USER, { includeCookieless: true }))).toEqual([
      'bob 3',
      'anna 2',
      'cookieless-x 2',
      'Zoe 1',
    ])
  })

  test.each<[what: string, spec: InsightQuerySpec, expected: readonly string[]]>([
    ['events', mapSpec(AggregationType.UNSPECIFIED), ['DE 2', 'FR 2', 'IT 1']],
    ['a maximum', mapSpec(AggregationType.MAX, 'n'), ['DE 5', 'FR 3', 'IT 0']],
    ['users', mapSpec(AggregationType.UNIQUE_USERS), ['DE 1', 'FR 1']],
  ])('the map of %s', async (_, spec, expected) => {
    expect(await show(spec)).toEqual(expected)
  })
})

/** More pages than a statement counts the users of. */
const PAGES = 70

/** The first page has `events` events of as many users, the last one two of two users, and every other one two of one user. */
function pagesWorld(events: number) {
  const page = (index: number) => `/${String(index).padStart(2, '0')}`
  return sampleWorld([
    ...Array.from({ length: events }, (_, index) => ({
      at: '09:00',
      by: `u${index}`,
      properties: { $pathname: page(0) },
    })),
    ...Array.from({ length: PAGES }, (_, index) =>
      [0, 1].map((second) => ({
        at: '10:00',
        by: index === PAGES - 1 ? `v${second}` : 'w',
        properties: { $pathname: page(index + 1) },
      })),
    ).flat(),
  ])
}

describe('many values and users', () => {
  let store: WorldStore
  beforeAll(async () => {
    store = await openSharedWorldStore()
  })
  afterAll(async () => {
    await store.close()
  })

  /** The rows of the service and of the reference, and how many statements the service ran. */
  async function compare(sample: ReturnType<typeof sampleWorld>, query: Query) {
    const spec = topKSpec(query)
    const projectId = await store.load({
      seed: 0,
      world: sample,
      copies: sample.events,
      scene: SCENE,
      instants: [],
    })
    await store.settle()
    let statements = 0
    const insight = prepareInsight(sampleRequest(spec), { projectId, projectTimeZone: 'UTC' })
    const answer = await insight.answer(async (query) => {
      statements++
      const found = await store.run(query, AbortSignal.timeout(30_000))
      const { days } = query
      if (!days) return found
      const overCells = { ...query, statement: days.over(computedCells(days)) }
      expect(await store.run(overCells, AbortSignal.timeout(30_000))).toEqual(found)
      return found
    })
    const rowsOf = (result: TopKRow[]) =>
      result.map(({ dimensionValue, value, isOthers }) => [dimensionValue, value, isOthers])
    return {
      statements,
      rows: rowsOf(resultOf(create(QueryResponseSchema, answer), 'topK').rows),
      expected: rowsOf(resultOf(answerSample(sample, spec), 'topK').rows),
    }
  }

  const byUsers = {
    dimension: Dimension.PROPERTY,
    metric: AggregationType.UNIQUE_USERS,
    property: '$pathname',
  }

  test.each<[what: string, events: number, limit: number, statements: number]>([
    ['the pages with most events have more users than others have events', 5, 1, 2],
    ['pages have about as many events as each other', 3, 1, 2],
    ['the limit exceeds the bits', 5, 64, 2],
  ])('pages by users: %s', async (_, events, limit, expectedStatements) => {
    const { rows, expected, statements } = await compare(pagesWorld(events), { ...byUsers, limit })
    expect(rows).toEqual(expected)
    expect(statements).toBe(expectedStatements)
    const alone = await compare(pagesWorld(events), { ...byUsers, limit, omitOthers: true })
    expect(alone.rows).toEqual(alone.expected)
    expect(alone.statements).toBe(expectedStatements)
  })

  test('a page of one user with many events gives way to one of two users with few', async () => {
    const { events, people, timeZone } = pagesWorld(4)
    const ofOne = events.map((event) =>
      event.distinctId.startsWith('u') ? { ...event, distinctId: 'w' } : event,
    )
    const { rows, expected, statements } = await compare(
      { events: ofOne, people, timeZone },
      { ...byUsers, limit: 1 },
    )
    expect(rows).toEqual(expected)
    expect(rows[0]).toEqual([`/${PAGES}`, 2, false])
    expect(statements).toBe(3)
  })

  test('users with as many events as the last of the ranking go by their names', async () => {
    const tied = ['e', 'c', 'a', 'd', 'b'].flatMap((by) => [
      { at: '09:00', by },
      { at: '09:01', by },
    ])
    const sample = sampleWorld(
      [...tied, { at: '10:00', by: 'anon' }, { at: '10:01', by: 'anon' }],
      [{ ...sampleProfile('A', { anonymousIds: ['anon'] }), profileId: BOB_ID }],
    )
    for (const limit of [1, 3]) {
      for (const omitOthers of [false, true]) {
        const { rows, expected } = await compare(sample, { ...BY_USER, limit, omitOthers })
        expect(rows).toEqual(expected)
      }
    }
    const many = sampleWorld(Array.from({ length: 1001 }, (_, index) => ({ at: '09:00', by: `u${index}` })))
    const { rows, expected } = await compare(many, { ...BY_USER, limit: 2 })
    expect(rows).toEqual(expected)
  })
})

describe('rejected', () => {
  const property = { dimension: 'DIMENSION_PROPERTY', property: 'plan' }
  const user = { dimension: 'DIMENSION_USER' }

  test.each<[spec: JsonObject, field: string]>([
    [{ topK: {} }, 'topK.dimension'],
    [{}, 'topK'],
    [{ topK: { ...property, property: '' } }, 'topK.property'],
    [{ topK: { ...property, property: 'a b' } }, 'topK.property'],
    [{ topK: { ...user, property: 'plan' } }, 'topK.property'],
    [{ topK: { ...user, limit: 101 } }, 'topK.limit'],
    [{ topK: { ...user, limit: -1 } }, 'topK.limit'],
    [{ topK: { ...user, metric: 'AGGREGATION_TYPE_PER_USER_AVG' } }, 'topK.metric'],
    [{ topK: { ...user, metric: 'AGGREGATION_TYPE_SUM' } }, 'topK.metricProperty'],
    [{ topK: { ...user, scope: { filters: [{ property: 'a' }] } } }, 'topK.scope.filters[0].operator'],
    [{ topK: user, events: [{}] }, 'events'],
    [{ topK: user, map: {} }, 'map'],
    [{ insightType: 'INSIGHT_TYPE_MAP' }, 'map'],
    [{ insightType: 'INSIGHT_TYPE_MAP', map: { metric: 'AGGREGATION_TYPE_SUM' } }, 'map.metricProperty'],
    [{ insightType: 'INSIGHT_TYPE_MAP', map: { metricProperty: 'n' } }, 'map.metricProperty'],
  ])('%j', async (spec, field) => {
    const message = fromJson(InsightQuerySpecSchema, { insightType: 'INSIGHT_TYPE_TOP_K', ...spec })
    await expect(statementsOf(message)).rejects.toMatchObject({
      code: 'invalid_argument',
      reason: 'INVALID_INSIGHT_QUERY',
      violations: [{ field: `spec.${field}` }],
    })
  })
})
