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
import { asProjectId, type ProjectId } from '../../../contract/ids.ts'
import { prepareInsight } from '../../insight-types.ts'
import type { Statement } from '../../sql/sql.ts'

const THREE_DAYS: RequestSample = { from: january(5, '00:00'), to: january(8, '00:00') }
const VIEWS = [{ event: { kind: 'view' } }]

function prepare(spec: SpecSample, projectId: ProjectId, sample: RequestSample) {
  const request = sampleRequest({ ...spec, insightType: InsightType.STICKINESS }, sample)
  return prepareInsight(request, { projectId, projectTimeZone: 'UTC' })
}

/** The only statement of a spec. */
async function statementOf(spec: SpecSample): Promise<Statement> {
  return await recordOneStatement(prepare(spec, asProjectId(9), THREE_DAYS))
}

describe('statements', () => {
  test('one event: one set of buckets per user', async () => {
    expect(printStatements(await statementOf({ events: VIEWS }))).toMatchInlineSnapshot(`
      "
      SELECT series, toInt64(buckets), toInt64(users)
      FROM (
        SELECT tupleElement(mark, 1) AS series, tupleElement(mark, 2) AS buckets, count() AS users
        FROM (
          SELECT [
            (
              {p0:Int64},
              length(
                bitPositionsToArray(
                  groupBitOr(
                    bitShiftLeft(
                      toUInt64(1),
                      toUInt16(least(intDiv(toUnixTimestamp64Milli(time) - {p1:Int64}, {p2:Int64}), {p3:Int64}))
                    )
                  )
                )
              )
            )
          ] AS counts
          FROM events FINAL
          PREWHERE project = {p4:UInt32}
            AND indexHint(
              toDate(time) >= toDate(fromUnixTimestamp64Milli({p5:Int64}, 'UTC')),
              toDate(time) <= toDate(fromUnixTimestamp64Milli({p6:Int64}, 'UTC'))
            )
            AND time >= fromUnixTimestamp64Milli({p7:Int64}, 'UTC')
            AND time < fromUnixTimestamp64Milli({p8:Int64}, 'UTC')
            AND kind IN {p9:Array(String)}
          WHERE 1 AND NOT cookieless
          GROUP BY dictGetOrDefault('identities', 'user_hash', user_hash, user_hash)
        )
        ARRAY JOIN counts AS mark
        GROUP BY series, buckets
      )
      WHERE buckets > 0
      p0 = 0
      p1 = 1767571200000
      p2 = 86400000
      p3 = 2
      p4 = 9
      p5 = 1767571200000
      p6 = 1767830399999
      p7 = 1767571200000
      p8 = 1767830400000
      p9 = ["view"]
      "
    `)
  })

  test('two events: a set for each, in the same scan', async () => {
    const spec = { events: [...VIEWS, { event: { kind: 'buy' } }] }
    expect(printStatements(await statementOf(spec))).toMatchInlineSnapshot(`
      "
      SELECT series, toInt64(buckets), toInt64(users)
      FROM (
        SELECT tupleElement(mark, 1) AS series, tupleElement(mark, 2) AS buckets, count() AS users
        FROM (
          SELECT [
            (
              {p0:Int64},
              length(
                bitPositionsToArray(
                  groupBitOrIf(
                    bitShiftLeft(
                      toUInt64(1),
                      toUInt16(least(intDiv(toUnixTimestamp64Milli(time) - {p1:Int64}, {p2:Int64}), {p3:Int64}))
                    ),
                    kind = {p4:String}
                  )
                )
              )
            ),
            (
              {p5:Int64},
              length(
                bitPositionsToArray(
                  groupBitOrIf(
                    bitShiftLeft(
                      toUInt64(1),
                      toUInt16(least(intDiv(toUnixTimestamp64Milli(time) - {p6:Int64}, {p7:Int64}), {p8:Int64}))
                    ),
                    kind = {p9:String}
                  )
                )
              )
            )
          ] AS counts
          FROM events FINAL
          PREWHERE project = {p10:UInt32}
            AND indexHint(
              toDate(time) >= toDate(fromUnixTimestamp64Milli({p11:Int64}, 'UTC')),
              toDate(time) <= toDate(fromUnixTimestamp64Milli({p12:Int64}, 'UTC'))
            )
            AND time >= fromUnixTimestamp64Milli({p13:Int64}, 'UTC')
            AND time < fromUnixTimestamp64Milli({p14:Int64}, 'UTC')
            AND kind IN {p15:Array(String)}
          WHERE 1 AND NOT cookieless
          GROUP BY dictGetOrDefault('identities', 'user_hash', user_hash, user_hash)
        )
        ARRAY JOIN counts AS mark
        GROUP BY series, buckets
      )
      WHERE buckets > 0
      p0 = 0
      p1 = 1767571200000
      p2 = 86400000
      p3 = 2
      p4 = "view"
      p5 = 1
      p6 = 1767571200000
      p7 = 86400000
      p8 = 2
      p9 = "buy"
      p10 = 9
      p11 = 1767571200000
      p12 = 1767830399999
      p13 = 1767571200000
      p14 = 1767830400000
      p15 = ["view","buy"]
      "
    `)
  })
})

