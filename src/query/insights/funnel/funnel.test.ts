import { create, fromJson, type JsonObject } from '@bufbuild/protobuf'
import type { Duration } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareBytewise } from '../../../../test/differential/bytewise.ts'
import { openSharedWorldStore } from '../../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../../test/differential/world-store.ts'
import { printStatements } from '../../../../test/harness/print-statements.ts'
import { recordStatements } from '../../../../test/harness/scripted-runner.ts'
import {
  type QueryRequest,
  QueryRequestSchema,
  QueryResponseSchema,
} from '../../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { FunnelSeries, StepTiming } from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import { asProjectId, type ProjectId } from '../../../contract/ids.ts'
import { FUNNEL_RULES } from '../../../domain/insights/funnel.ts'
import { parseContext } from '../../../domain/insights/insight-context.ts'
import { Prng } from '../../../kernel/prng.ts'
import { prepareInsight } from '../../insight-types.ts'
import { int64ArrayCodec, int64Codec, stringCodec } from '../../sql/codec.ts'
import { column, select } from '../../sql/select.ts'
import { type Statement, sql } from '../../sql/sql.ts'
import { attemptsSql } from './attempts.ts'

const FROM_MS = Date.parse('2026-01-05T00:00:00Z')
const QUERY_MS_MAX = 20_000

/** An event of the day: its kind, milliseconds after midnight, and optional details. */
type Sample = readonly [
  kind: string,
  ms: number,
  rest?: { readonly id?: string; readonly by?: string; readonly plan?: string },
]

type Step = string | { readonly kind?: string; readonly plan: string }

interface Funnel {
  readonly steps: readonly Step[]
  readonly windowSeconds?: number
  readonly timed?: true
  readonly breakdowns?: readonly string[]
  readonly limit?: number
  readonly spec?: JsonObject
}

let store: WorldStore
let projectCount = 5000

beforeAll(async () => {
  store = await openSharedWorldStore()
})

afterAll(async () => {
  await store.close()
})

function uuid(digits: number): string {
  return `00000000-0000-4000-8000-${String(digits).padStart(12, '0')}`
}

async function load(samples: readonly Sample[]): Promise<ProjectId> {
  const project = asProjectId(++projectCount)
  const values = samples.map(([kind, ms, { id, by = 'anna', plan } = {}], index) => ({
    project,
    kind,
    time: new Date(FROM_MS + ms).toISOString().replace('T', ' ').replace('Z', ''),
    distinct_id: by,
    session_id: uuid(1),
    event_id: id ?? uuid(index + 1),
    cookieless: by.startsWith('cookieless-'),
    strings: plan === undefined ? {} : { plan },
  }))
  await store.clickhouse.insert({ table: 'events', format: 'JSONEachRow', values })
  return project
}

function toRequest({ steps, windowSeconds, timed, breakdowns = [], limit, spec }: Funnel): QueryRequest {
  const events = steps.map((step) => {
    if (typeof step === 'string') return { event: { kind: step } }
    const filter = { property: 'plan', operator: 'FILTER_OPERATOR_EQUALS', value: step.plan }
    return { event: { kind: step.kind ?? '', filters: [filter] } }
  })
  return fromJson(QueryRequestSchema, {
    spec: {
      insightType: 'INSIGHT_TYPE_FUNNEL',
      events,
      includeStepTiming: timed ?? false,
      breakdowns: breakdowns.map((property) => ({ property })),
      breakdownLimit: limit ?? 0,
      ...(windowSeconds === undefined ? {} : { conversionWindow: `${windowSeconds}s` }),
      ...spec,
    },
    timeRange: { from: '2026-01-05T00:00:00Z', to: '2026-01-12T00:00:00Z' },
    granularity: 'GRANULARITY_DAY',
  })
}

async function run(projectId: ProjectId, query: Funnel): Promise<readonly FunnelSeries[]> {
  const insight = prepareInsight(toRequest(query), { projectId, projectTimeZone: 'UTC' })
  const signal = AbortSignal.timeout(QUERY_MS_MAX)
  const answer = await insight.answer(async (query) => await store.run(query, signal))
  const { result } = create(QueryResponseSchema, answer)
  return result.case === 'funnel' ? result.value.series : []
}

const totalsOf = (series: FunnelSeries | undefined): number[] => series?.steps.map(({ total }) => total) ?? []

async function totals(samples: readonly Sample[], query: Funnel): Promise<number[]> {
  return totalsOf((await run(await load(samples), query))[0])
}

async function statementOf(query: Funnel): Promise<Statement> {
  const [first] = await recordStatements(
    prepareInsight(toRequest(query), { projectId: asProjectId(9), projectTimeZone: 'UTC' }),
  )
  return first ?? { text: '', params: {} }
}

