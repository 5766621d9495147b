import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { expect, test } from 'vitest'
import { printStatements } from '../../../test/harness/print-statements.ts'
import { createScriptedRunner } from '../../../test/harness/scripted-runner.ts'
import { FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import {
  Dimension,
  QueryOverviewRequestSchema,
  QueryTableRequestSchema,
  type WebFilterSchema,
} from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import { answerOverview } from './overview.ts'
import { answerTable } from './table.ts'
import { VisitScans } from './visit-scans.ts'
import { parseOverview, parseTable } from './web-query.ts'

const RANGE = {
  from: timestampFromMs(Date.parse('2026-01-05T00:00:00Z')),
  to: timestampFromMs(Date.parse('2026-01-06T00:00:00Z')),
}
const PROJECT = { projectId: asProjectId(7), projectTimeZone: 'UTC' }

/** The answer to the first statement, which looks for long sessions. */
const NO_LONG_SESSIONS = { sessionCount: 0, firstMs: 0, lastMs: 0 }

/** The answer to the first statement of a question that rows of visits could answer. */
const NO_TABLE = { coveredMs: 0 }

const FILTERS: MessageInitShape<typeof WebFilterSchema>[] = [
  { dimension: Dimension.PAGE, operator: FilterOperator.EQUALS, value: '/a' },
  { dimension: Dimension.CHANNEL, operator: FilterOperator.NOT_EQUALS, value: 'Direct' },
]

test('an overview groups visits by bucket', async () => {
  const request = create(QueryOverviewRequestSchema, {
    timeRange: RANGE,
    granularity: Granularity.HOUR,
    filters: FILTERS,
  })
  const { run, statements } = createScriptedRunner([NO_LONG_SESSIONS])
  await answerOverview(parseOverview(request, PROJECT), [], { run, scans: new VisitScans() })
  expect(statements).toHaveLength(2)
  expect(printStatements(statements[1])).toMatchInlineSnapshot(`
    "
    SELECT toInt64(part),
      key,
      toInt64(rank),
      toInt64(row_count),
      toInt64(visitor_count),
      toInt64(visit_count),
      toInt64(view_count),
      toInt64(bounce_count),
      toFloat64(spent_sum)
    FROM (
      SELECT *,
        row_number() OVER (PARTITION BY part ORDER BY visitor_count DESC, key) AS rank,
        count() OVER (PARTITION BY part) AS row_count
      FROM (
        SELECT multiIf(grouping(key0) = 0, {p0:Int64}, {p1:Int64}) AS part,
          multiIf(grouping(key0) = 0, toString(key0), '') AS key,
          uniqExactArray(users) AS visitor_count,
          count() AS visit_count,
          sum(views) AS view_count,
          countIf(event_count = 1) AS bounce_count,
          sum(spent) AS spent_sum
        FROM (
          SELECT spent,
            event_count,
            views,
            users,
            materialize(
              {p2:Int64} + least(
                intDiv(toUnixTimestamp64Milli(began) - {p2:Int64}, {p3:Int64}), {p4:Int64}
              ) * {p3:Int64}
            ) AS key0
          FROM (
            SELECT min(time) AS began,
              toUnixTimestamp64Milli(max(time)) - toUnixTimestamp64Milli(min(time)) AS spent,
              count() AS event_count,
              countIf((kind = 'page_view' AND pathname = {p5:String})) AS views,
              arrayMap(
                hash -> dictGetOrDefault('identities', 'user_hash', hash, hash), groupUniqArray(user_hash)
              ) AS users
            FROM events FINAL
            PREWHERE project = {p6:UInt32}
              AND indexHint(
                toDate(time) >= toDate(fromUnixTimestamp64Milli({p7:Int64}, 'UTC')),
                toDate(time) <= toDate(fromUnixTimestamp64Milli({p8:Int64}, 'UTC'))
              )
              AND time >= fromUnixTimestamp64Milli({p9:Int64}, 'UTC')
              AND time < fromUnixTimestamp64Milli({p10:Int64}, 'UTC')
            WHERE 1 AND session_id != toUUID('00000000-0000-0000-0000-000000000000')
            GROUP BY session_id
            HAVING (
              began >= fromUnixTimestamp64Milli({p11:Int64}, 'UTC')
              AND began < fromUnixTimestamp64Milli({p12:Int64}, 'UTC')
              AND min(NOT bools['$bot'])
              AND max(pathname = {p13:String})
              AND argMin(
                channel,
                toUInt64(toUnixTimestamp64Milli(time)) * toUInt256('340282366920938463463374607431768211456') + bitOr(
                  bitShiftLeft(reinterpretAsUInt128(event_id), 64),
                  bitShiftRight(reinterpretAsUInt128(event_id), 64)
                )
              ) != {p14:String}
            )
          )
        )
        GROUP BY key0 WITH ROLLUP
      )
      WHERE 1
    )
    WHERE 1
    ORDER BY part, rank
    p0 = 0
    p1 = -1
    p2 = 1767571200000
    p3 = 3600000
    p4 = 23
    p5 = "/a"
    p6 = 7
    p7 = 1767549600000
    p8 = 1767679199999
    p9 = 1767549600000
    p10 = 1767679200000
    p11 = 1767571200000
    p12 = 1767657600000
    p13 = "/a"
    p14 = "Direct"
    "
  `)
})

test('a table of pages unfolds visits into their pages', async () => {
  const request = create(QueryTableRequestSchema, {
    timeRange: RANGE,
    dimension: Dimension.PAGE,
    search: 'x',
  })
  const { run, statements } = createScriptedRunner([NO_TABLE], [NO_LONG_SESSIONS])
  await answerTable(parseTable(request, PROJECT), [], { run, scans: new VisitScans() })
  expect(statements).toHaveLength(3)
  expect(printStatements(statements[2])).toMatchInlineSnapshot(`
    "
    SELECT toInt64(is_total),
      toInt64(visitor_count),
      toInt64(visit_count),
      toInt64(view_count),
      toInt64(bounce_count),
      toFloat64(spent_sum),
      value,
      toInt64(row_count) - 1
    FROM (
      SELECT *,
        row_number() OVER (ORDER BY is_total DESC, visitor_count DESC, value) AS rank,
        count() OVER () AS row_count
      FROM (
        SELECT nth = 0 AS is_total,
          value,
          uniqExactArrayIf(users, nth <= 1) AS visitor_count,
          countIf(nth <= 1) AS visit_count,
          sum(if(nth = 0, views, 1)) AS view_count,
          countIf(nth <= 1 AND event_count = 1) AS bounce_count,
          sumIf(spent, nth <= 1) AS spent_sum
        FROM (
          SELECT min(time) AS began,
            toUnixTimestamp64Milli(max(time)) - toUnixTimestamp64Milli(min(time)) AS spent,
            count() AS event_count,
            countIf(kind = 'page_view') AS views,
            arrayMap(
              hash -> dictGetOrDefault('identities', 'user_hash', hash, hash), groupUniqArray(user_hash)
            ) AS users,
            groupArrayIf(pathname, kind = 'page_view') AS found
          FROM events FINAL
          PREWHERE project = {p0:UInt32}
            AND indexHint(
              toDate(time) >= toDate(fromUnixTimestamp64Milli({p1:Int64}, 'UTC')),
              toDate(time) <= toDate(fromUnixTimestamp64Milli({p2:Int64}, 'UTC'))
            )
            AND time >= fromUnixTimestamp64Milli({p3:Int64}, 'UTC')
            AND time < fromUnixTimestamp64Milli({p4:Int64}, 'UTC')
          WHERE 1 AND session_id != toUUID('00000000-0000-0000-0000-000000000000')
          GROUP BY session_id
          HAVING (
            began >= fromUnixTimestamp64Milli({p5:Int64}, 'UTC')
            AND began < fromUnixTimestamp64Milli({p6:Int64}, 'UTC')
            AND min(NOT bools['$bot'])
          )
        )
        ARRAY JOIN arrayPushFront(found, '') AS value, arrayPushFront(arrayEnumerateUniq(found), 0) AS nth
        GROUP BY is_total, value
      )
      WHERE is_total = 1 OR position(lowerUTF8(value), lowerUTF8({p7:String})) > 0
    )
    WHERE rank = 1 OR rank BETWEEN {p8:Int64} AND {p9:Int64}
    ORDER BY rank
    p0 = 7
    p1 = 1767549600000
    p2 = 1767679199999
    p3 = 1767549600000
    p4 = 1767679200000
    p5 = 1767571200000
    p6 = 1767657600000
    p7 = "x"
    p8 = 2
    p9 = 11
    "
  `)
})
