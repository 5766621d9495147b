import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { expect, test, vi } from 'vitest'
import { printStatements } from '../../../../test/harness/print-statements.ts'
import { createScriptedRunner, type ScriptedRunner } from '../../../../test/harness/scripted-runner.ts'
import { FilterOperator } from '../../../contract/gen/common/v1/filter_pb.js'
import {
  Granularity,
  type InsightQuerySpecSchema,
  InsightType,
} from '../../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { QueryRequestSchema } from '../../../contract/gen/shared/insights/v1/insights_service_pb.js'
import {
  UserFlowQuery_NodeKind as NodeKind,
  type UserFlowQuerySchema,
} from '../../../contract/gen/shared/insights/v1/user_flow_query_pb.js'
import { asProjectId } from '../../../contract/ids.ts'
import { VISIT_LAYOUT } from '../../../store/clickhouse/migrations/fold-visits.ts'
import { prepareInsight } from '../../insight-types.ts'
import type { QueryRunner } from '../../sql/select.ts'

type Flow = Exclude<MessageInitShape<typeof UserFlowQuerySchema>, { $typeName: string }>
type Spec = Omit<
  Exclude<MessageInitShape<typeof InsightQuerySpecSchema>, { $typeName: string }>,
  'insightType'
>

const DAY_MS = 86_400_000
const FROM_MS = Date.UTC(2026, 0, 5)
const NOW_MS = FROM_MS + 8 * DAY_MS

/** The first answer: the table covers the range, and has all sessions as they are. */
const COVERED = {
  coveredMs: NOW_MS,
  layout: VISIT_LAYOUT,
  startMs: 0,
  nowMs: NOW_MS,
  sessionIds: [] as string[],
  firstMs: [] as number[],
  lastMs: [] as number[],
  rowCount: 9,
}
const OTHER = '00000000-0000-4000-8000-000000000001'
const ONE_OTHER = { ...COVERED, sessionIds: [OTHER], firstMs: [FROM_MS - 1], lastMs: [FROM_MS + 2] }
const NAMED = [{ label: 5n, text: '/a' }]

const PAGES: Flow = { nodeKind: NodeKind.PROPERTY, nodeProperty: '$pathname' }
const VIEWS: Flow = { ...PAGES, scope: { kind: 'page_view' } }

async function ask(spec: Spec, run: QueryRunner, days = 8): Promise<void> {
  const timeRange = { from: timestampFromMs(FROM_MS), to: timestampFromMs(FROM_MS + days * DAY_MS) }
  const request = create(QueryRequestSchema, {
    spec: { ...spec, insightType: InsightType.USER_FLOW },
    timeRange,
    granularity: Granularity.DAY,
  })
  await prepareInsight(request, { projectId: asProjectId(7), projectTimeZone: 'UTC' }).answer(run)
}

async function statementsOf(
  spec: Spec,
  ...results: readonly (readonly unknown[])[]
): Promise<ScriptedRunner['statements']> {
  const { run, statements } = createScriptedRunner(...results)
  await ask(spec, run)
  return statements
}

async function textsOf(spec: Spec, ...results: readonly (readonly unknown[])[]): Promise<readonly string[]> {
  return (await statementsOf(spec, ...results)).map(({ text }) => text)
}

