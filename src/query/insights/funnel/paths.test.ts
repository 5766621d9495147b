import { create, fromJson, type JsonObject } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareValues } from '../../../../test/differential/compare.ts'
import { FUNNEL_CASES, funnelRequest } from '../../../../test/differential/funnel-cases.ts'
import { answer as answerByReference } from '../../../../test/differential/reference.ts'
import { resultOf, sampleWorld } from '../../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../../test/differential/world-store.ts'
import { printStatements } from '../../../../test/harness/print-statements.ts'
import { recordStatements } from '../../../../test/harness/scripted-runner.ts'
import { FunnelOptions_View } from '../../../contract/gen/millrace/insights/v1/funnel_options_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
  QueryResponseSchema,
} from '../../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { FunnelSeries } from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import { asProjectId, type ProjectId } from '../../../contract/ids.ts'
import { prepareInsight } from '../../insight-types.ts'
import type { Statement } from '../../sql/sql.ts'
import { checkStatement } from '../../sql/statement-size.ts'

const FROM_MS = Date.parse('2026-01-05T00:00:00Z')
const PROJECT = asProjectId(9101)

let store: WorldStore

beforeAll(async () => {
  store = await openSharedWorldStore()
})

afterAll(async () => await store.close())

interface Funnel {
  readonly kinds: readonly string[]
  readonly funnel: JsonObject
  readonly spec?: JsonObject
}

function toRequest({ kinds, funnel, spec }: Funnel): QueryRequest {
  return fromJson(QueryRequestSchema, {
    spec: {
      insightType: 'INSIGHT_TYPE_FUNNEL',
      events: kinds.map((kind) => ({ event: { kind } })),
      funnel,
      ...spec,
    },
    timeRange: { from: '2026-01-05T00:00:00Z', to: '2026-01-12T00:00:00Z' },
    granularity: 'GRANULARITY_DAY',
  })
}

async function statementOf(query: Funnel): Promise<Statement> {
  const [first] = await recordStatements(
    prepareInsight(toRequest(query), { projectId: asProjectId(9), projectTimeZone: 'UTC' }),
  )
  return first ?? { text: '', params: {} }
}

async function run(query: Funnel): Promise<readonly FunnelSeries[]> {
  return await answer(toRequest(query), PROJECT)
}

async function answer(request: QueryRequest, projectId: ProjectId): Promise<readonly FunnelSeries[]> {
  const insight = prepareInsight(request, { projectId, projectTimeZone: 'UTC' })
  const response = await insight.answer(async (each) => await store.run(each, AbortSignal.timeout(60_000)))
  const { result } = create(QueryResponseSchema, response)
  return result.case === 'funnel' ? result.value.series : []
}

const exclusion = (kind: string): JsonObject => ({ event: { kind }, afterStep: 1, beforeStep: 2 })