describe('a query', () => {
  test.each<[string, Funnel, string]>([
    ['no step', { steps: [] }, 'spec.events'],
    ['21 steps', { steps: Array<Step>(21).fill('a') }, 'spec.events'],
    ['half a second', { steps: ['a'], windowSeconds: 1.5 }, 'spec.conversionWindow'],
    ['no window', { steps: ['a'], windowSeconds: 0 }, 'spec.conversionWindow'],
    ['a limit without a breakdown', { steps: ['a'], limit: 3 }, 'spec.breakdownLimit'],
    [
      'a sum',
      { steps: [], spec: { events: [{ event: { kind: 'a' }, aggregation: 'AGGREGATION_TYPE_SUM' }] } },
      'spec.events[0].aggregation',
    ],
  ])('with %s is rejected', async (_, query, field) => {
    await expect(statementOf(query)).rejects.toMatchObject({ message: expect.stringContaining(field) })
  })

  test('of different kinds sorts plain numbers', async () => {
    expect(
      printStatements(await statementOf({ steps: ['a', 'b'], windowSeconds: 60 })),
    ).toMatchInlineSnapshot(`
      "
      SELECT toInt64(0), CAST([], 'Array(String)'), toInt64(step), toInt64(sum(users))
      FROM (
        SELECT step, count() AS users
        FROM (
          SELECT user,
            codes,
            level,
            last,
            arrayFirstIndex(deadline -> deadline >= finish, step0) AS first,
            bitShiftRight(codes[first], {p0:Int64}) AS start
          FROM (
            SELECT user,
              codes,
              step0,
              length(codes) AS size,
              arrayCount(count -> count < size, filled) AS level,
              filled[level] + 1 AS last,
              codes[last] AS finish
            FROM (
              SELECT user,
                codes,
                step0,
                arrayFill(
                  (deadline, code) -> bitAnd(code, {p1:Int64}) = 0
                  AND code <= deadline,
                  arrayShiftRight(step0, 1),
                  codes
                ) AS step1,
                arrayPushBack(filled, countEqual(step1, 0)) AS filled
              FROM (
                SELECT user,
                  codes,
                  arrayFill(
                    deadline -> deadline > 0,
                    arrayMap(
                      code -> if(
                        bitAnd(code, {p2:Int64}) = 0, bitOr(code, {p3:Int64}) + {p4:Int64} * {p5:Int64}, 0
                      ),
                      codes
                    )
                  ) AS step0,
                  [countEqual(step0, 0)] AS filled
                FROM (
                  SELECT user, arraySort(groupArray(code)) AS codes
                  FROM (
                    SELECT dictGetOrDefault('identities', 'user_hash', user_hash, user_hash) AS user,
                      (toUnixTimestamp64Milli(time) - {p6:Int64}) * {p5:Int64} + {p3:Int64} - (
                        (kind = {p7:String}) * {p2:Int64} + (kind = {p8:String}) * {p1:Int64}
                      ) AS code
                    FROM events FINAL
                    PREWHERE project = {p9:UInt32}
                      AND indexHint(
                        toDate(time) >= toDate(fromUnixTimestamp64Milli({p10:Int64}, 'UTC')),
                        toDate(time) <= toDate(fromUnixTimestamp64Milli({p11:Int64}, 'UTC'))
                      )
                      AND time >= fromUnixTimestamp64Milli({p12:Int64}, 'UTC')
                      AND time < fromUnixTimestamp64Milli({p13:Int64}, 'UTC')
                      AND kind IN {p14:Array(String)}
                    WHERE 1 AND NOT cookieless
                  )
                  WHERE bitAnd(code, {p3:Int64}) != {p3:Int64}
                  GROUP BY user
                )
              )
            )
          )
          WHERE level > 0
        )
        ARRAY JOIN range(level) AS step
        GROUP BY step
      )
      GROUP BY step
      p0 = 2
      p1 = 1
      p2 = 2
      p3 = 3
      p4 = 60000
      p5 = 4
      p6 = 1767571200000
      p7 = "a"
      p8 = "b"
      p9 = 9
      p10 = 1767571200000
      p11 = 1768175999999
      p12 = 1767571200000
      p13 = 1768176000000
      p14 = ["a","b"]
      "
    `)
  })

  test('of overlapping steps also sorts by id, and reads the values of the counted starts', async () => {
    const query = {
      steps: ['', { kind: 'a', plan: 'pro' }],
      timed: true,
      breakdowns: ['$country'],
    } as const
    expect(printStatements(await statementOf(query))).toMatchInlineSnapshot(`
      "
      SELECT toInt64(rank),
        any([key0]),
        toInt64(tupleElement(cell, 1)) AS step,
        toInt64(sum(tupleElement(cell, 2))),
        sum(tupleElement(cell, 3)) / sum(tupleElement(cell, 2)),
        quantilesExactMerge(0.49999999999, 0.5, 0.94999999999)(tupleElement(cell, 4)),
        sumForEach(tupleElement(cell, 5))
      FROM (
        SELECT key0, cells, least(row_number() OVER (ORDER BY entered DESC, key0), {p0:Int64}) AS rank
        FROM (
          SELECT key0, groupArray((step, users, total, ordered, below)) AS cells, sumIf(users, step = 0) AS entered
          FROM (
            SELECT key0,
              step,
              count() AS users,
              sum(delta) AS total,
              quantilesExactState(0.49999999999, 0.5, 0.94999999999)(delta) AS ordered,
              [
                countIf(delta < {p1:Int64}),
                countIf(delta < {p2:Int64}),
                countIf(delta < {p3:Int64}),
                countIf(delta < {p4:Int64}),
                countIf(delta < {p5:Int64}),
                countIf(delta < {p6:Int64}),
                countIf(delta < {p7:Int64})
              ] AS below
            FROM (
              SELECT any(attempts.level) AS level,
                any(attempts.deltas) AS deltas,
                argMin(starts.key0, event_order) AS key0
              FROM (
                SELECT dictGetOrDefault('identities', 'user_hash', user_hash, user_hash) AS user,
                  toUnixTimestamp64Milli(time) - {p8:Int64} AS start,
                  toUInt64(toUnixTimestamp64Milli(time)) * toUInt256('340282366920938463463374607431768211456') + bitOr(
                    bitShiftLeft(reinterpretAsUInt128(event_id), 64),
                    bitShiftRight(reinterpretAsUInt128(event_id), 64)
                  ) AS event_order,
                  country AS key0
                FROM events FINAL
                PREWHERE project = {p9:UInt32}
                  AND indexHint(
                    toDate(time) >= toDate(fromUnixTimestamp64Milli({p10:Int64}, 'UTC')),
                    toDate(time) <= toDate(fromUnixTimestamp64Milli({p11:Int64}, 'UTC'))
                  )
                  AND time >= fromUnixTimestamp64Milli({p12:Int64}, 'UTC')
                  AND time < fromUnixTimestamp64Milli({p13:Int64}, 'UTC')
                WHERE 1 AND NOT cookieless
              ) AS starts
              INNER JOIN (
                SELECT user, level, start, arraySlice(arrayDifference(times), 2, level - 1) AS deltas
                FROM (
                  SELECT user,
                    level,
                    start,
                    arrayFirstIndex(code -> bitAnd(code, {p14:Int64}) = 0, step0) AS found,
                    arrayPushBack(times, bitShiftRight(step0[found], {p15:Int64})) AS times,
                    arraySlice(step0, found + 1) AS step1
                  FROM (
                    SELECT user, level, start, [start] AS times, arraySlice(codes, first + 1, last - first) AS step0
                    FROM (
                      SELECT user,
                        codes,
                        level,
                        last,
                        arrayFirstIndex(deadline -> deadline >= finish, step0) AS first,
                        bitShiftRight(codes[first], {p15:Int64}) AS start
                      FROM (
                        SELECT user,
                          codes,
                          step0,
                          length(codes) AS size,
                          arrayCount(count -> count < size, filled) AS level,
                          filled[level] + 1 AS last,
                          codes[last] AS finish
                        FROM (
                          SELECT user,
                            codes,
                            step0,
                            arrayFill(
                              (deadline, code) -> bitAnd(code, {p14:Int64}) = 0
                              AND code <= deadline,
                              arrayShiftRight(step0, 1),
                              codes
                            ) AS step1,
                            arrayPushBack(filled, countEqual(step1, 0)) AS filled
                          FROM (
                            SELECT user,
                              codes,
                              arrayFill(
                                deadline -> deadline > 0,
                                arrayMap(
                                  code -> if(
                                    bitAnd(code, {p16:Int64}) = 0,
                                    bitOr(code, {p17:Int64}) + {p18:Int64} * {p19:Int64},
                                    0
                                  ),
                                  codes
                                )
                              ) AS step0,
                              [countEqual(step0, 0)] AS filled
                            FROM (
                              SELECT user,
                                arraySort(
                                  (item, position) -> position,
                                  groupArray(code),
                                  groupArray(
                                    toUInt64(
                                      bitShiftRight(code, {p15:Int64}) * 32 + 20 - toInt64(
                                        log2({p17:Int64} - bitAnd(code, {p17:Int64}))
                                      )
                                    ) * toUInt256('6277101735386680763835789423207666416102355444464034512896') + event_order
                                  )
                                ) AS codes
                              FROM (
                                SELECT dictGetOrDefault('identities', 'user_hash', user_hash, user_hash) AS user,
                                  (toUnixTimestamp64Milli(time) - {p20:Int64}) * {p19:Int64} + {p17:Int64} - (
                                    (1) * {p16:Int64} + (
                                      (kind = {p21:String} AND strings[{p22:String}] = {p23:String})
                                    ) * {p14:Int64}
                                  ) AS code,
                                  toUInt64(toUnixTimestamp64Milli(time)) * toUInt256('340282366920938463463374607431768211456') + bitOr(
                                    bitShiftLeft(reinterpretAsUInt128(event_id), 64),
                                    bitShiftRight(reinterpretAsUInt128(event_id), 64)
                                  ) AS event_order
                                FROM events FINAL
                                PREWHERE project = {p24:UInt32}
                                  AND indexHint(
                                    toDate(time) >= toDate(fromUnixTimestamp64Milli({p25:Int64}, 'UTC')),
                                    toDate(time) <= toDate(fromUnixTimestamp64Milli({p26:Int64}, 'UTC'))
                                  )
                                  AND time >= fromUnixTimestamp64Milli({p27:Int64}, 'UTC')
                                  AND time < fromUnixTimestamp64Milli({p28:Int64}, 'UTC')
                                WHERE 1 AND NOT cookieless
                              )
                              WHERE bitAnd(code, {p17:Int64}) != {p17:Int64}
                              GROUP BY user
                            )
                          )
                        )
                      )
                      WHERE level > 0
                    )
                  )
                )
              ) AS attempts USING (user, start)
              GROUP BY user
            )
            ARRAY JOIN range(level) AS step, arrayPushFront(deltas, 0) AS delta
            GROUP BY key0, step
          )
          GROUP BY key0
        )
      )
      ARRAY JOIN cells AS cell
      GROUP BY rank, step
      SETTINGS query_plan_join_swap_table = 'false'
      p0 = 11
      p1 = 30000
      p2 = 120000
      p3 = 300000
      p4 = 900000
      p5 = 3600000
      p6 = 21600000
      p7 = 86400000
      p8 = 1767571200000
      p9 = 9
      p10 = 1767571200000
      p11 = 1768175999999
      p12 = 1767571200000
      p13 = 1768176000000
      p14 = 1
      p15 = 2
      p16 = 2
      p17 = 3
      p18 = 604800000
      p19 = 4
      p20 = 1767571200000
      p21 = "a"
      p22 = "plan"
      p23 = "pro"
      p24 = 9
      p25 = 1767571200000
      p26 = 1768175999999
      p27 = 1767571200000
      p28 = 1768176000000
      "
    `)
  })

  test('has a text that does not depend on its values', async () => {
    const shape = (kind: string, plan: string, windowSeconds: number): Funnel => ({
      steps: [kind, { kind, plan }],
      windowSeconds,
    })
    const { text } = await statementOf(shape('a', 'b', 1))
    expect((await statementOf(shape(`'"{x:String}`, '\\', 86_400))).text).toBe(text)
  })
})