test('views of pages: labels are ranked, then links between their places are counted', async () => {
  const [, ...statements] = await statementsOf({ userFlow: VIEWS }, [COVERED], NAMED)
  expect(printStatements(...statements)).toMatchInlineSnapshot(`
    "
    SELECT label, text
    FROM (
      SELECT arrayJoin(arrayDistinct(path)) AS label, count() AS total
      FROM (
        SELECT arraySlice(
          arrayCompact(
            arrayMap(
              page -> bitShiftRight(page, 4),
              if(
                toUnixTimestamp64Milli(began) >= {p0:Int64}
                AND toUnixTimestamp64Milli(began) + spent < {p1:Int64},
                arrayFilter((page) -> bitTest(page, 0), path_pages),
                arrayFilter(
                  (page, after) -> (
                    bitTest(page, 0)
                    AND after >= {p0:Int64} - toUnixTimestamp64Milli(began)
                    AND after < {p1:Int64} - toUnixTimestamp64Milli(began)
                  ),
                  path_pages,
                  path_offsets
                )
              )
            )
          ),
          1,
          {p2:Int64}
        ) AS path
        FROM visits FINAL
        WHERE project = {p3:UInt32}
          AND day >= toDate(fromUnixTimestamp64Milli({p4:Int64}, 'UTC'))
          AND day <= toDate(fromUnixTimestamp64Milli({p5:Int64}, 'UTC'))
          AND began + toIntervalMillisecond(spent) >= fromUnixTimestamp64Milli({p6:Int64}, 'UTC')
          AND began < fromUnixTimestamp64Milli({p7:Int64}, 'UTC')
          AND NOT is_gone
          AND cookieless_count = 0
      )
      GROUP BY label
    ) AS counted
    ANY
    INNER JOIN (
      SELECT bitShiftRight(sipHash64(value), 4) AS label, any(value) AS text
      FROM (
        SELECT arrayJoin(pages) AS value
        FROM visits
        WHERE project = {p8:UInt32}
          AND day >= toDate(fromUnixTimestamp64Milli({p9:Int64}, 'UTC'))
          AND day <= toDate(fromUnixTimestamp64Milli({p10:Int64}, 'UTC'))
        GROUP BY value
      )
      GROUP BY label
    ) AS texts USING (label)
    ORDER BY total DESC, text
    LIMIT {p11:Int64}
    p0 = 1767571200000
    p1 = 1768262400000
    p2 = 6
    p3 = 7
    p4 = 1766966400000
    p5 = 1768262399999
    p6 = 1767571200000
    p7 = 1768262400000
    p8 = 7
    p9 = 1766966400000
    p10 = 1768262399999
    p11 = 20
    SELECT toInt64(intDiv(link, {p0:Int64} * {p0:Int64})) - 1 AS depth,
      {p1:Array(String)}[intDiv(link, {p0:Int64}) % {p0:Int64} + 1] AS source,
      {p1:Array(String)}[link % {p0:Int64} + 1] AS target,
      toInt64(count()) AS value
    FROM (
      SELECT arrayJoin(
        arrayMap(
          (hop, source, target) -> toUInt32((hop * {p0:Int64} + source) * {p0:Int64} + target),
          arrayEnumerate(arrayPopFront(places)),
          arrayPopBack(places),
          arrayPopFront(places)
        )
      ) AS link
      FROM (
        SELECT arrayMap(
          label -> toUInt32(transform(label, {p2:Array(UInt64)}, arrayEnumerate({p2:Array(UInt64)}), 0)), path
        ) AS places
        FROM (
          SELECT arraySlice(
            arrayCompact(
              arrayMap(
                page -> bitShiftRight(page, 4),
                if(
                  toUnixTimestamp64Milli(began) >= {p3:Int64}
                  AND toUnixTimestamp64Milli(began) + spent < {p4:Int64},
                  arrayFilter((page) -> bitTest(page, 0), path_pages),
                  arrayFilter(
                    (page, after) -> (
                      bitTest(page, 0)
                      AND after >= {p3:Int64} - toUnixTimestamp64Milli(began)
                      AND after < {p4:Int64} - toUnixTimestamp64Milli(began)
                    ),
                    path_pages,
                    path_offsets
                  )
                )
              )
            ),
            1,
            {p5:Int64}
          ) AS path
          FROM visits FINAL
          WHERE project = {p6:UInt32}
            AND day >= toDate(fromUnixTimestamp64Milli({p7:Int64}, 'UTC'))
            AND day <= toDate(fromUnixTimestamp64Milli({p8:Int64}, 'UTC'))
            AND began + toIntervalMillisecond(spent) >= fromUnixTimestamp64Milli({p9:Int64}, 'UTC')
            AND began < fromUnixTimestamp64Milli({p10:Int64}, 'UTC')
            AND NOT is_gone
            AND cookieless_count = 0
        )
      )
    )
    GROUP BY link
    ORDER BY value DESC,
      depth,
      if(source = '', {p11:String}, source),
      source = '',
      if(target = '', {p12:String}, target),
      target = ''
    LIMIT {p13:Int64}
    p0 = 64
    p1 = ["","/a"]
    p2 = ["5"]
    p3 = 1767571200000
    p4 = 1768262400000
    p5 = 6
    p6 = 7
    p7 = 1766966400000
    p8 = 1768262399999
    p9 = 1767571200000
    p10 = 1768262400000
    p11 = "$others"
    p12 = "$others"
    p13 = 250
    "
  `)
})

