import { create } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type EventSample,
  january,
  type RequestSample,
  resultOf,
  type SpecSample,
  sampleProfile,
  sampleRequest,
  sampleWorld,
} from '../../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../../test/differential/world-store.ts'
import { printStatements } from '../../../../test/harness/print-statements.ts'
import { recordOneStatement } from '../../../../test/harness/scripted-runner.ts'
import { AggregationType } from '../../../contract/gen/shared/insights/v1/event_query_pb.js'
import { Granularity, InsightType } from '../../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { QueryResponseSchema } from '../../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { RetentionResult } from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import { asProjectId, type ProjectId } from '../../../contract/ids.ts'
import { prepareInsight } from '../../insight-types.ts'
import type { Statement } from '../../sql/sql.ts'

const THREE_DAYS: RequestSample = { from: january(5, '00:00'), to: january(8, '00:00') }
const VIEWS = [{ event: { kind: 'view' } }]
const VIEW_THEN_BUY = [{ event: { kind: 'view' } }, { event: { kind: 'buy' } }]

function prepare(spec: SpecSample, projectId: ProjectId, sample: RequestSample) {
  const request = sampleRequest({ ...spec, insightType: InsightType.RETENTION }, sample)
  return prepareInsight(request, { projectId, projectTimeZone: 'UTC' })
}

/** The only statement of a spec. */
async function statementOf(spec: SpecSample, sample: RequestSample = THREE_DAYS): Promise<Statement> {
  return await recordOneStatement(prepare(spec, asProjectId(9), sample))
}