describe('attempts', () => {
  test.each<[string, readonly Sample[], Funnel, readonly number[]]>([
    ['no events', [], { steps: ['a', 'b'] }, [0, 0]],
    ['a later step alone counts no user', [['b', 0]], { steps: ['a', 'b'] }, [0, 0]],
    [
      'the order counts',
      [
        ['b', 0],
        ['a', 1],
      ],
      { steps: ['a', 'b'] },
      [1, 0],
    ],
    ['a repeated step needs two events', [['a', 0]], { steps: ['a', 'a'] }, [1, 0]],
    [
      'two events at one instant fill a repeated step',
      [
        ['a', 0],
        ['a', 0],
      ],
      { steps: ['a', 'a'] },
      [1, 1],
    ],
    [
      'a duplicate of an event does not count',
      [
        ['a', 0, { id: uuid(1) }],
        ['a', 0, { id: uuid(1) }],
      ],
      { steps: ['a', 'a'] },
      [1, 0],
    ],
    [
      'at one instant the lower step is first',
      [
        ['b', 5, { id: uuid(1) }],
        ['a', 5, { id: uuid(2) }],
      ],
      { steps: ['a', 'b'] },
      [1, 1],
    ],
    [
      'a step and its first repetition precede the steps between them',
      [
        ['a', 5],
        ['b', 5],
        ['a', 5],
      ],
      { steps: ['a', 'b', 'a'] },
      [1, 1, 0],
    ],
    [
      'the window is inclusive',
      [
        ['a', 0],
        ['b', 1000],
      ],
      { steps: ['a', 'b'], windowSeconds: 1 },
      [1, 1],
    ],
    [
      'the window ends after it',
      [
        ['a', 0],
        ['b', 1001],
      ],
      { steps: ['a', 'b'], windowSeconds: 1 },
      [1, 0],
    ],
    [
      'the window is measured from the first step',
      [
        ['a', 0],
        ['b', 900],
        ['c', 1100],
      ],
      { steps: ['a', 'b', 'c'], windowSeconds: 1 },
      [1, 1, 0],
    ],
    [
      'a later attempt may be longer',
      [
        ['a', 0],
        ['b', 500],
        ['a', 2000],
        ['b', 2100],
        ['c', 2900],
      ],
      { steps: ['a', 'b', 'c'], windowSeconds: 1 },
      [1, 1, 1],
    ],
    [
      'steps of two attempts do not add up',
      [
        ['a', 0],
        ['b', 900],
        ['a', 950],
        ['c', 1100],
      ],
      { steps: ['a', 'b', 'c'], windowSeconds: 1 },
      [1, 1, 0],
    ],
    [
      'without a window there is no time limit',
      [
        ['a', 0],
        ['b', 6 * 86_400_000],
      ],
      { steps: ['a', 'b'] },
      [1, 1],
    ],
    [
      'events outside the range are ignored',
      [
        ['a', -1],
        ['b', 0],
        ['a', 5],
        ['b', 7 * 86_400_000],
      ],
      { steps: ['a', 'b'] },
      [1, 0],
    ],
    [
      'any event may be a step',
      [
        ['x', 0],
        ['y', 1],
      ],
      { steps: ['', ''] },
      [1, 1],
    ],
    [
      'with different events at one instant the ids decide (lower first)',
      [
        ['a', 5, { id: uuid(2) }],
        ['x', 5, { id: uuid(1) }],
      ],
      { steps: ['', 'a'] },
      [1, 1],
    ],
    [
      'with different events at one instant the ids decide (higher first)',
      [
        ['a', 5, { id: uuid(1) }],
        ['x', 5, { id: uuid(2) }],
      ],
      { steps: ['', 'a'] },
      [1, 0],
    ],
    [
      'ids are compared as text',
      [
        ['x', 5, { id: '0fffffff-0000-4000-8000-000000000000' }],
        ['a', 5, { id: 'f0000000-0000-4000-8000-000000000000' }],
      ],
      { steps: ['', 'a'] },
      [1, 1],
    ],
    [
      'filters narrow a step',
      [
        ['a', 0, { plan: 'x' }],
        ['a', 1, { plan: 'y' }],
        ['a', 2, { plan: 'x' }],
      ],
      { steps: [{ kind: 'a', plan: 'y' }, { kind: 'a', plan: 'x' }, 'a'] },
      [1, 1, 0],
    ],
    [
      'cookieless visitors are excluded by default',
      [['a', 0, { by: 'cookieless-1' }]],
      { steps: ['a'] },
      [0],
    ],
    [
      'cookieless visitors count on request',
      [['a', 0, { by: 'cookieless-1' }]],
      { steps: ['a'], spec: { includeCookieless: true } },
      [1],
    ],
  ])('%s', async (_, samples, query, expected) => {
    expect(await totals(samples, query)).toEqual(expected)
    expect(await totals(samples, { ...query, timed: true })).toEqual(expected)
  })

  test('events of a merged user belong to one user', async () => {
    const project = await load([
      ['a', 0, { by: 'anon' }],
      ['b', 1, { by: 'carla' }],
    ])
    const query =
      "INSERT INTO identity_claims SELECT {project:UInt32}, sipHash64({project:UInt32}, 'anon'), 'anon', 'carla', sipHash64({project:UInt32}, 'carla'), now64(3)"
    await store.clickhouse.command({ query, query_params: { project } })
    await store.settle()
    expect(totalsOf((await run(project, { steps: ['a', 'b'] }))[0])).toEqual([1, 1])
  })

  test('step kinds are returned as requested', async () => {
    const [series] = await run(await load([]), { steps: ['a', '', { kind: 'b', plan: 'x' }] })
    expect(series?.steps.map(({ eventKind }) => eventKind)).toEqual(['a', '', 'b'])
  })
})

