import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { describe, expect, test } from 'vitest'
import { printStatements } from '../../../../test/harness/print-statements.ts'
import {
  Granularity,
  type InsightQuerySpecSchema,
  InsightType,
} from '../../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { QueryRequestSchema } from '../../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { SessionMetric } from '../../../contract/gen/shared/insights/v1/session_query_pb.js'
import { asProjectId } from '../../../contract/ids.ts'
import { prepareInsight } from '../../insight-types.ts'
import { render, type Statement } from '../../sql/sql.ts'

type Spec = MessageInitShape<typeof InsightQuerySpecSchema>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FROM_MS = Date.UTC(2026, 0, 5)
const TO_MS = FROM_MS + 2 * DAY_MS

function prepare(spec: Spec) {
  const request = create(QueryRequestSchema, {
    spec,
    timeRange: { from: timestampFromMs(FROM_MS), to: timestampFromMs(TO_MS) },
    granularity: Granularity.DAY,
  })
  return prepareInsight(request, { projectId: asProjectId(7), projectTimeZone: 'UTC' })
}

/** The cells of an extent: the number of sessions, their first and their last event. */
type Extent = readonly [count: string, firstMs: string, lastMs: string]

/** The statements of a query without a table of visits, given the extents of its long sessions. */
async function statementsOf(spec: Spec, extents: readonly Extent[]): Promise<readonly Statement[]> {
  const statements: Statement[] = []
  await prepare(spec).answer(async (query) => {
    const statement = render(query.statement)
    if (statement.text.includes('visit_coverage')) return []
    const extent = extents[statements.length]
    statements.push(statement)
    return extent ? [query.decode(extent)] : []
  })
  return statements
}

/** The first and the last instant that a statement names. */
function spanOf(statement: Statement | undefined): readonly number[] {
  const times = Object.values(statement?.params ?? {})
    .map(Number)
    .filter((ms) => ms > DAY_MS)
  return [Math.min(...times), Math.max(...times)]
}

/** As a newer client may send it. */
const UNKNOWN: SessionMetric = Number('99')
const NONE: Extent = ['0', '0', '0']
const exit: Spec = {
  insightType: InsightType.TRENDS,
  session: { metric: SessionMetric.EXIT, scope: { kind: 'view' } },
  breakdowns: [{ property: '$pathname' }],
}
const count: Spec = { insightType: InsightType.SEGMENTATION, session: { metric: SessionMetric.SESSIONS } }