test.each([
  ['views of pages read no kinds', VIEWS, /^(?!.*path_kinds).*bitTest\(page, 0\)/],
  ['pages of any kind have a label', PAGES, /^(?!.*path_kinds).*page != 0/],
  [
    'pages of another kind are chosen by it',
    { ...PAGES, scope: { kind: 'signup' } },
    /arrayFilter\(\(page, label\) -> .*has\(.*label\)/,
  ],
  ['all kinds are read as they are', {}, /^(?!.*path_pages).*, path_kinds, arrayFilter\(\(label, after\)/],
])('%s', async (_, userFlow, text) => {
  const [, ranked] = await textsOf({ userFlow }, [COVERED])
  expect(ranked).toMatch(text)
})

test('sessions with new arrivals are read from events, and not from rows', async () => {
  const [, ranked, links] = await statementsOf({ userFlow: VIEWS }, [ONE_OTHER], NAMED)
  for (const statement of [ranked, links]) {
    expect(statement?.text).toMatch(
      /FROM visits .* session_id NOT IN .* UNION ALL .* FROM events .* session_id IN /,
    )
    // Only the part of the extent that is in the range.
    expect(Object.values(statement?.params ?? {})).not.toContain(FROM_MS - 1)
    expect(Object.values(statement?.params ?? {})).toContain(FROM_MS + 3)
  }
})

test('sessions whose rows have no path, or with some events that are left out, are others', async () => {
  const [found, rows] = await textsOf({ userFlow: VIEWS, excludeBots: true }, [COVERED])
  expect(found).toContain('path_kinds.size0 = 0')
  expect(found).toContain('is_bot AND bot_count < event_count')
  expect(found).toContain('cookieless_count > 0 AND cookieless_count < event_count')
  expect(rows).toContain('NOT is_bot AND cookieless_count = 0')
  const [all, allRows] = await textsOf({ userFlow: VIEWS, includeCookieless: true }, [COVERED])
  expect(`${all}${allRows}`).not.toMatch(/cookieless|is_bot/)
})

const filter = { property: 'plan', operator: FilterOperator.EQUALS, value: 'pro' }
test.each<[string, Spec]>([
  ['a filter', { userFlow: VIEWS, filterGroups: [{ filters: [filter] }] }],
  ['a filter of the events', { userFlow: { ...VIEWS, scope: { kind: 'page_view', filters: [filter] } } }],
  ['another property', { userFlow: { ...PAGES, nodeProperty: '$hostname' } }],
  ['an anchor', { userFlow: { ...VIEWS, startAt: { match: { case: 'node', value: '/a' } } } }],
  ['rules', { userFlow: { ...VIEWS, pathRules: [{ pattern: 'a', replacement: 'b' }] } }],
])('paths are read from events for %s', async (_, spec) => {
  const texts = await textsOf(spec)
  expect(texts).toHaveLength(1)
  expect(texts[0]).toContain('FROM events')
})

test('paths of a week are read from events: rows would be of two', async () => {
  const { run, statements } = createScriptedRunner()
  await ask({ userFlow: VIEWS }, run, 7)
  expect(statements.map(({ text }) => /FROM (events|visit)/.exec(text)?.[1])).toEqual(['events'])
})

test('paths are read from events when the table does not cover them', async () => {
  const texts = await textsOf({ userFlow: VIEWS }, [{ ...COVERED, layout: VISIT_LAYOUT - 1 }])
  expect(texts.at(-1)).toContain('FROM events')
  expect(texts.at(-1)).not.toContain('FROM visits')
})

test.each([
  ['the ranking', 2],
  ['the links', 3],
])('paths are read again from events when %s of rows took longer than folds wait', async (_, late) => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const scripted = createScriptedRunner([COVERED], NAMED)
    const run: QueryRunner = async (query) => {
      const rows = await scripted.run(query)
      if (scripted.statements.length === late) vi.advanceTimersByTime(8000)
      return rows
    }
    await ask({ userFlow: VIEWS }, run)
    expect(scripted.statements).toHaveLength(late + 1)
    expect(scripted.statements[late - 1]?.text).toContain('FROM visits')
    expect(scripted.statements.at(-1)?.text).not.toContain('FROM visits')
  } finally {
    vi.useRealTimers()
  }
})
