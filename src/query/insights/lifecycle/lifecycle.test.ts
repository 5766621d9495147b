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
import { LifecycleState } from '../../../contract/gen/millrace/insights/v1/lifecycle_pb.js'
import { AggregationType } from '../../../contract/gen/shared/insights/v1/event_query_pb.js'
import { Granularity, InsightType } from '../../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { QueryResponseSchema } from '../../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { asProjectId, type ProjectId } from '../../../contract/ids.ts'
import { prepareInsight } from '../../insight-types.ts'
import type { Statement } from '../../sql/sql.ts'

const THREE_DAYS: RequestSample = { from: january(5, '00:00'), to: january(8, '00:00') }
const VIEWS: SpecSample = { events: [{ event: { kind: 'view' } }] }

function prepare(spec: SpecSample, projectId: ProjectId, sample: RequestSample) {
  const request = sampleRequest({ ...spec, insightType: InsightType.LIFECYCLE }, sample)
  return prepareInsight(request, { projectId, projectTimeZone: 'UTC' })
}

/** The only statement of a spec. */
async function statementOf(spec: SpecSample, sample: RequestSample = THREE_DAYS): Promise<Statement> {
  return await recordOneStatement(prepare(spec, asProjectId(9), sample))
}

describe('statements', () => {
  test('one scan of all time: the first event and a set of buckets per user', async () => {
    expect(printStatements(await statementOf(VIEWS))).toMatchInlineSnapshot(`
      "
      SELECT toInt64(intDiv(mark, 8)) - 1, toInt64(mark % 8), toInt64(users)
      FROM (
        SELECT arrayJoin(marks) AS mark, count() AS users
        FROM (
          SELECT arrayMap(
            mark -> toInt32(mark),
            arrayConcat(
              arrayFilter(
                mark -> mark >= 8,
                arrayMap(
                  (at, before) -> at * 8 + multiIf(at = first, 1, at = before + 1, 2, 3),
                  active,
                  arrayShiftRight(active, 1, toInt32(-2))
                )
              ),
              arrayFilter(
                (mark, at, next) -> at < {p0:Int64}
                AND next != at + 1,
                arrayMap(at -> (at + 1) * 8 + 4, active),
                active,
                arrayShiftLeft(active, 1, toInt32(-2))
              )
            )
          ) AS marks
          FROM (
            SELECT dictGetOrDefault('identities', 'user_hash', user_hash, user_hash) AS user,
              toInt32(
                toUInt16(
                  least(
                    intDiv(greatest(min(toUnixTimestamp64Milli(time)), {p1:Int64}) - {p2:Int64}, {p3:Int64}),
                    {p4:Int64}
                  )
                )
              ) AS first,
              arraySort(
                arrayMap(
                  at -> toInt32(at),
                  bitPositionsToArray(
                    groupBitOrIf(
                      bitShiftLeft(
                        toUInt64(1),
                        toUInt16(
                          least(
                            intDiv(greatest(toUnixTimestamp64Milli(time), {p5:Int64}) - {p6:Int64}, {p7:Int64}),
                            {p8:Int64}
                          )
                        )
                      ),
                      toUnixTimestamp64Milli(time) >= {p9:Int64}
                    )
                  )
                )
              ) AS active
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
            GROUP BY user
            HAVING notEmpty(active)
          )
        )
        GROUP BY mark
      )
      p0 = 3
      p1 = 1767484800000
      p2 = 1767484800000
      p3 = 86400000
      p4 = 3
      p5 = 1767484800000
      p6 = 1767484800000
      p7 = 86400000
      p8 = 3
      p9 = 1767484800000
      p10 = 9
      p11 = 0
      p12 = 1767830399999
      p13 = 0
      p14 = 1767830400000
      p15 = ["view"]
      "
    `)
  })

  test('a range within a bucket leaves out the events of the bucket before it', async () => {
    const { text = '' } = (await statementOf(VIEWS, { ...THREE_DAYS, from: january(5) })) ?? {}
    expect(
      /groupBitOrIf\(.*?\), \((?<condition>.*?)\)\)\)/.exec(text)?.groups?.condition,
    ).toMatchInlineSnapshot(
      `"toUnixTimestamp64Milli(time) >= {p9:Int64} AND (toUnixTimestamp64Milli(time) < {p10:Int64} OR toUnixTimestamp64Milli(time) >= {p11:Int64}"`,
    )
  })
})