describe('a query without long sessions', () => {
  test('reads the range and its surroundings', async () => {
    const [farthest, measure, ...more] = await statementsOf(exit, [NONE])
    expect(more).toEqual([])
    expect(printStatements(farthest)).toMatchInlineSnapshot(`
      "
      SELECT toInt64(count()), toUnixTimestamp64Milli(min(began)), toUnixTimestamp64Milli(max(ended))
      FROM (
        SELECT session_id, min(first) AS began, max(last) AS ended
        FROM (
          SELECT session_id, first, last
          FROM long_sessions
          WHERE project = {p0:UInt32}
          UNION ALL
          SELECT session_id, first, last
          FROM sessions
          WHERE project = {p1:UInt32}
            AND session_id IN (
              SELECT session_id
              FROM session_arrivals
              WHERE project = {p2:UInt32} AND arrived >= (SELECT min(covered) FROM session_coverage)
            )
        )
        GROUP BY session_id
        HAVING began < fromUnixTimestamp64Milli({p3:Int64}, 'UTC')
          AND ended >= fromUnixTimestamp64Milli({p4:Int64}, 'UTC')
          AND (
            began < fromUnixTimestamp64Milli({p5:Int64}, 'UTC')
            OR ended >= fromUnixTimestamp64Milli({p6:Int64}, 'UTC')
          )
      )
      p0 = 7
      p1 = 7
      p2 = 7
      p3 = 1767744000000
      p4 = 1767571200000
      p5 = 1767549600000
      p6 = 1767765600000
      "
    `)
    expect(printStatements(measure)).toMatchInlineSnapshot(`
      "
      SELECT toInt64(rank), any([key0]), tupleElement(cell, 1) AS bucket, toFloat64(sum(tupleElement(cell, 2)))
      FROM (
        SELECT key0, cells, least(row_number() OVER (ORDER BY total DESC, key0), {p0:Int64}) AS rank
        FROM (
          SELECT key0, groupArray((bucket, session_count, parts)) AS cells, toFloat64(sum(session_count)) AS total
          FROM (
            SELECT key0,
              {p1:Int64} + least(
                intDiv(toUnixTimestamp64Milli(began) - {p1:Int64}, {p2:Int64}), {p3:Int64}
              ) * {p2:Int64} AS bucket,
              count() AS session_count,
              sum(part) AS parts
            FROM (
              SELECT min(time) AS began,
                0 AS part,
                argMax(
                  pathname,
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
              WHERE 1 AND session_id != toUUID('00000000-0000-0000-0000-000000000000')
              GROUP BY session_id
              HAVING began >= fromUnixTimestamp64Milli({p10:Int64}, 'UTC')
                AND began < fromUnixTimestamp64Milli({p11:Int64}, 'UTC')
            )
            GROUP BY key0, bucket
          )
          GROUP BY key0
        )
      )
      ARRAY JOIN cells AS cell
      GROUP BY rank, bucket
      p0 = 11
      p1 = 1767571200000
      p2 = 86400000
      p3 = 1
      p4 = 7
      p5 = 1767549600000
      p6 = 1767765599999
      p7 = 1767549600000
      p8 = 1767765600000
      p9 = ["view"]
      p10 = 1767571200000
      p11 = 1767744000000
      "
    `)
    expect(measure?.params).toEqual({
      p0: 11,
      p1: FROM_MS,
      p2: DAY_MS,
      p3: 1,
      p4: 7,
      p5: FROM_MS - 6 * HOUR_MS,
      p6: TO_MS + 6 * HOUR_MS - 1,
      p7: FROM_MS - 6 * HOUR_MS,
      p8: TO_MS + 6 * HOUR_MS,
      p9: ['view'],
      p10: FROM_MS,
      p11: TO_MS,
    })
  })

  test('reads nothing after the range to find where sessions began', async () => {
    const [, measure] = await statementsOf(count, [NONE])
    expect(printStatements(measure)).toMatchInlineSnapshot(`
      "
      SELECT toFloat64(count())
      FROM (
        SELECT min(time) AS began, 0 AS part
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
        HAVING began >= fromUnixTimestamp64Milli({p5:Int64}, 'UTC')
          AND began < fromUnixTimestamp64Milli({p6:Int64}, 'UTC')
      )
      p0 = 7
      p1 = 1767549600000
      p2 = 1767743999999
      p3 = 1767549600000
      p4 = 1767744000000
      p5 = 1767571200000
      p6 = 1767744000000
      "
    `)
    expect(spanOf(measure)).toEqual([FROM_MS - 6 * HOUR_MS, TO_MS])
  })
})