interface Drawn {
  readonly kind: string
  readonly ms: number
  readonly id: string
  readonly plan: string
}

/** The definition, implemented literally. */
function findCountedAttempt(events: readonly Drawn[], { steps, windowSeconds }: Funnel): Drawn[] {
  const matched = events
    .map((event) => ({ event, of: steps.flatMap((step, index) => (isOf(event, step) ? [index] : [])) }))
    .filter(({ of }) => of.length > 0)
    .sort(
      (left, right) =>
        left.event.ms - right.event.ms ||
        (left.of[0] ?? 0) - (right.of[0] ?? 0) ||
        compareBytewise(left.event.id, right.event.id),
    )
  const attempts = matched.flatMap((start, position) => {
    if (!start.of.includes(0)) return []
    const attempt = [start.event]
    for (const { event, of } of matched.slice(position + 1)) {
      const isSoon = windowSeconds === undefined || event.ms - start.event.ms <= windowSeconds * 1000
      if (isSoon && of.includes(attempt.length)) attempt.push(event)
    }
    return [attempt]
  })
  const longest = Math.max(...attempts.map(({ length }) => length))
  return attempts.find(({ length }) => length === longest) ?? []
}

function isOf(event: Drawn, step: Step): boolean {
  const { kind, plan } = typeof step === 'string' ? { kind: step, plan: undefined } : step
  return (!kind || event.kind === kind) && (plan === undefined || event.plan === plan)
}