test.each<{ readonly name: string; readonly spec: SpecSample; readonly message: string }>([
  { name: 'no event', spec: {}, message: 'spec.events: needs at least one event' },
  {
    name: 'eleven events',
    spec: { events: Array.from({ length: 11 }, () => ({})) },
    message: 'spec.events: must be at most 10',
  },
  {
    name: 'an average of users',
    spec: { events: [...VIEWS, { aggregation: AggregationType.PER_USER_AVG }] },
    message: 'spec.events[1].aggregation: must be unset, TOTAL or UNIQUE_USERS here',
  },
  {
    name: 'a breakdown',
    spec: { events: VIEWS, breakdowns: [{ property: 'plan' }] },
    message: 'spec.breakdowns: does not belong to STICKINESS',
  },
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

  /** Each series as its points: `exactly/at least`. */
  async function series(
    events: readonly EventSample[],
    kinds: readonly string[],
    sample: RequestSample = THREE_DAYS,
  ): Promise<readonly string[]> {
    const anna = { ...sampleProfile('anna', { anonymousIds: ['anon'] }), profileId: crypto.randomUUID() }
    const world = sampleWorld(events, [anna])
    const scene = { timeZone: 'UTC', anchorMs: 0 }
    const projectId = await store.load({ seed: 0, world, copies: world.events, scene, instants: [] })
    await store.settle()
    const spec = { events: kinds.map((kind) => ({ event: { kind } })) }
    const response = await prepare(spec, projectId, sample).answer(
      async (query) => await store.run(query, AbortSignal.timeout(30_000)),
    )
    return resultOf(create(QueryResponseSchema, response), 'stickiness').series.map(
      ({ eventKind, points }) =>
        `${eventKind}: ${points.map(({ users, cumulative }) => `${users}/${cumulative}`).join(' ')}`,
    )
  }

  const EVENTS: readonly EventSample[] = [
    { at: january(5), by: 'anna' },
    { at: january(5, '13:00'), by: 'anon' },
    { at: january(6), by: 'anna' },
    { at: january(7), by: 'anna' },
    { at: january(5), by: 'bob' },
    { at: january(7, '23:59'), by: 'bob' },
    { at: january(8, '00:00'), by: 'bob' },
    { at: january(6), by: 'bob', kind: 'buy' },
    { at: january(6), by: 'carl' },
    { at: january(6), by: 'cookieless-x' },
  ]

  test('users count by the number of buckets, once under all of their ids', async () => {
    expect(await series(EVENTS, ['view'])).toEqual(['view: 1/3 1/2 1/1'])
  })

  test('each event has a series of its own, also without users', async () => {
    expect(await series(EVENTS, ['buy', '', 'none'])).toEqual([
      'buy: 1/1 0/0 0/0',
      ': 1/3 0/2 2/2',
      'none: 0/0 0/0 0/0',
    ])
  })

  test('a bucket that the range cuts is a bucket', async () => {
    const cut = { from: january(5, '12:30'), to: january(6, '00:01') }
    expect(await series(EVENTS, ['view'], cut)).toEqual(['view: 1/1 0/0'])
  })

  test.each([64, 65, 256, 257, 336])('a user may be active in all of %i buckets', async (hours) => {
    const hourAfter = (count: number): string =>
      new Date(Date.parse(january(5, '00:00')) + count * 3_600_000).toISOString()
    const events = Array.from({ length: hours }, (_, count) => ({ at: hourAfter(count) }))
    const sample = { from: hourAfter(0), to: hourAfter(hours), granularity: Granularity.HOUR }
    const zeros = Array.from({ length: hours - 1 }, () => '0/1')
    expect(await series(events, ['view'], sample)).toEqual([`view: ${[...zeros, '1/1'].join(' ')}`])
  })
})