describe('a query with long sessions', () => {
  const extentOf = (firstMs: number, lastMs: number): Extent => ['1', `${firstMs}`, `${lastMs}`]
  const years = extentOf(FROM_MS - 400 * DAY_MS, TO_MS + 30 * DAY_MS)

  test('reads their full extent within a day of the range', async () => {
    const [, measure, ...more] = await statementsOf(count, [extentOf(FROM_MS - 7 * HOUR_MS, TO_MS + DAY_MS)])
    expect(more).toEqual([])
    expect(printStatements(measure)).toMatchInlineSnapshot(`
      "
      SELECT toFloat64(count())
      FROM (
        SELECT min(time) AS began, 0 AS part
        FROM events FINAL
        PREWHERE project = {p0:UInt32}
          AND indexHint(
            toDate(time) >= toDate(fromUnixTimestamp64Milli({p1:Int64}, 'UTC')),
            toDate(time) <= toDate(fromUnixTimestamp64Milli({p2:Int64}, 'UTC'))
          )
          AND time >= fromUnixTimestamp64Milli({p3:Int64}, 'UTC')
          AND time < fromUnixTimestamp64Milli({p4:Int64}, 'UTC')
        WHERE 1
          AND session_id != toUUID('00000000-0000-0000-0000-000000000000')
          AND (
            time >= fromUnixTimestamp64Milli({p5:Int64}, 'UTC')
            AND time < fromUnixTimestamp64Milli({p6:Int64}, 'UTC')
            OR session_id IN (
              SELECT session_id
              FROM (
                SELECT session_id, min(first) AS began, max(last) AS ended
                FROM (
                  SELECT session_id, first, last
                  FROM long_sessions
                  WHERE project = {p7:UInt32}
                  UNION ALL
                  SELECT session_id, first, last
                  FROM sessions
                  WHERE project = {p8:UInt32}
                    AND session_id IN (
                      SELECT session_id
                      FROM session_arrivals
                      WHERE project = {p9:UInt32} AND arrived >= (SELECT min(covered) FROM session_coverage)
                    )
                )
                GROUP BY session_id
                HAVING began < fromUnixTimestamp64Milli({p10:Int64}, 'UTC')
                  AND ended >= fromUnixTimestamp64Milli({p11:Int64}, 'UTC')
                  AND (began < fromUnixTimestamp64Milli({p12:Int64}, 'UTC'))
              )
            )
          )
        GROUP BY session_id
        HAVING began >= fromUnixTimestamp64Milli({p13:Int64}, 'UTC')
          AND began < fromUnixTimestamp64Milli({p14:Int64}, 'UTC')
      )
      p0 = 7
      p1 = 1767546000000
      p2 = 1767743999999
      p3 = 1767546000000
      p4 = 1767744000000
      p5 = 1767549600000
      p6 = 1767744000000
      p7 = 7
      p8 = 7
      p9 = 7
      p10 = 1767744000000
      p11 = 1767571200000
      p12 = 1767549600000
      p13 = 1767571200000
      p14 = 1767744000000
      "
    `)
    expect(spanOf(measure)).toEqual([FROM_MS - 7 * HOUR_MS, TO_MS])
  })

  test('reads the full extent of those that appear to begin in the range', async () => {
    const [, begun, measure, ...more] = await statementsOf(exit, [years, years])
    expect(more).toEqual([])
    expect(printStatements(begun)).toMatchInlineSnapshot(`
      "
      SELECT toInt64(count()), toUnixTimestamp64Milli(min(began)), toUnixTimestamp64Milli(max(ended))
      FROM (
        SELECT session_id, began, ended
        FROM (
          SELECT session_id, min(first) AS began, max(last) AS ended
          FROM (
            SELECT session_id, first, last
            FROM long_sessions
            WHERE project = {p0:UInt32}
            UNION ALL
            SELECT session_id, first, last
            FROM sessions
            WHERE project = {p1:UInt32}
              AND session_id IN (
                SELECT session_id
                FROM session_arrivals
                WHERE project = {p2:UInt32} AND arrived >= (SELECT min(covered) FROM session_coverage)
              )
          )
          GROUP BY session_id
          HAVING began < fromUnixTimestamp64Milli({p3:Int64}, 'UTC')
            AND ended >= fromUnixTimestamp64Milli({p4:Int64}, 'UTC')
            AND (
              began < fromUnixTimestamp64Milli({p5:Int64}, 'UTC')
              OR ended >= fromUnixTimestamp64Milli({p6:Int64}, 'UTC')
            )
        )
        WHERE session_id IN (
          SELECT session_id
          FROM events FINAL
          PREWHERE project = {p7:UInt32}
            AND indexHint(
              toDate(time) >= toDate(fromUnixTimestamp64Milli({p8:Int64}, 'UTC')),
              toDate(time) <= toDate(fromUnixTimestamp64Milli({p9:Int64}, 'UTC'))
            )
            AND time >= fromUnixTimestamp64Milli({p10:Int64}, 'UTC')
            AND time < fromUnixTimestamp64Milli({p11:Int64}, 'UTC')
            AND kind IN {p12:Array(String)}
          WHERE 1
            AND session_id IN (
              SELECT session_id
              FROM (
                SELECT session_id, min(first) AS began, max(last) AS ended
                FROM (
                  SELECT session_id, first, last
                  FROM long_sessions
                  WHERE project = {p0:UInt32}
                  UNION ALL
                  SELECT session_id, first, last
                  FROM sessions
                  WHERE project = {p1:UInt32}
                    AND session_id IN (
                      SELECT session_id
                      FROM session_arrivals
                      WHERE project = {p2:UInt32} AND arrived >= (SELECT min(covered) FROM session_coverage)
                    )
                )
                GROUP BY session_id
                HAVING began < fromUnixTimestamp64Milli({p3:Int64}, 'UTC')
                  AND ended >= fromUnixTimestamp64Milli({p4:Int64}, 'UTC')
                  AND (
                    began < fromUnixTimestamp64Milli({p5:Int64}, 'UTC')
                    OR ended >= fromUnixTimestamp64Milli({p6:Int64}, 'UTC')
                  )
              )
            )
          GROUP BY session_id
          HAVING min(time) >= fromUnixTimestamp64Milli({p13:Int64}, 'UTC')
        )
      )
      p0 = 7
      p1 = 7
      p2 = 7
      p3 = 1767744000000
      p4 = 1767571200000
      p5 = 1767484800000
      p6 = 1767830400000
      p7 = 7
      p8 = 1766966400000
      p9 = 1767743999999
      p10 = 1766966400000
      p11 = 1767744000000
      p12 = ["view"]
      p13 = 1767571200000
      "
    `)
    expect(spanOf(measure)).toEqual([FROM_MS - 400 * DAY_MS, TO_MS + 30 * DAY_MS + 1])
  })

  test('reads one more day when all of those began earlier', async () => {
    const [, , measure] = await statementsOf(exit, [years, NONE])
    expect(spanOf(measure)).toEqual([FROM_MS - DAY_MS, TO_MS + DAY_MS])
  })
})