describe('1,200 random users', () => {
  const users = new Map<string, readonly Drawn[]>()
  let project: ProjectId

  beforeAll(async () => {
    const rng = new Prng(20_260_105)
    for (let index = 0; index < 1200; index++) {
      // Few instants make many ties.
      const instants = rng.pick([3, 12, 60])
      const events = Array.from({ length: 1 + rng.below(9) }, () => ({
        kind: rng.pick(['a', 'a', 'b', 'c']),
        ms: rng.below(instants) * 500,
        id: rng.uuid(),
        plan: rng.pick(['', 'x', 'y']),
      }))
      users.set(`user-${index}`, events)
    }
    const samples = [...users].flatMap(([by, events]) =>
      events.map(({ kind, ms, id, plan }): Sample => [kind, ms, { by, id, plan }]),
    )
    project = await load(samples)
  })

  const shapes: readonly (readonly Step[])[] = [
    ['a'],
    ['a', 'b', 'c'],
    ['a', 'a'],
    ['a', 'b', 'a'],
    ['a', 'a', 'b'],
    ['', 'b', 'c'],
    ['a', 'b', 'b', 'c'],
    ['', '', ''],
    [{ kind: 'a', plan: 'x' }, 'a', { plan: 'y' }],
    ['a', { kind: 'a', plan: 'x' }, 'b'],
    ['b', '', { kind: 'b', plan: 'x' }, ''],
    ['a', 'b', 'a', 'b', 'a', 'b'],
  ]
  const cases = shapes.flatMap((steps) =>
    [1, 4, undefined].map(
      (windowSeconds): Funnel => ({ steps, ...(windowSeconds ? { windowSeconds } : {}) }),
    ),
  )

  test.each(cases)('match the definition of attempts: $steps within $windowSeconds s', async (funnel) => {
    const request = toRequest({ ...funnel, timed: true })
    const spec = request.spec ?? create(QueryRequestSchema).spec
    if (!spec) throw new Error('the request has a spec')
    const context = parseContext(request, spec, { projectId: project, projectTimeZone: 'UTC' })
    const query = select(
      {
        user: column(stringCodec, sql`toString(user)`),
        start: column(int64Codec, sql`toInt64(start)`),
        deltas: column(int64ArrayCodec, sql`deltas`),
      },
      sql`FROM (${attemptsSql(FUNNEL_RULES.parse(spec, context), context)})`,
    )
    const rows = await store.run(query, AbortSignal.timeout(QUERY_MS_MAX))
    const hashes = await hashesOf([...users.keys()])
    const expected = [...users.values()].flatMap((events, index) => {
      const [start, ...rest] = findCountedAttempt(events, funnel)
      if (!start) return []
      const deltas = rest.map(({ ms }, step) => ms - (step === 0 ? start.ms : (rest[step - 1]?.ms ?? 0)))
      return [{ user: hashes[index] ?? '', start: start.ms, deltas }]
    })
    expect(sortByUser(rows)).toEqual(sortByUser(expected))
    expect(expected.length).toBeGreaterThan(300)
  })

  test.each(cases)('are split by the value at the start: $steps within $windowSeconds s', async (query) => {
    const expected: Record<string, number[]> = {}
    for (const events of users.values()) {
      const attempt = findCountedAttempt(events, query)
      const [start] = attempt
      if (!start) continue
      const counts = expected[start.plan] ?? query.steps.map(() => 0)
      expected[start.plan] = counts
      attempt.forEach((_, step) => {
        counts[step] = (counts[step] ?? 0) + 1
      })
    }
    const series = await run(project, { ...query, breakdowns: ['plan'] })
    expect(Object.fromEntries(series.map((one) => [one.breakdown.plan, totalsOf(one)]))).toEqual(expected)
  })

  async function hashesOf(ids: readonly string[]): Promise<readonly string[]> {
    const result = await store.clickhouse.query({
      query: 'SELECT toString(sipHash64({project:UInt32}, arrayJoin({ids:Array(String)}))) AS hash',
      query_params: { project, ids: [...ids] },
      format: 'JSONEachRow',
    })
    return (await result.json<{ hash: string }>()).map(({ hash }) => hash)
  }

  function sortByUser<Row extends { readonly user: string }>(rows: readonly Row[]): readonly Row[] {
    return rows.toSorted((left, right) => compareBytewise(left.user, right.user))
  }
})

