import { create } from '@bufbuild/protobuf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  RETENTION_CASES,
  retentionRequest,
  writeSeries,
} from '../../../../test/differential/retention-cases.ts'
import { sampleWorld } from '../../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../../test/differential/world-store.ts'
import { printStatements } from '../../../../test/harness/print-statements.ts'
import { recordOneStatement } from '../../../../test/harness/scripted-runner.ts'
import { RetentionOptions_StartRule } from '../../../contract/gen/millrace/insights/v1/retention_options_pb.js'
import { QueryResponseSchema } from '../../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { asProjectId } from '../../../contract/ids.ts'
import { prepareInsight } from '../../insight-types.ts'

let store: WorldStore

beforeAll(async () => {
  store = await openSharedWorldStore()
})

afterAll(async () => await store.close())

test('a statement joins the members of cohorts with the return events of their users', async () => {
  const options = { startRule: RetentionOptions_StartRule.FIRST_EVER }
  const request = retentionRequest({ options, back: 'buy', breakdown: '$country' })
  const statement = await recordOneStatement(
    prepareInsight(request, { projectId: asProjectId(9), projectTimeZone: 'UTC' }),
  )
  expect(printStatements(statement)).toMatchInlineSnapshot(`
    "
    SELECT toInt64(rank),
      any(keys),
      toInt64(cohort),
      groupArray(toInt64(period)),
      groupArray(toInt64(users)),
      groupArray(amount)
    FROM (
      SELECT rank,
        any([key0]) AS keys,
        tupleElement(cell, 1) AS cohort,
        tupleElement(cell, 2) AS period,
        sum(tupleElement(cell, 3)) AS users,
        sum(tupleElement(cell, 4)) AS amount
      FROM (
        SELECT key0, cells, least(row_number() OVER (ORDER BY total DESC, key0), {p0:Int64}) AS rank
        FROM (
          SELECT key0, groupArray((cohort, period, users, amount)) AS cells, sumIf(users, period = 0) AS total
          FROM (
            SELECT key0, cohort, cell AS period, count() AS users, sum(amount) AS amount
            FROM (
              SELECT key0, cohort, cell, 0. AS amount
              FROM (
                SELECT user, cohort, first, seen, key0
                FROM (
                  SELECT user,
                    toUInt16(least(intDiv(first - {p1:Int64}, {p2:Int64}), {p3:Int64})) AS cohort,
                    first,
                    key0
                  FROM (
                    SELECT dictGetOrDefault('identities', 'user_hash', user_hash, user_hash) AS user,
                      min(toUnixTimestamp64Milli(time)) AS first,
                      argMin(
                        country,
                        toUInt64(toUnixTimestamp64Milli(time)) * toUInt256('340282366920938463463374607431768211456') + bitOr(
                          bitShiftLeft(reinterpretAsUInt128(event_id), 64),
                          bitShiftRight(reinterpretAsUInt128(event_id), 64)
                        )
                      ) AS key0
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
                    GROUP BY user
                    HAVING first >= {p10:Int64}
                  )
                ) AS starts
                LEFT ANY JOIN (
                  SELECT user, groupArrayArray([earliest, latest]) AS seen
                  FROM (
                    SELECT dictGetOrDefault('identities', 'user_hash', user_hash, user_hash) AS user,
                      toUInt16(
                        least(intDiv(toUnixTimestamp64Milli(time) - {p11:Int64}, {p12:Int64}), {p13:Int64})
                      ) AS block,
                      min(toUnixTimestamp64Milli(time)) AS earliest,
                      max(toUnixTimestamp64Milli(time)) AS latest
                    FROM events FINAL
                    PREWHERE project = {p14:UInt32}
                      AND indexHint(
                        toDate(time) >= toDate(fromUnixTimestamp64Milli({p15:Int64}, 'UTC')),
                        toDate(time) <= toDate(fromUnixTimestamp64Milli({p16:Int64}, 'UTC'))
                      )
                      AND time >= fromUnixTimestamp64Milli({p17:Int64}, 'UTC')
                      AND time < fromUnixTimestamp64Milli({p18:Int64}, 'UTC')
                      AND kind IN {p19:Array(String)}
                    WHERE 1 AND NOT cookieless
                    GROUP BY user, block
                  )
                  GROUP BY user
                ) AS returned USING (user)
              )
              ARRAY JOIN arrayPushFront(
                arrayMap(
                  period -> period + 1,
                  arrayDistinct(
                    arrayMap(
                      ms -> toInt64(
                        (toUInt16(least(intDiv(ms - {p20:Int64}, {p21:Int64}), {p22:Int64})) - cohort)
                      ),
                      arrayFilter(ms -> ms >= first, seen)
                    )
                  )
                ),
                0
              ) AS cell
            )
            GROUP BY key0, cohort, period
          )
          GROUP BY key0
        )
      )
      ARRAY JOIN cells AS cell
      GROUP BY rank, cohort, period
    )
    GROUP BY rank, cohort
    SETTINGS max_block_size = 16384
    p0 = 11
    p1 = 1767571200000
    p2 = 86400000
    p3 = 2
    p4 = 9
    p5 = 0
    p6 = 1767830399999
    p7 = 0
    p8 = 1767830400000
    p9 = ["view"]
    p10 = 1767571200000
    p11 = 1767571200000
    p12 = 86400000
    p13 = 2
    p14 = 9
    p15 = 1767571200000
    p16 = 1767830399999
    p17 = 1767571200000
    p18 = 1767830400000
    p19 = ["buy"]
    p20 = 1767571200000
    p21 = 86400000
    p22 = 2
    "
  `)
})

test.each(RETENTION_CASES)('%s', async (_title, events, retentionCase, expected) => {
  const world = sampleWorld(events)
  const scene = { timeZone: 'UTC', anchorMs: 0 }
  const projectId = await store.load({ seed: 0, world, copies: world.events, scene, instants: [] })
  await store.settle()
  const insight = prepareInsight(retentionRequest(retentionCase), { projectId, projectTimeZone: 'UTC' })
  const answer = await insight.answer(async (query) => await store.run(query, AbortSignal.timeout(30_000)))
  const { result } = create(QueryResponseSchema, answer)
  expect(result.case === 'retention' ? result.value.series.map(writeSeries) : []).toEqual([expected])
})