describe('refuses', () => {
  const { TRENDS, SEGMENTATION } = InsightType
  const plan = { property: 'plan' }

  test.each<[why: string, spec: Spec, field: string]>([
    ['no metric', { insightType: TRENDS, session: {} }, 'spec.session.metric'],
    ['an unknown metric', { insightType: SEGMENTATION, session: { metric: UNKNOWN } }, 'spec.session.metric'],
    [
      'events as well',
      { insightType: TRENDS, session: { metric: SessionMetric.SESSIONS }, events: [{}] },
      'spec.events',
    ],
    [
      'entries without a breakdown',
      { insightType: TRENDS, session: { metric: SessionMetric.ENTRY } },
      'spec.breakdowns',
    ],
    [
      'exits by two properties',
      {
        insightType: TRENDS,
        session: { metric: SessionMetric.EXIT },
        breakdowns: [plan, { property: 'page' }],
      },
      'spec.breakdowns',
    ],
    [
      'entries in segmentation',
      { insightType: SEGMENTATION, session: { metric: SessionMetric.ENTRY } },
      'spec.session.metric',
    ],
    [
      'a scope with a bad filter',
      {
        insightType: TRENDS,
        session: { metric: SessionMetric.SESSIONS, scope: { filters: [{ property: 'a b' }] } },
      },
      'spec.session.scope.filters[0].property',
    ],
  ])('%s', (_, spec, field) => {
    expect(() => prepare(spec)).toThrow(field)
  })
})