describe('breakdowns', () => {
  const visits = (plan: string, count: number): Sample[] =>
    Array.from({ length: count }, (_, index) => ['a', index, { by: `${plan}-${index}`, plan }])

  test('rank by users of the first step, ties by bytes, and merge the rest', async () => {
    const project = await load([
      ...visits('b', 2),
      ...visits('B', 2),
      ...visits('é', 2),
      ...visits('top', 3),
      ['b', 50, { by: 'é-0' }],
      ['b', 60, { by: 'b-0' }],
    ])
    const series = await run(project, { steps: ['a', 'b'], breakdowns: ['plan'], limit: 2, timed: true })
    expect(series.map((one) => [one.breakdown, ...totalsOf(one)])).toEqual([
      [{ plan: 'top' }, 3, 0],
      [{ plan: 'B' }, 2, 0],
      [{ plan: '$others' }, 4, 2],
    ])
    expect(msOf(series[2]?.steps[1]?.timing)).toMatchObject({ avg: 55, median: 55, p95: 60 })
  })

  test('without a rest have no others, and a missing property is the empty text', async () => {
    const project = await load([
      ['a', 0],
      ['a', 1, { by: 'ben', plan: '' }],
      ['a', 2, { by: 'carla', plan: '$others' }],
    ])
    const series = await run(project, { steps: ['a'], breakdowns: ['plan', '$country'], limit: 2 })
    expect(series.map((one) => [one.breakdown, ...totalsOf(one)])).toEqual([
      [{ plan: '', $country: '' }, 2],
      [{ plan: '$others', $country: '' }, 1],
    ])
  })

  test('without events make no series', async () => {
    const project = await load([['b', 0]])
    expect(await run(project, { steps: ['a', 'b'], breakdowns: ['plan'] })).toEqual([])
  })

  test('and kinds may contain any text', async () => {
    const hostile = [
      `'; DROP TABLE events; --`,
      '{p0:String}',
      'back\\slash',
      'nul\u0000',
      '`"\n\t',
      '🎁'.repeat(300),
    ]
    const project = await load(hostile.map((text, index) => [text, index, { plan: text, by: text }]))
    const series = await Promise.all(
      hostile.map(
        async (kind) => await run(project, { steps: [kind, { kind, plan: kind }], breakdowns: ['plan'] }),
      ),
    )
    expect(series.map(([one]) => [one?.breakdown.plan, ...totalsOf(one)])).toEqual(
      hostile.map((text) => [text, 1, 0]),
    )
  })
})