describe('statements', () => {
  test('one event: one set of buckets per user, in one scan', async () => {
    expect(printStatements(await statementOf({ events: VIEWS }))).toMatchInlineSnapshot(`
      "
      SELECT toInt64(cohort), groupArray(toInt64(bucket)), groupArray(toInt64(users))
      FROM (
        SELECT cohort, bucket, count() AS users
        FROM (
          SELECT cohort, arrayJoin(arrayPushBack(returns, {p0:UInt32})) AS bucket
          FROM (
            SELECT dictGetOrDefault('identities', 'user_hash', user_hash, user_hash) AS user,
              toUInt16(
                least(intDiv(min(toUnixTimestamp64Milli(time)) - {p1:Int64}, {p2:Int64}), {p3:Int64})
              ) AS cohort,
              bitPositionsToArray(
                groupBitOr(
                  bitShiftLeft(
                    toUInt64(1),
                    toUInt16(least(intDiv(toUnixTimestamp64Milli(time) - {p4:Int64}, {p5:Int64}), {p6:Int64}))
                  )
                )
              ) AS returns
            FROM events FINAL
            PREWHERE project = {p7:UInt32}
              AND indexHint(
                toDate(time) >= toDate(fromUnixTimestamp64Milli({p8:Int64}, 'UTC')),
                toDate(time) <= toDate(fromUnixTimestamp64Milli({p9:Int64}, 'UTC'))
              )
              AND time >= fromUnixTimestamp64Milli({p10:Int64}, 'UTC')
              AND time < fromUnixTimestamp64Milli({p11:Int64}, 'UTC')
              AND kind IN {p12:Array(String)}
            WHERE 1 AND NOT cookieless
            GROUP BY user
          )
        )
        GROUP BY cohort, bucket
      )
      GROUP BY cohort
      p0 = 3
      p1 = 1767571200000
      p2 = 86400000
      p3 = 2
      p4 = 1767571200000
      p5 = 86400000
      p6 = 2
      p7 = 9
      p8 = 1767571200000
      p9 = 1767830399999
      p10 = 1767571200000
      p11 = 1767830400000
      p12 = ["view"]
      "
    `)
  })

  test('two events and a breakdown: return times, and the value of the first start', async () => {
    const spec = { events: VIEW_THEN_BUY, breakdowns: [{ property: '$country' }], breakdownLimit: 3 }
    expect(printStatements(await statementOf(spec))).toMatchInlineSnapshot(`
      "
      SELECT toInt64(rank), any(keys), toInt64(cohort), groupArray(toInt64(bucket)), groupArray(toInt64(users))
      FROM (
        SELECT rank,
          any([key0]) AS keys,
          tupleElement(cell, 1) AS cohort,
          tupleElement(cell, 2) AS bucket,
          sum(tupleElement(cell, 3)) AS users
        FROM (
          SELECT key0, cells, least(row_number() OVER (ORDER BY total DESC, key0), {p0:Int64}) AS rank
          FROM (
            SELECT key0, groupArray((cohort, bucket, users)) AS cells, sumIf(users, bucket = {p1:UInt32}) AS total
            FROM (
              SELECT key0, cohort, bucket, count() AS users
              FROM (
                SELECT key0, cohort, arrayJoin(arrayPushBack(returns, {p2:UInt32})) AS bucket
                FROM (
                  SELECT toUInt16(least(intDiv(first - {p3:Int64}, {p4:Int64}), {p5:Int64})) AS cohort,
                    arrayDistinct(
                      arrayMap(
                        at -> toUInt16(least(intDiv(at - {p6:Int64}, {p7:Int64}), {p8:Int64})),
                        arrayFilter(at -> at >= first, seen)
                      )
                    ) AS returns,
                    key0
                  FROM (
                    SELECT dictGetOrDefault('identities', 'user_hash', user_hash, user_hash) AS user,
                      minIf(toUnixTimestamp64Milli(time), kind = {p9:String}) AS first,
                      groupArrayIf(toUnixTimestamp64Milli(time), kind = {p10:String}) AS seen,
                      argMinIf(
                        country,
                        toUInt64(toUnixTimestamp64Milli(time)) * toUInt256('340282366920938463463374607431768211456') + bitOr(
                          bitShiftLeft(reinterpretAsUInt128(event_id), 64),
                          bitShiftRight(reinterpretAsUInt128(event_id), 64)
                        ),
                        kind = {p9:String}
                      ) AS key0
                    FROM events FINAL
                    PREWHERE project = {p11:UInt32}
                      AND indexHint(
                        toDate(time) >= toDate(fromUnixTimestamp64Milli({p12:Int64}, 'UTC')),
                        toDate(time) <= toDate(fromUnixTimestamp64Milli({p13:Int64}, 'UTC'))
                      )
                      AND time >= fromUnixTimestamp64Milli({p14:Int64}, 'UTC')
                      AND time < fromUnixTimestamp64Milli({p15:Int64}, 'UTC')
                      AND kind IN {p16:Array(String)}
                    WHERE 1 AND NOT cookieless
                    GROUP BY user
                    HAVING countIf(kind = {p9:String}) > 0
                  )
                )
              )
              GROUP BY key0, cohort, bucket
            )
            GROUP BY key0
          )
        )
        ARRAY JOIN cells AS cell
        GROUP BY rank, cohort, bucket
      )
      GROUP BY rank, cohort
      p0 = 4
      p1 = 3
      p2 = 3
      p3 = 1767571200000
      p4 = 86400000
      p5 = 2
      p6 = 1767571200000
      p7 = 86400000
      p8 = 2
      p9 = "view"
      p10 = "buy"
      p11 = 9
      p12 = 1767571200000
      p13 = 1767830399999
      p14 = 1767571200000
      p15 = 1767830400000
      p16 = ["view","buy"]
      "
    `)
  })

  test.each([
    { days: 64, set: 'groupBitOr(bitShiftLeft(toUInt64(1)' },
    { days: 128, set: 'groupBitOr(bitShiftLeft(toUInt128(1)' },
    { days: 256, set: 'groupBitOr(bitShiftLeft(toUInt256(1)' },
    { days: 257, set: 'groupUniqArray(' },
  ])('$days buckets use the smallest set that holds them', async ({ days, set }) => {
    const to = new Date(Date.parse(january(5, '00:00')) + days * 86_400_000).toISOString()
    const statement = await statementOf({ events: VIEWS }, { from: january(5, '00:00'), to })
    expect(statement?.text).toContain(set)
  })
})

test.each<{ name: string; spec: SpecSample; message: string }>([
  { name: 'no event', spec: {}, message: 'spec.events: needs the start event' },
  {
    name: 'three events',
    spec: { events: [...VIEW_THEN_BUY, ...VIEWS] },
    message: 'spec.events: must be at most 2',
  },
  {
    name: 'a numeric aggregation',
    spec: {
      events: [{ event: { kind: 'view' }, aggregation: AggregationType.SUM, aggregationProperty: 'n' }],
    },
    message: 'spec.events[0].aggregation:',
  },
  {
    name: 'an average of users on the return event',
    spec: { events: [...VIEWS, { event: { kind: 'buy' }, aggregation: AggregationType.PER_USER_AVG }] },
    message: 'spec.events[1].aggregation:',
  },
  {
    name: 'a limit without a breakdown',
    spec: { events: VIEWS, breakdownLimit: 3 },
    message: 'spec.breakdownLimit:',
  },
  { name: 'settings of a user flow', spec: { events: VIEWS, userFlow: {} }, message: 'spec.userFlow:' },
])('$name is invalid', ({ spec, message }) => {
  expect(() => prepare(spec, asProjectId(9), THREE_DAYS)).toThrow(message)
})