test.each<{
  readonly name: string
  readonly spec: SpecSample
  readonly sample?: RequestSample
  readonly message: string
}>([
  { name: 'no event', spec: {}, message: 'spec.events: must be exactly one for LIFECYCLE' },
  {
    name: 'two events',
    spec: { events: [{}, {}] },
    message: 'spec.events: must be exactly one for LIFECYCLE',
  },
  {
    name: 'an average of users',
    spec: { events: [{ aggregation: AggregationType.PER_USER_AVG }] },
    message: 'spec.events[0].aggregation: must be unset, TOTAL or UNIQUE_USERS here',
  },
  {
    name: 'a breakdown',
    spec: { ...VIEWS, breakdowns: [{ property: 'plan' }] },
    message: 'spec.breakdowns: does not belong to LIFECYCLE',
  },
  {
    name: 'hours',
    spec: VIEWS,
    sample: { granularity: Granularity.HOUR },
    message: 'granularity: must be DAY, WEEK or MONTH for LIFECYCLE',
  },
])('$name is invalid', ({ spec, sample, message }) => {
  expect(() => prepare(spec, asProjectId(9), { ...sample })).toThrow(message)
})

describe('answers', () => {
  let store: WorldStore

  beforeAll(async () => {
    store = await openSharedWorldStore()
  })

  afterAll(async () => {
    await store.close()
  })

  async function load(
    events: readonly EventSample[],
    profiles: ReturnType<typeof sampleProfile>[] = [],
  ): Promise<ProjectId> {
    const world = sampleWorld(events, profiles)
    const scene = { timeZone: 'UTC', anchorMs: 0 }
    const projectId = await store.load({ seed: 0, world, copies: world.events, scene, instants: [] })
    await store.settle()
    return projectId
  }

  /** Users by state, bucket by bucket: `NEW 1 0 0`. */
  async function states(
    projectId: ProjectId,
    sample: RequestSample = THREE_DAYS,
    spec: SpecSample = VIEWS,
  ): Promise<readonly string[]> {
    const response = await prepare(spec, projectId, sample).answer(
      async (query) => await store.run(query, AbortSignal.timeout(30_000)),
    )
    return resultOf(create(QueryResponseSchema, response), 'lifecycle').series.map(
      ({ state, points }) => `${LifecycleState[state]} ${points.map(({ value }) => value).join(' ')}`,
    )
  }

  test('each state has a point for each bucket, with copies and other ids of a user counted once', async () => {
    const projectId = await load(
      [
        { at: january(5), by: 'anon-1' },
        { at: january(6), by: 'anna' },
        { at: january(2), by: 'bob' },
        { at: january(6), by: 'bob' },
        { at: january(4), by: 'carl' },
        { at: january(5), by: 'cookieless-x' },
      ],
      [{ ...sampleProfile('anna', { anonymousIds: ['anon-1'] }), profileId: crypto.randomUUID() }],
    )
    expect(await states(projectId)).toEqual([
      'NEW 1 0 0',
      'RETURNING 0 1 0',
      'RESURRECTED 0 1 0',
      'DORMANT 1 0 2',
    ])
    expect((await states(projectId, THREE_DAYS, { ...VIEWS, includeCookieless: true }))[0]).toBe('NEW 2 0 0')
  })

  test('the bucket before the first one counts whole, the first and the last one only in the range', async () => {
    const projectId = await load([
      { at: january(4, '00:00'), by: 'anna' },
      { at: january(5, '12:00'), by: 'anna' },
      { at: january(5, '11:59'), by: 'bob' },
      { at: january(5, '12:00'), by: 'bob' },
      { at: january(5, '11:59'), by: 'carl' },
      { at: january(6, '11:59'), by: 'carl' },
      { at: january(6, '12:00'), by: 'dora' },
    ])
    expect(await states(projectId, { from: january(5, '12:00'), to: january(6, '12:00') })).toEqual([
      'NEW 1 0',
      'RETURNING 1 0',
      'RESURRECTED 0 1',
      'DORMANT 0 2',
    ])
  })

  test('the first bucket of all time has none before it', async () => {
    const projectId = await load([{ at: '1970-01-01T00:00:00Z' }])
    expect(await states(projectId, { from: '1970-01-01T00:00:00Z', to: '1970-01-03T00:00:00Z' })).toEqual([
      'NEW 1 0',
      'RETURNING 0 0',
      'RESURRECTED 0 0',
      'DORMANT 0 1',
    ])
  })

  test.each([63, 64, 127, 128, 255, 256, 365])('%i buckets are told apart', async (days) => {
    const dayAfter = (count: number): string =>
      new Date(Date.parse(january(5, '00:00')) + count * 86_400_000).toISOString()
    const projectId = await load([0, 1, days - 2, days - 1].map((count) => ({ at: dayAfter(count) })))
    const of = await states(projectId, { from: dayAfter(0), to: dayAfter(days) })
    const places = of.map((text) => {
      const [name, ...values] = text.split(' ')
      return `${name} ${values.flatMap((value, at) => (value === '0' ? [] : [at])).join()}`
    })
    expect(places).toEqual(['NEW 0', `RETURNING 1,${days - 1}`, `RESURRECTED ${days - 2}`, 'DORMANT 2'])
  })
})