describe('a statement', () => {
  test('follows every attempt, with places instead of ids where ids cannot matter', async () => {
    const query = { kinds: ['a', 'b'], funnel: { exclusions: [exclusion('x')] } }
    expect(printStatements(await statementOf(query))).toMatchInlineSnapshot(`
      "
      SELECT toInt64(0), CAST([], 'Array(String)'), toInt64(step), toInt64(sum(users))
      FROM (
        SELECT step, count() AS users
        FROM (
          SELECT user,
            range(level) AS done,
            arrayMap(
              code -> bitShiftRight(code, {p0:Int64}), arraySlice([chain0[chosen], chain1[chosen]], 1, level)
            ) AS times
          FROM (
            SELECT user,
              begun,
              chain0,
              chain1,
              arrayMap(
                (level, start, value0, value1, visit0) -> if(
                  (
                    level > {p1:Int64}
                    AND NOT bitTest(visit0, {p2:Int64})
                    AND if(
                      level > {p3:Int64},
                      bitOr(visit0, {p4:Int64}) < value1,
                      visit0 <= bitOr(start, {p5:Int64}) + {p6:Int64} * {p7:Int64}
                    )
                  ),
                  0,
                  level
                ),
                levels,
                begun,
                chain0,
                chain1,
                next0
              ) AS scores,
              arrayMax(scores) AS level,
              indexOf(scores, level) AS chosen
            FROM (
              SELECT user,
                begun,
                chain0,
                chain1,
                next0,
                arrayMap(
                  (start, value0, value1) -> toUInt8(
                    multiIf(
                      NOT (NOT bitTest(start, {p8:Int64})),
                        {p9:Int64},
                        NOT (
                          NOT bitTest(value1, {p10:Int64})
                            AND value1 <= bitOr(start, {p11:Int64}) + {p12:Int64} * {p13:Int64}
                        ),
                        {p14:Int64},
                        {p15:Int64}
                    )
                  ),
                  begun,
                  chain0,
                  chain1
                ) AS levels
              FROM (
                SELECT user,
                  events AS begun,
                  events AS chain0,
                  chain1,
                  arrayReverseFill(code -> NOT bitTest(code, {p16:Int64}), events) AS next0
                FROM (
                  SELECT user, events, arrayReverseFill(code -> NOT bitTest(code, {p17:Int64}), events) AS chain1
                  FROM (
                    SELECT user, arraySort(groupArray(code)) AS events
                    FROM (
                      SELECT user, at * {p18:Int64} + flags AS code
                      FROM (
                        SELECT dictGetOrDefault('identities', 'user_hash', user_hash, user_hash) AS user,
                          toUnixTimestamp64Milli(time) - {p19:Int64} AS at,
                          {p20:Int64} - (
                            (kind = {p21:String}) * {p22:Int64} + (kind = {p23:String}) * {p24:Int64}
                          ) - (kind = {p25:String}) * {p26:Int64} AS flags,
                          bitOr(
                            bitShiftLeft(reinterpretAsUInt128(event_id), 64),
                            bitShiftRight(reinterpretAsUInt128(event_id), 64)
                          ) AS id
                        FROM events FINAL
                        PREWHERE project = {p27:UInt32}
                          AND indexHint(
                            toDate(time) >= toDate(fromUnixTimestamp64Milli({p28:Int64}, 'UTC')),
                            toDate(time) <= toDate(fromUnixTimestamp64Milli({p29:Int64}, 'UTC'))
                          )
                          AND time >= fromUnixTimestamp64Milli({p30:Int64}, 'UTC')
                          AND time < fromUnixTimestamp64Milli({p31:Int64}, 'UTC')
                          AND kind IN {p32:Array(String)}
                        WHERE 1 AND NOT cookieless
                        SETTINGS max_block_size = 65409
                      )
                      WHERE flags != {p20:Int64}
                    )
                    GROUP BY user
                  )
                )
              )
            )
            WHERE level > 0
          )
        )
        ARRAY JOIN done AS step
        GROUP BY step
      )
      GROUP BY step
      SETTINGS max_block_size = 8192
      p0 = 3
      p1 = 0
      p2 = 2
      p3 = 1
      p4 = 7
      p5 = 7
      p6 = 604800000
      p7 = 8
      p8 = 1
      p9 = 0
      p10 = 0
      p11 = 7
      p12 = 604800000
      p13 = 8
      p14 = 1
      p15 = 2
      p16 = 2
      p17 = 0
      p18 = 8
      p19 = 1767571200000
      p20 = 7
      p21 = "a"
      p22 = 2
      p23 = "b"
      p24 = 1
      p25 = "x"
      p26 = 4
      p27 = 9
      p28 = 1767571200000
      p29 = 1768175999999
      p30 = 1767571200000
      p31 = 1768176000000
      p32 = ["a","b","x"]
      "
    `)
  })

  test('tries each choice of optional steps, and finds the event of a step again', async () => {
    const funnel = {
      optionalSteps: [2],
      holdConstant: ['plan'],
      attribution: 'ATTRIBUTION_LAST_STEP',
      view: 'VIEW_TIME_TO_CONVERT',
    }
    const query = { kinds: ['a', 'b', 'c'], funnel, spec: { breakdowns: [{ property: '$country' }] } }
    expect(printStatements(await statementOf(query))).toMatchInlineSnapshot(`
      "
      SELECT toInt64(rank),
        any([key0]),
        toInt64(tupleElement(cell, 1)) AS step,
        toInt64(sum(tupleElement(cell, 2))),
        sum(tupleElement(cell, 3)) / sum(tupleElement(cell, 2)),
        quantilesExactMerge(0.49999999999, 0.5, 0.94999999999)(tupleElement(cell, 4)),
        sumForEach(tupleElement(cell, 5)),
        arrayConcat(
          [
            toInt64(
              least(
                60,
                (
                  toInt64(
                    round(cbrt(toInt64(length(groupArrayArray(tupleElement(cell, 6)) AS all_ms)) AS size))
                  ) AS root
                ) + (root * root * root < size)
              )
            ) AS bin_count
          ],
          [arrayMin(all_ms) AS least_ms, arrayMax(all_ms) AS greatest_ms],
          arrayMap(
            each -> toInt64(each),
            arrayReduce(
              'countResample(0, 60, 1)',
              arrayMap(
                ms -> least(
                  intDiv((ms - least_ms) * bin_count, greatest(greatest_ms - least_ms, 1)), bin_count - 1
                ),
                all_ms
              ) AS bins,
              bins
            )
          )
        )
      FROM (
        SELECT key0, cells, least(row_number() OVER (ORDER BY entered DESC, key0), {p0:Int64}) AS rank
        FROM (
          SELECT key0,
            groupArray((step, users, total, ordered, below, spread)) AS cells,
            sumIf(users, step = 0) AS entered
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
              ] AS below,
              groupArrayIf(delta, step = {p8:Int64}) AS spread
            FROM (
              SELECT *
              FROM (SELECT dictGetOrDefault('identities', 'user_hash', user_hash, user_hash) AS user, toUnixTimestamp64Milli(time) - {p9:Int64} AS at, bitOr(bitShiftLeft(reinterpretAsUInt128(event_id), 64), bitShiftRight(reinterpretAsUInt128(event_id), 64)) AS id, country AS key0 FROM events FINAL PREWHERE project = {p10:UInt32} AND indexHint(toDate(time) >= toDate(fromUnixTimestamp64Milli({p11:Int64}, 'UTC')), toDate(time) <= toDate(fromUnixTimestamp64Milli({p12:Int64}, 'UTC'))) AND time >= fromUnixTimestamp64Milli({p13:Int64}, 'UTC') AND time < fromUnixTimestamp64Milli({p14:Int64}, 'UTC') AND kind IN {p15:Array(String)} WHERE 1 AND NOT cookieless) AS events RIGHT ANY JOIN (
                SELECT * EXCEPT (ids),
                  if(indexOf(done, {p16:Int64}) = 0, -1, times[indexOf(done, {p16:Int64})]) AS at,
                  ids[indexOf(done, {p16:Int64})] AS id
                FROM (
                  SELECT user,
                    done,
                    arrayMap(mark -> toInt64(bitShiftRight(mark, 24)), path) AS times,
                    arrayReduceInRanges('any', arrayMap(mark -> (bitAnd(mark, 16777215), 1), path), ids) AS ids
                  FROM (
                    SELECT user,
                      ids,
                      begin,
                      scores,
                      arrayFilter(mark -> mark != none, [step0[chosen], step1[chosen], step2[chosen]]) AS path,
                      arrayFilter(
                        (step, mark) -> mark != none,
                        range(toUInt64({p17:Int64})),
                        [step0[chosen], step1[chosen], step2[chosen]]
                      ) AS done
                    FROM (
                      SELECT user,
                        none,
                        ids,
                        begin,
                        step0,
                        step1,
                        step2,
                        scores,
                        arrayMax(scores) AS best,
                        indexOf(scores, best) AS chosen
                      FROM (
                        SELECT user,
                          none,
                          ids,
                          begin,
                          step0,
                          step1,
                          step2,
                          arrayMap(
                            (place, isRefused, value0, value1, value2) -> if(
                              isRefused,
                              0,
                              toUInt64(
                                greatest(
                                  (value0 != none) * {p18:Int64},
                                  (value1 != none) * {p19:Int64},
                                  (value2 != none) * {p20:Int64}
                                )
                              ) * 1099511627776 + toUInt64(16777215 - place) * 65536 + toUInt64(((value0 != none) + (value1 != none) + (value2 != none)) * 256 + (value1 != none) * {p21:Int64})
                            ),
                            arrayReduceInRanges(
                              'any', arrayMap(mark -> (bitAnd(mark, 16777215), 1), begin), origin
                            ),
                            arrayMap(
                              (isVoid, hasFailed) -> isVoid
                              OR hasFailed,
                              arrayMap(mark -> toUInt8(0), begin),
                              failed
                            ),
                            step0,
                            step1,
                            step2
                          ) AS scores
                        FROM (
                          SELECT user,
                            flags,
                            marks,
                            none,
                            ids,
                            held,
                            origin,
                            begin,
                            skips,
                            step0,
                            step1,
                            found AS step2,
                            found AS here,
                            has_failed AS failed
                          FROM (
                            SELECT user,
                              flags,
                              marks,
                              none,
                              ids,
                              held,
                              origin,
                              begin,
                              skips,
                              step0,
                              step1,
                              here AS previous,
                              failed AS has_failed,
                              arrayMap(
                                (mark, start, previous) -> if(
                                  toInt64(bitShiftRight(mark, 24)) - toInt64(
                                    bitShiftRight(start, 24)
                                  ) <= {p22:Int64}
                                  AND 1,
                                  mark,
                                  none
                                ),
                                arrayReduceInRanges(
                                  'any',
                                  arrayMap(mark -> (bitAnd(mark, 16777215), 1), here),
                                  arrayMap(
                                    (mark, its, own) -> if(its = own, mark, none),
                                    arrayPushBack(
                                      arrayPopFront(
                                        arrayReverseFill(
                                          (item, flag) -> NOT bitTest(flag, {p23:Int64}), marks, flags
                                        )
                                      ),
                                      none
                                    ),
                                    arrayPushBack(
                                      arrayPopFront(
                                        arrayReverseFill(
                                          (item, flag) -> NOT bitTest(flag, {p23:Int64}), held, flags
                                        )
                                      ),
                                      0
                                    ),
                                    held
                                  )
                                ),
                                begin,
                                here
                              ) AS found
                            FROM (
                              SELECT user,
                                flags,
                                marks,
                                none,
                                ids,
                                held,
                                origin,
                                begin,
                                skips,
                                step0,
                                arrayMap(
                                  (mark, choice) -> if(bitTest(choice, {p24:Int64}), none, mark), found, skips
                                ) AS step1,
                                arrayMap(
                                  (mark, choice, before) -> if(bitTest(choice, {p24:Int64}), before, mark),
                                  found,
                                  skips,
                                  previous
                                ) AS here,
                                arrayMap(
                                  (mark, choice, before, was) -> was
                                  OR (mark = none AND before != none AND NOT bitTest(choice, {p24:Int64})),
                                  found,
                                  skips,
                                  previous,
                                  has_failed
                                ) AS failed
                              FROM (
                                SELECT user,
                                  flags,
                                  marks,
                                  none,
                                  ids,
                                  held,
                                  origin,
                                  begin,
                                  skips,
                                  step0,
                                  here AS previous,
                                  failed AS has_failed,
                                  arrayMap(
                                    (mark, start, previous) -> if(
                                      toInt64(bitShiftRight(mark, 24)) - toInt64(
                                        bitShiftRight(start, 24)
                                      ) <= {p25:Int64}
                                      AND 1,
                                      mark,
                                      none
                                    ),
                                    arrayReduceInRanges(
                                      'any',
                                      arrayMap(mark -> (bitAnd(mark, 16777215), 1), here),
                                      arrayMap(
                                        (mark, its, own) -> if(its = own, mark, none),
                                        arrayPushBack(
                                          arrayPopFront(
                                            arrayReverseFill(
                                              (item, flag) -> NOT bitTest(flag, {p26:Int64}), marks, flags
                                            )
                                          ),
                                          none
                                        ),
                                        arrayPushBack(
                                          arrayPopFront(
                                            arrayReverseFill(
                                              (item, flag) -> NOT bitTest(flag, {p26:Int64}), held, flags
                                            )
                                          ),
                                          0
                                        ),
                                        held
                                      )
                                    ),
                                    begin,
                                    here
                                  ) AS found
                                FROM (
                                  SELECT user,
                                    flags,
                                    marks,
                                    none,
                                    ids,
                                    held,
                                    origin,
                                    variants AS begin,
                                    skips,
                                    variants AS step0,
                                    variants AS here,
                                    arrayMap(mark -> 0, variants) AS failed
                                  FROM (
                                    SELECT user,
                                      flags,
                                      marks,
                                      none,
                                      ids,
                                      held,
                                      origin,
                                      arrayFlatten(
                                        arrayMap(mark -> arrayWithConstant({p27:Int64}, mark), begin)
                                      ) AS variants,
                                      arrayFlatten(arrayMap(mark -> range(toUInt64({p27:Int64})), begin)) AS skips
                                    FROM (
                                      SELECT user,
                                        flags,
                                        marks,
                                        none,
                                        ids,
                                        held,
                                        origin,
                                        arrayFilter(
                                          (mark, flag) -> mark != none
                                          AND NOT bitTest(flag, {p28:Int64}),
                                          marks,
                                          flags
                                        ) AS begin
                                      FROM (
                                        SELECT user,
                                          flags,
                                          ids,
                                          held,
                                          origin,
                                          arrayMap(
                                            (ms, place) -> toUInt64(ms) * 16777216 + place, at, arrayEnumerate(at)
                                          ) AS marks,
                                          marks[-1] AS none
                                        FROM (
                                          SELECT user,
                                            arrayPushBack(at, toInt64(549755813888)) AS at,
                                            arrayPushBack(flags, 0) AS flags,
                                            arrayPushBack(ids, ids[1]) AS ids,
                                            arrayPushBack(held, 0) AS held,
                                            arrayPushBack(origin, 0) AS origin
                                          FROM (
                                            SELECT user,
                                              arraySort((item, key) -> key, at, position) AS at,
                                              arraySort((item, key) -> key, flags, position) AS flags,
                                              arraySort((item, key) -> key, ids, position) AS ids,
                                              arraySort((item, key) -> key, held, position) AS held,
                                              arraySort((item, key) -> key, arrayEnumerate(at), position) AS origin
                                            FROM (
                                              SELECT user,
                                                at,
                                                flags,
                                                ids,
                                                held,
                                                arrayMap(
                                                  (text, place) -> toUInt128(text) * 16777216 + place,
                                                  held,
                                                  arrayEnumerate(held)
                                                ) AS position
                                              FROM (
                                                SELECT user,
                                                  arrayMap(
                                                    code -> toInt64(bitShiftRight(code, {p29:Int64})),
                                                    tupleElement(events, 1)
                                                  ) AS at,
                                                  arrayMap(
                                                    code -> bitAnd(toUInt64(code), {p30:Int64}),
                                                    tupleElement(events, 1)
                                                  ) AS flags,
                                                  arrayMap(
                                                    code -> toUInt128(bitShiftRight(code, {p31:Int64})),
                                                    tupleElement(events, 1)
                                                  ) AS ids,
                                                  tupleElement(events, 2) AS held
                                                FROM (
                                                  SELECT user,
                                                    arraySort(
                                                      event -> tupleElement(event, 1), groupArray((code, held))
                                                    ) AS events
                                                  FROM (
                                                    SELECT user,
                                                      toUInt64(
                                                        at * 32 + if(
                                                          {p32:Int64} - bitShiftRight(flags, {p33:Int64}) = 0,
                                                          31,
                                                          20 - toInt64(
                                                            log2(
                                                              greatest(
                                                                {p32:Int64} - bitShiftRight(flags, {p33:Int64}), 1
                                                              )
                                                            )
                                                          )
                                                        )
                                                      ) * toUInt256('6277101735386680763835789423207666416102355444464034512896') + toUInt256(id) * toUInt256('18446744073709551616') + toUInt64(flags) AS code,
                                                      held
                                                    FROM (
                                                      SELECT dictGetOrDefault(
                                                        'identities', 'user_hash', user_hash, user_hash
                                                      ) AS user,
                                                        toUnixTimestamp64Milli(time) - {p34:Int64} AS at,
                                                        if(
                                                          multiIf(
                                                            mapContains(strings, {p35:String}),
                                                            strings[{p35:String}],
                                                            mapContains(ints, {p35:String}),
                                                            toString(ints[{p35:String}]),
                                                            mapContains(doubles, {p35:String}),
                                                            if(
                                                              abs(doubles[{p35:String}]) >= 1e21,
                                                              replaceOne(
                                                                toString(doubles[{p35:String}]), 'e', 'e+'
                                                              ),
                                                              toString(doubles[{p35:String}] + 0.)
                                                            ),
                                                            mapContains(bools, {p35:String}),
                                                            if(bools[{p35:String}], 'true', 'false'),
                                                            mapContains(times, {p35:String}),
                                                            concat(
                                                              leftPad(
                                                                toString(
                                                                  toInt32(
                                                                    substring(
                                                                      toString(
                                                                        fromUnixTimestamp64Milli(
                                                                          toUnixTimestamp64Milli(times[{p35:String}]) - toInt64(
                                                                            floor(
                                                                              (
                                                                                toUnixTimestamp64Milli(
                                                                                  times[{p35:String}]
                                                                                ) + 2208988800000
                                                                              ) / 12622780800000
                                                                            )
                                                                          ) * 12622780800000,
                                                                          'UTC'
                                                                        )
                                                                      ),
                                                                      1,
                                                                      4
                                                                    )
                                                                  ) + 400 * toInt64(floor((toUnixTimestamp64Milli(times[{p35:String}]) + 2208988800000) / 12622780800000))
                                                                ),
                                                                4,
                                                                '0'
                                                              ),
                                                              substring(
                                                                toString(
                                                                  fromUnixTimestamp64Milli(
                                                                    toUnixTimestamp64Milli(times[{p35:String}]) - toInt64(
                                                                      floor(
                                                                        (
                                                                          toUnixTimestamp64Milli(
                                                                            times[{p35:String}]
                                                                          ) + 2208988800000
                                                                        ) / 12622780800000
                                                                      )
                                                                    ) * 12622780800000,
                                                                    'UTC'
                                                                  )
                                                                ),
                                                                5,
                                                                6
                                                              ),
                                                              'T',
                                                              substring(
                                                                toString(
                                                                  fromUnixTimestamp64Milli(
                                                                    toUnixTimestamp64Milli(times[{p35:String}]) - toInt64(
                                                                      floor(
                                                                        (
                                                                          toUnixTimestamp64Milli(
                                                                            times[{p35:String}]
                                                                          ) + 2208988800000
                                                                        ) / 12622780800000
                                                                      )
                                                                    ) * 12622780800000,
                                                                    'UTC'
                                                                  )
                                                                ),
                                                                12
                                                              ),
                                                              'Z'
                                                            ),
                                                            ''
                                                          ) = '',
                                                          0,
                                                          sipHash64(
                                                            multiIf(
                                                              mapContains(strings, {p35:String}),
                                                              strings[{p35:String}],
                                                              mapContains(ints, {p35:String}),
                                                              toString(ints[{p35:String}]),
                                                              mapContains(doubles, {p35:String}),
                                                              if(
                                                                abs(doubles[{p35:String}]) >= 1e21,
                                                                replaceOne(
                                                                  toString(doubles[{p35:String}]), 'e', 'e+'
                                                                ),
                                                                toString(doubles[{p35:String}] + 0.)
                                                              ),
                                                              mapContains(bools, {p35:String}),
                                                              if(bools[{p35:String}], 'true', 'false'),
                                                              mapContains(times, {p35:String}),
                                                              concat(
                                                                leftPad(
                                                                  toString(
                                                                    toInt32(
                                                                      substring(
                                                                        toString(
                                                                          fromUnixTimestamp64Milli(
                                                                            toUnixTimestamp64Milli(times[{p35:String}]) - toInt64(
                                                                              floor(
                                                                                (
                                                                                  toUnixTimestamp64Milli(
                                                                                    times[{p35:String}]
                                                                                  ) + 2208988800000
                                                                                ) / 12622780800000
                                                                              )
                                                                            ) * 12622780800000,
                                                                            'UTC'
                                                                          )
                                                                        ),
                                                                        1,
                                                                        4
                                                                      )
                                                                    ) + 400 * toInt64(floor((toUnixTimestamp64Milli(times[{p35:String}]) + 2208988800000) / 12622780800000))
                                                                  ),
                                                                  4,
                                                                  '0'
                                                                ),
                                                                substring(
                                                                  toString(
                                                                    fromUnixTimestamp64Milli(
                                                                      toUnixTimestamp64Milli(times[{p35:String}]) - toInt64(
                                                                        floor(
                                                                          (
                                                                            toUnixTimestamp64Milli(
                                                                              times[{p35:String}]
                                                                            ) + 2208988800000
                                                                          ) / 12622780800000
                                                                        )
                                                                      ) * 12622780800000,
                                                                      'UTC'
                                                                    )
                                                                  ),
                                                                  5,
                                                                  6
                                                                ),
                                                                'T',
                                                                substring(
                                                                  toString(
                                                                    fromUnixTimestamp64Milli(
                                                                      toUnixTimestamp64Milli(times[{p35:String}]) - toInt64(
                                                                        floor(
                                                                          (
                                                                            toUnixTimestamp64Milli(
                                                                              times[{p35:String}]
                                                                            ) + 2208988800000
                                                                          ) / 12622780800000
                                                                        )
                                                                      ) * 12622780800000,
                                                                      'UTC'
                                                                    )
                                                                  ),
                                                                  12
                                                                ),
                                                                'Z'
                                                              ),
                                                              ''
                                                            )
                                                          )
                                                        ) AS held,
                                                        {p36:Int64} - (
                                                          (
                                                            kind = {p37:String}
                                                          ) * {p38:Int64} + (kind = {p39:String}) * {p40:Int64} + (kind = {p41:String}) * {p42:Int64}
                                                        ) * (held != 0) AS flags,
                                                        bitOr(
                                                          bitShiftLeft(reinterpretAsUInt128(event_id), 64),
                                                          bitShiftRight(reinterpretAsUInt128(event_id), 64)
                                                        ) AS id
                                                      FROM events FINAL
                                                      PREWHERE project = {p43:UInt32}
                                                        AND indexHint(
                                                          toDate(time) >= toDate(
                                                            fromUnixTimestamp64Milli({p44:Int64}, 'UTC')
                                                          ),
                                                          toDate(time) <= toDate(
                                                            fromUnixTimestamp64Milli({p45:Int64}, 'UTC')
                                                          )
                                                        )
                                                        AND time >= fromUnixTimestamp64Milli({p46:Int64}, 'UTC')
                                                        AND time < fromUnixTimestamp64Milli({p47:Int64}, 'UTC')
                                                        AND kind IN {p48:Array(String)}
                                                      WHERE 1 AND NOT cookieless
                                                      SETTINGS max_block_size = 65409
                                                    )
                                                    WHERE flags != {p49:Int64}
                                                  )
                                                  GROUP BY user
                                                )
                                              )
                                            )
                                          )
                                        )
                                        WHERE throwIf(
                                          length(at) > 16777215, 'a user of the funnel has too many events'
                                        ) = 0
                                      )
                                      WHERE notEmpty(begin)
                                    )
                                  )
                                )
                              )
                            )
                          )
                        )
                      )
                      WHERE best > 0
                    )
                  )
                )
              ) AS attempts USING (user, at, id)
            )
            ARRAY JOIN arrayConcat(
              arrayMap(each -> toInt64(each), done),
              if(indexOf(done, {p50:Int64}) > 0 AND indexOf(done, {p51:Int64}) > 0, [{p52:Int64}], [])
            ) AS step,
              arrayConcat(
                arrayDifference(times),
                if(
                  indexOf(done, {p50:Int64}) > 0
                  AND indexOf(done, {p51:Int64}) > 0,
                  [
                    arraySum(
                      arraySlice(
                        arrayDifference(times),
                        indexOf(done, {p50:Int64}) + 1,
                        indexOf(done, {p51:Int64}) - indexOf(done, {p50:Int64})
                      )
                    )
                  ],
                  []
                )
              ) AS delta
            GROUP BY key0, step
          )
          GROUP BY key0
        )
      )
      ARRAY JOIN cells AS cell
      GROUP BY rank, step
      SETTINGS query_plan_join_swap_table = 'false', max_block_size = 8192
      p0 = 11
      p1 = 30000
      p2 = 120000
      p3 = 300000
      p4 = 900000
      p5 = 3600000
      p6 = 21600000
      p7 = 86400000
      p8 = 3
      p9 = 1767571200000
      p10 = 9
      p11 = 1767571200000
      p12 = 1768175999999
      p13 = 1767571200000
      p14 = 1768176000000
      p15 = ["c"]
      p16 = 2
      p17 = 3
      p18 = 1
      p19 = 2
      p20 = 3
      p21 = 1
      p22 = 604800000
      p23 = 0
      p24 = 0
      p25 = 604800000
      p26 = 1
      p27 = 2
      p28 = 2
      p29 = 197
      p30 = 7
      p31 = 64
      p32 = 7
      p33 = 0
      p34 = 1767571200000
      p35 = "plan"
      p36 = 7
      p37 = "a"
      p38 = 4
      p39 = "b"
      p40 = 2
      p41 = "c"
      p42 = 1
      p43 = 9
      p44 = 1767571200000
      p45 = 1768175999999
      p46 = 1767571200000
      p47 = 1768176000000
      p48 = ["a","b","c"]
      p49 = 7
      p50 = 0
      p51 = 2
      p52 = 3
      "
    `)
  })

  test('has a text that does not depend on its values', async () => {
    const query = (kind: string, bins: number): Funnel => ({
      kinds: [kind, kind],
      funnel: { exclusions: [exclusion(kind)], view: 'VIEW_TIME_TO_CONVERT', bins },
    })
    expect((await statementOf(query(`'"{x:String}\\`, 59))).text).toBe(
      (await statementOf(query('a', 1))).text,
    )
  })

  test.each([
    [
      'in sequence',
      { exclusions: Array<JsonObject>(20).fill(exclusion('')), optionalSteps: [2, 3, 4, 5, 6, 7] },
    ],
    ['in any order', { order: 'ORDER_ANY', holdConstant: ['a', 'b', 'c'] }],
  ])('of the most steps and options is short enough: %s', async (_, funnel) => {
    const view = { view: 'VIEW_OVER_TIME', countBy: 'COUNT_BY_SESSIONS' }
    const breakdowns = ['a', 'b', 'c', 'd', 'e'].map((property) => ({ property }))
    const query = { kinds: Array<string>(20).fill(''), funnel: { ...funnel, ...view }, spec: { breakdowns } }
    const statement = await statementOf(query)
    expect(() => checkStatement(statement)).not.toThrow()
  })
})