function toMs({ seconds, nanos }: Duration): number {
  return Number(seconds) * 1000 + nanos / 1e6
}

function msOf(timing: StepTiming | undefined) {
  const { avg, median, p95, distribution = [] } = timing ?? {}
  return {
    avg: avg && toMs(avg),
    median: median && toMs(median),
    p95: p95 && toMs(p95),
    counts: distribution.map(({ count }) => Number(count)),
  }
}

describe('timing', () => {
  test('is on every step but the first, all zero for steps without users', async () => {
    const [series] = await run(await load([['a', 0]]), { steps: ['a', 'b', 'c'], timed: true })
    const zero = { avg: 0, median: 0, p95: 0, counts: [0, 0, 0, 0, 0, 0, 0, 0] }
    expect(series?.steps.map(({ timing }) => timing && msOf(timing))).toEqual([undefined, zero, zero])
    expect(
      series?.steps[1]?.timing?.distribution.map(({ label, upperBound }) => [label, upperBound?.seconds]),
    ).toEqual([
      ['0-30s', 30n],
      ['30s-2m', 120n],
      ['2-5m', 300n],
      ['5-15m', 900n],
      ['15-60m', 3600n],
      ['1-6h', 21_600n],
      ['6-24h', 86_400n],
      ['24h+', undefined],
    ])
  })

  test('is absent unless requested', async () => {
    const [series] = await run(
      await load([
        ['a', 0],
        ['b', 1],
      ]),
      { steps: ['a', 'b'] },
    )
    expect(series?.steps.map(({ timing }) => timing)).toEqual([undefined, undefined])
  })

  test('puts a bound into the bucket above it', async () => {
    const bounds = [30, 120, 300, 900, 3600, 21_600, 86_400].map((seconds) => seconds * 1000)
    const samples = bounds.flatMap((bound, index): Sample[] => [
      ['a', 0, { by: `below-${index}` }],
      ['b', bound - 1, { by: `below-${index}` }],
      ['a', 0, { by: `at-${index}` }],
      ['b', bound, { by: `at-${index}` }],
    ])
    const [series] = await run(await load(samples), { steps: ['a', 'b'], timed: true })
    expect(msOf(series?.steps[1]?.timing).counts).toEqual([1, 2, 2, 2, 2, 2, 2, 1])
  })

  test('follows the counted attempt, from step to step', async () => {
    const samples: Sample[] = [
      ['a', 0],
      ['a', 400],
      ['b', 700],
      ['b', 800],
      ['c', 1300],
      ['c', 1350],
    ]
    const [series] = await run(await load(samples), { steps: ['a', 'b', 'c'], windowSeconds: 1, timed: true })
    expect(series?.steps.slice(1).map(({ timing }) => msOf(timing).avg)).toEqual([300, 600])
  })

  test('takes the ordered values of 1 to 60 users as defined', async () => {
    const rng = new Prng(95)
    const groups = Array.from({ length: 60 }, (_, index) =>
      Array.from({ length: index + 1 }, () => rng.below(100_000)),
    )
    const samples = groups.flatMap((deltas) =>
      deltas.flatMap((delta, index): Sample[] => {
        const rest = { by: `user-${deltas.length}-${index}`, plan: String(deltas.length) }
        return [
          ['a', 0, rest],
          ['b', delta, rest],
        ]
      }),
    )
    const query: Funnel = { steps: ['a', 'b'], breakdowns: ['plan'], limit: 100, timed: true }
    const series = await run(await load(samples), query)
    const actual = series.map(({ steps }) => msOf(steps[1]?.timing))
    const expected = groups.toReversed().map((deltas) => {
      const sorted = deltas.toSorted((left, right) => left - right)
      const at = (place: number): number => sorted[place - 1] ?? Number.NaN
      const count = sorted.length
      return {
        avg: sorted.reduce((sum, delta) => sum + delta, 0) / count,
        median: (at(Math.ceil(count / 2)) + at(Math.floor(count / 2) + 1)) / 2,
        p95: at(Math.ceil((95 * count) / 100)),
      }
    })
    expect(actual.map(({ median, p95 }) => ({ median, p95 }))).toEqual(
      expected.map(({ median, p95 }) => ({ median, p95 })),
    )
    actual.forEach(({ avg }, index) => {
      expect(avg).toBeCloseTo(expected[index]?.avg ?? Number.NaN, 5)
    })
  })
})