describe('answers', () => {
  let store: WorldStore

  beforeAll(async () => {
    store = await openSharedWorldStore()
  })

  afterAll(async () => {
    await store.close()
  })

  async function run(
    {
      events,
      profiles = [],
    }: { events: readonly EventSample[]; profiles?: ReturnType<typeof sampleProfile>[] },
    spec: SpecSample,
    sample: RequestSample = THREE_DAYS,
  ): Promise<RetentionResult> {
    const world = sampleWorld(events, profiles)
    const scene = { timeZone: 'UTC', anchorMs: 0 }
    const projectId = await store.load({ seed: 0, world, copies: world.events, scene, instants: [] })
    await store.settle()
    const response = await prepare(spec, projectId, sample).answer(
      async (query) => await store.run(query, AbortSignal.timeout(30_000)),
    )
    return resultOf(create(QueryResponseSchema, response), 'retention')
  }

  /** Cohorts as `size: percentages`, by breakdown values. */
  function matrixOf({ series }: RetentionResult): readonly (readonly [string, readonly string[]])[] {
    return series.map(({ breakdown, cohorts }) => [
      Object.values(breakdown).join(),
      cohorts.map(({ cohortSize, points }) => `${cohortSize}: ${points.map(({ value }) => value).join(' ')}`),
    ])
  }

  test('the return event defaults to the start event, and cookieless users are excluded', async () => {
    const events = [
      { at: january(4), by: 'anna' },
      { at: january(5), by: 'anna' },
      { at: january(7), by: 'anna' },
      { at: january(5), by: 'bob' },
      { at: january(6), by: 'carl' },
      { at: january(6), by: 'cookieless-x' },
      { at: january(7, '13:00'), by: 'cookieless-x' },
      { at: january(8, '00:00'), by: 'carl' },
    ]
    expect(matrixOf(await run({ events }, { events: VIEWS }))).toEqual([
      ['', ['2: 100 0 50', '1: 100 0', '0: 0']],
    ])
    expect(matrixOf(await run({ events }, { events: VIEWS, includeCookieless: true }))).toEqual([
      ['', ['2: 100 0 50', '2: 100 50', '0: 0']],
    ])
  })

  test('a return at the instant of the first start counts', async () => {
    const events = [
      { at: january(5, '11:59'), kind: 'buy', by: 'early' },
      { at: january(5), kind: 'view', by: 'early' },
      { at: january(5, '13:00'), kind: 'view', by: 'early' },
      { at: january(7), kind: 'buy', by: 'early' },
      { at: january(5), kind: 'buy', by: 'same' },
      { at: january(5), kind: 'view', by: 'same' },
      { at: january(6), kind: 'buy', by: 'never' },
      { at: january(6, '12:01'), kind: 'view', by: 'late' },
      { at: january(6, '12:02'), kind: 'buy', by: 'late' },
    ]
    expect(matrixOf(await run({ events }, { events: VIEW_THEN_BUY }))).toEqual([
      ['', ['2: 50 0 50', '1: 100 0', '0: 0']],
    ])
  })

  test('a start at the first instant of the range counts', async () => {
    const sample = { from: '1970-01-01T00:00:00Z', to: '1970-01-02T00:00:00Z' }
    const events = [{ at: '1970-01-01T00:00:00Z' }, { at: '1970-01-01T00:00:00Z', kind: 'buy', by: 'bob' }]
    expect(matrixOf(await run({ events }, { events: VIEW_THEN_BUY }, sample))).toEqual([['', ['1: 0']]])
  })

  test('a user belongs to one cohort under any of their ids', async () => {
    const profileId = '01930000-0000-7000-8000-0000000000a0'
    const profiles = [{ ...sampleProfile('anna', { anonymousIds: ['anon-1'] }), profileId }]
    const events = [
      { at: january(5), by: 'anon-1' },
      { at: january(6), by: 'anna' },
      { at: january(7), by: profileId },
    ]
    expect(matrixOf(await run({ events, profiles }, { events: [{ event: { kind: '' } }] }))).toEqual([
      ['', ['1: 100 100 100', '0: 0 0', '0: 0']],
    ])
  })

  test('the first start event gives the value, and at one instant the lowest id as text', async () => {
    const events = [
      // By its second half, as the engine sorts, the first of these would be the lower one.
      { at: january(5), eventId: 'ffffffff-0000-4000-8000-000000000001', properties: { plan: 'high' } },
      { at: january(5), eventId: '00000000-0000-4000-9000-000000000002', properties: { plan: 'low' } },
      { at: january(6), eventId: '00000000-0000-4000-8000-000000000000', properties: { plan: 'later' } },
    ]
    const world = sampleWorld(events)
    const renamed = world.events.map((event, index) => ({ ...event, eventId: events[index]?.eventId ?? '' }))
    const scene = { timeZone: 'UTC', anchorMs: 0 }
    const projectId = await store.load({
      seed: 0,
      world: { ...world, events: renamed },
      copies: [],
      scene,
      instants: [],
    })
    const spec = { events: VIEWS, breakdowns: [{ property: 'plan' }] }
    const response = await prepare(spec, projectId, THREE_DAYS).answer(
      async (query) => await store.run(query, AbortSignal.timeout(30_000)),
    )
    expect(matrixOf(resultOf(create(QueryResponseSchema, response), 'retention'))).toEqual([
      ['low', ['1: 100 100 0', '0: 0 0', '0: 0']],
    ])
  })

  test('values are ranked by total users, ties by bytes, and the rest is one series', async () => {
    const events = [
      { at: january(5), by: 'u1', properties: { plan: 'b' } },
      { at: january(6), by: 'u2', properties: { plan: 'b' } },
      { at: january(5), by: 'u3', properties: { plan: 'a' } },
      { at: january(5), by: 'u4' },
      { at: january(6), by: 'u5', properties: { plan: 'B' } },
      { at: january(7), by: 'u5', properties: { plan: 'x' } },
    ]
    const spec = { events: VIEWS, breakdowns: [{ property: 'plan' }], breakdownLimit: 2 }
    expect(matrixOf(await run({ events }, spec))).toEqual([
      ['b', ['1: 100 0 0', '1: 100 0', '0: 0']],
      ['', ['1: 100 0 0', '0: 0 0', '0: 0']],
      ['$others', ['1: 100 0 0', '1: 100 100', '0: 0']],
    ])
  })

  test('an empty result has no series with breakdowns, and one without', async () => {
    const spec = { events: [{ event: { kind: 'none' } }], breakdowns: [{ property: 'plan' }] }
    expect(matrixOf(await run({ events: [{ at: january(5) }] }, spec))).toEqual([])
    expect(matrixOf(await run({ events: [{ at: january(5) }] }, { events: spec.events }))).toEqual([
      ['', ['0: 0 0 0', '0: 0 0', '0: 0']],
    ])
  })

  test.each([
    // The clocks went forward on the 29th: a day of 23 hours among others.
    { name: 'one event', kinds: VIEWS },
    { name: 'two events', kinds: [...VIEWS, { event: { kind: '' } }] },
  ])('cohorts are days of the zone, identified by their start ($name)', async ({ kinds }) => {
    const events = [
      { at: '2026-03-28T22:59:59Z', by: 'anna' },
      { at: '2026-03-28T23:00:00Z', by: 'bob' },
      { at: '2026-03-29T21:59:59.999Z', by: 'bob' },
      { at: '2026-03-29T22:00:00Z', by: 'anna' },
    ]
    const sample = {
      from: '2026-03-27T23:00:00Z',
      to: '2026-03-30T22:00:00Z',
      granularity: Granularity.DAY,
      timezone: 'Europe/Berlin',
    }
    const result = await run({ events }, { events: kinds }, sample)
    expect(matrixOf(result)).toEqual([['', ['1: 100 0 100', '1: 100 0', '0: 0']]])
    expect(result.series[0]?.cohorts.map(({ cohort }) => cohort)).toEqual([
      '2026-03-27T23:00:00Z',
      '2026-03-28T23:00:00Z',
      '2026-03-29T22:00:00Z',
    ])
  })

  test.each([64, 128, 256, 365])('the last of %i buckets counts', async (days) => {
    const lastMs = Date.parse(january(5)) + (days - 1) * 86_400_000
    const events = [{ at: january(5) }, { at: new Date(lastMs).toISOString() }]
    const to = new Date(Date.parse(january(5, '00:00')) + days * 86_400_000).toISOString()
    const { series } = await run({ events }, { events: VIEWS }, { from: january(5, '00:00'), to })
    const points = series[0]?.cohorts[0]?.points.map(({ value }) => value) ?? []
    expect(points).toHaveLength(days)
    expect(points.flatMap((value, index) => (value === 0 ? [] : [index]))).toEqual([0, days - 1])
  })
})