test.each(FUNNEL_CASES)('%s', async (_title, events, funnelCase, totals) => {
  const world = sampleWorld(events)
  const scene = { timeZone: 'UTC', anchorMs: 0 }
  const project = await store.load({ seed: 0, world, copies: world.events, scene, instants: [] })
  await store.settle()
  // With values of a breakdown, and over time, attempts are followed by another statement.
  const over = { ...funnelCase.options, view: FunnelOptions_View.OVER_TIME }
  const variants = [
    funnelCase,
    { ...funnelCase, breakdown: funnelCase.breakdown ?? 'absent' },
    { ...funnelCase, options: over },
  ]
  const answers = await Promise.all(
    variants.map(async (variant) => {
      const request = funnelRequest(variant)
      const expected = resultOf(answerByReference(world, request), 'funnel').series
      return { expected, actual: await answer(request, project) }
    }),
  )
  const totalsOf = (series: readonly FunnelSeries[]): readonly number[] =>
    totals.map((_, step) => series.reduce((sum, { steps }) => sum + (steps[step]?.total ?? 0), 0))
  expect(answers.map(({ actual }) => totalsOf(actual))).toEqual([totals, totals, totals])
  expect(answers.map(compareValues)).toEqual([[], [], []])
})

describe('a user with 200,000 step events', () => {
  beforeAll(async () => {
    // Events a second apart: a, a, a, ... with an x after each thousand, and one b at the end.
    const query = `INSERT INTO events (project, kind, time, distinct_id, session_id, event_id, strings)
      SELECT {project:UInt32}, multiIf(number = 199999, 'b', number % 1000 = 999, 'x', 'a'),
        fromUnixTimestamp64Milli({from:Int64} + 1000 * number, 'UTC'), 'one', toUUID('00000000-0000-4000-8000-000000000001'),
        toUUID(concat('00000000-0000-4000-8000-', leftPad(toString(number), 12, '0'))), map('plan', toString(number % 7))
      FROM numbers(200000)`
    await store.clickhouse.command({ query, query_params: { project: PROJECT, from: FROM_MS } })
  }, 60_000)

  test('has the earliest attempt without an excluded event', async () => {
    const [series] = await run({
      kinds: ['a', 'b'],
      funnel: { exclusions: [exclusion('x')], view: 'VIEW_TIME_TO_CONVERT' },
    })
    expect(series?.steps.map(({ total }) => total)).toEqual([1, 1])
    expect(series?.timeToConvert?.avg?.seconds).toBe(999n)
  })

  test.each([
    ['ORDER_SEQUENTIAL', [...Array<number>(19).fill(1), 1]],
    ['ORDER_STRICT', [...Array<number>(19).fill(1), 1]],
    ['ORDER_ANY', [...Array<number>(19).fill(1), 1]],
  ])('takes 20 steps: %s', async (order, expected) => {
    const kinds = [...Array<string>(19).fill('a'), 'b']
    const [series] = await run({ kinds, funnel: { order }, spec: { conversionWindow: '3600s' } })
    expect(series?.steps.map(({ total }) => total)).toEqual(expected)
  })

  test('holds a property constant, in the order of time', async () => {
    const [series] = await run({
      kinds: ['a', 'a', 'a'],
      funnel: { holdConstant: ['plan'], view: 'VIEW_TIME_TO_CONVERT' },
    })
    expect(series?.timeToConvert?.avg?.seconds).toBe(14n)
  })
})