describe('a user with 200,000 step events', () => {
  const project = asProjectId(9001)

  beforeAll(async () => {
    // Events a second apart: a, a, a, ... and one b at the end.
    const query = `INSERT INTO events (project, kind, time, distinct_id, session_id, event_id, strings)
      SELECT {project:UInt32}, if(number = 199999, 'b', 'a'), fromUnixTimestamp64Milli({from:Int64} + 1000 * number, 'UTC'), 'one',
        toUUID('${uuid(1)}'), toUUID(concat('00000000-0000-4000-8000-', leftPad(toString(number), 12, '0'))), map('plan', toString(number % 7))
      FROM numbers(200000)`
    await store.clickhouse.command({ query, query_params: { project, from: FROM_MS } })
  }, 60_000)

  test('takes the earliest start within the window', async () => {
    const query: Funnel = { steps: ['a', 'b'], windowSeconds: 10, timed: true, breakdowns: ['plan'] }
    const series = await run(project, query)
    expect(series.map((one) => [one.breakdown.plan, ...totalsOf(one)])).toEqual([[String(199_989 % 7), 1, 1]])
    expect(msOf(series[0]?.steps[1]?.timing).avg).toBe(10_000)
  })

  test('completes 20 overlapping steps', async () => {
    const steps: Step[] = [...Array<Step>(18).fill(''), { kind: 'a', plan: '3' }, 'b']
    const [series] = await run(project, { steps, windowSeconds: 86_400, timed: true })
    expect(totalsOf(series)).toEqual(Array(20).fill(1))
    expect(msOf(series?.steps[19]?.timing).avg).toBeGreaterThan(86_000_000)
  })
})
