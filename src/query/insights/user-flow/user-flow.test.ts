import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type EventSample,
  resultOf,
  type SpecSample,
  sampleRequest,
  sampleWorld,
} from '../../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../../test/differential/world-store.ts'
import { printStatements } from '../../../../test/harness/print-statements.ts'
import { recordOneStatement } from '../../../../test/harness/scripted-runner.ts'
import { FilterOperator } from '../../../contract/gen/common/v1/filter_pb.js'
import { InsightType } from '../../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { QueryResponseSchema } from '../../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { UserFlowResult } from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import {
  UserFlowQuery_NodeKind as NodeKind,
  type UserFlowQuery_GroupBy,
  type UserFlowQuerySchema,
} from '../../../contract/gen/shared/insights/v1/user_flow_query_pb.js'
import { asProjectId, type ProjectId } from '../../../contract/ids.ts'
import { prepareInsight } from '../../insight-types.ts'
import type { Statement } from '../../sql/sql.ts'

type Flow = MessageInitShape<typeof UserFlowQuerySchema>

function prepare(spec: SpecSample, projectId: ProjectId) {
  const request = sampleRequest({ ...spec, insightType: InsightType.USER_FLOW })
  return prepareInsight(request, { projectId, projectTimeZone: 'UTC' })
}

const kindIs = (kind: string) => ({ match: { case: 'event', value: { kind } } }) as const
const nodeIs = (value: string) => ({ match: { case: 'node', value } }) as const

/** The only statement of a spec. */
async function statementOf(userFlow: Flow): Promise<Statement> {
  return await recordOneStatement(prepare({ userFlow }, asProjectId(9)))
}

test('anchors and rules: two bits of each event, and a part of each session', async () => {
  const flow = { startAt: kindIs('a'), endAt: nodeIs('b'), pathRules: [{ pattern: 'x', replacement: 'y' }] }
  expect(printStatements(await statementOf(flow))).toMatchInlineSnapshot(`
    "
    SELECT toInt64(tupleElement(entry, 1)) - 1 AS depth,
      tupleElement(entry, 2) AS source,
      target,
      toInt64(sum(tupleElement(entry, 3))) AS value
    FROM (
      SELECT anyIf(source, hop = 0) AS target, groupArrayIf((hop, source, value), hop > 0) AS entries
      FROM (
        SELECT bitShiftRight(crossed, 60) AS hop,
          bitAnd(crossed, 1152921504606846975) AS next,
          any(name) AS source,
          sum(sessions) AS value
        FROM (
          SELECT place, name, toUInt64(exit) AS crossed, toUInt64(bitShiftRight(exit, 64)) AS sessions
          FROM (
            SELECT label,
              least(row_number() OVER (ORDER BY total DESC, text), {p0:Int64}) AS place,
              if(place <= {p1:Int64}, text, '') AS name,
              exits
            FROM (
              SELECT label,
                sumIf(sessions, hop = 0) AS total,
                groupArrayIf(
                  bitOr(bitShiftLeft(toUInt128(sessions), 64), bitOr(bitShiftLeft(hop, 60), target)), hop > 0
                ) AS exits
              FROM (
                SELECT toUInt64(bitShiftRight(step, 120)) AS hop,
                  bitAnd(toUInt64(bitShiftRight(step, 60)), 1152921504606846975) AS label,
                  bitAnd(toUInt64(step), 1152921504606846975) AS target,
                  count() AS sessions
                FROM (
                  SELECT arrayJoin(
                    arrayConcat(
                      arrayMap(
                        (hop, label, target) -> bitOr(
                          bitShiftLeft(bitOr(bitShiftLeft(toUInt128(hop), 60), toUInt128(label)), 60),
                          toUInt128(target)
                        ),
                        arrayEnumerate(arrayPopFront(path)),
                        arrayPopBack(path),
                        arrayPopFront(path)
                      ),
                      arrayMap(label -> bitShiftLeft(toUInt128(label), 60), arrayDistinct(path))
                    )
                  ) AS step
                  FROM (
                    SELECT arraySlice(
                      arrayCompact(
                        arrayMap(
                          event -> bitAnd(toUInt64(event), 1152921504606846975), arraySlice(marks, first, size)
                        )
                      ),
                      1,
                      {p2:Int64}
                    ) AS path
                    FROM (
                      SELECT marks,
                        arrayFirstIndex(mark -> bitTest(mark, 60), marks) AS starting,
                        greatest(starting, 1) AS first,
                        arrayFirstIndex(
                          (mark, at) -> bitTest(mark, 61) AND at > starting, marks, arrayEnumerate(marks)
                        ) AS ending,
                        if(starting = 0 OR ending = 0, 0, ending - starting + 1) AS size
                      FROM (
                        SELECT arrayMap(
                          event -> toUInt64(event),
                          arraySort(
                            groupArrayIf(
                              (
                                toUInt64(toUnixTimestamp64Milli(time)) * toUInt256('340282366920938463463374607431768211456') + bitOr(
                                  bitShiftLeft(reinterpretAsUInt128(event_id), 64),
                                  bitShiftRight(reinterpretAsUInt128(event_id), 64)
                                )
                              ) * toUInt256('18446744073709551616') + bitShiftRight(sipHash64(replaceRegexpAll(toLowCardinality(kind), {p3:String}, {p4:String})), 4) + bitShiftLeft(toUInt64(kind = {p5:String}), 60) + bitShiftLeft(toUInt64(replaceRegexpAll(toLowCardinality(kind), {p6:String}, {p7:String}) = {p8:String}), 61),
                              replaceRegexpAll(toLowCardinality(kind), {p9:String}, {p10:String}) != ''
                            )
                          )
                        ) AS marks
                        FROM events FINAL
                        PREWHERE project = {p11:UInt32}
                          AND indexHint(
                            toDate(time) >= toDate(fromUnixTimestamp64Milli({p12:Int64}, 'UTC')),
                            toDate(time) <= toDate(fromUnixTimestamp64Milli({p13:Int64}, 'UTC'))
                          )
                          AND time >= fromUnixTimestamp64Milli({p14:Int64}, 'UTC')
                          AND time < fromUnixTimestamp64Milli({p15:Int64}, 'UTC')
                        WHERE 1
                          AND NOT cookieless
                          AND session_id != toUUID('00000000-0000-0000-0000-000000000000')
                          AND kind != ''
                        GROUP BY session_id
                      )
                    )
                  )
                )
                GROUP BY step
              )
              GROUP BY label
            ) AS counted
            ANY
            INNER JOIN (
              SELECT bitShiftRight(sipHash64(replaceRegexpAll(value, {p16:String}, {p17:String})), 4) AS label,
                any(replaceRegexpAll(value, {p16:String}, {p17:String})) AS text
              FROM (
                SELECT kind AS value
                FROM events
                PREWHERE project = {p18:UInt32}
                  AND indexHint(
                    toDate(time) >= toDate(fromUnixTimestamp64Milli({p19:Int64}, 'UTC')),
                    toDate(time) <= toDate(fromUnixTimestamp64Milli({p20:Int64}, 'UTC'))
                  )
                  AND time >= fromUnixTimestamp64Milli({p21:Int64}, 'UTC')
                  AND time < fromUnixTimestamp64Milli({p22:Int64}, 'UTC')
                  AND kind != ''
                WHERE 1
                GROUP BY value
              )
              GROUP BY label
            ) AS texts USING (label)
          )
          ARRAY JOIN arrayPushBack(exits, toUInt128(label)) AS exit
        )
        GROUP BY crossed, place
      )
      GROUP BY next
    )
    ARRAY JOIN entries AS entry
    GROUP BY depth, source, target
    ORDER BY value DESC,
      depth,
      if(source = '', {p23:String}, source),
      source = '',
      if(target = '', {p24:String}, target),
      target = ''
    LIMIT {p25:Int64}
    p0 = 21
    p1 = 20
    p2 = 6
    p3 = "(?:)x"
    p4 = "y"
    p5 = "a"
    p6 = "(?:)x"
    p7 = "y"
    p8 = "b"
    p9 = "(?:)x"
    p10 = "y"
    p11 = 9
    p12 = 1767571200000
    p13 = 1767657599999
    p14 = 1767571200000
    p15 = 1767657600000
    p16 = "(?:)x"
    p17 = "y"
    p18 = 9
    p19 = 1767571200000
    p20 = 1767657599999
    p21 = 1767571200000
    p22 = 1767657600000
    p23 = "$others"
    p24 = "$others"
    p25 = 250
    "
  `)
})

test('kinds of all events', async () => {
  expect(printStatements(await statementOf({}))).toMatchInlineSnapshot(`
    "
    SELECT toInt64(tupleElement(entry, 1)) - 1 AS depth,
      tupleElement(entry, 2) AS source,
      target,
      toInt64(sum(tupleElement(entry, 3))) AS value
    FROM (
      SELECT anyIf(source, hop = 0) AS target, groupArrayIf((hop, source, value), hop > 0) AS entries
      FROM (
        SELECT bitShiftRight(crossed, 60) AS hop,
          bitAnd(crossed, 1152921504606846975) AS next,
          any(name) AS source,
          sum(sessions) AS value
        FROM (
          SELECT place, name, toUInt64(exit) AS crossed, toUInt64(bitShiftRight(exit, 64)) AS sessions
          FROM (
            SELECT label,
              least(row_number() OVER (ORDER BY total DESC, text), {p0:Int64}) AS place,
              if(place <= {p1:Int64}, text, '') AS name,
              exits
            FROM (
              SELECT label,
                sumIf(sessions, hop = 0) AS total,
                groupArrayIf(
                  bitOr(bitShiftLeft(toUInt128(sessions), 64), bitOr(bitShiftLeft(hop, 60), target)), hop > 0
                ) AS exits
              FROM (
                SELECT toUInt64(bitShiftRight(step, 120)) AS hop,
                  bitAnd(toUInt64(bitShiftRight(step, 60)), 1152921504606846975) AS label,
                  bitAnd(toUInt64(step), 1152921504606846975) AS target,
                  count() AS sessions
                FROM (
                  SELECT arrayJoin(
                    arrayConcat(
                      arrayMap(
                        (hop, label, target) -> bitOr(
                          bitShiftLeft(bitOr(bitShiftLeft(toUInt128(hop), 60), toUInt128(label)), 60),
                          toUInt128(target)
                        ),
                        arrayEnumerate(arrayPopFront(path)),
                        arrayPopBack(path),
                        arrayPopFront(path)
                      ),
                      arrayMap(label -> bitShiftLeft(toUInt128(label), 60), arrayDistinct(path))
                    )
                  ) AS step
                  FROM (
                    SELECT arraySlice(
                      arrayCompact(
                        arrayMap(
                          event -> toUInt64(event),
                          arraySort(
                            groupArray(
                              (
                                toUInt64(toUnixTimestamp64Milli(time)) * toUInt256('340282366920938463463374607431768211456') + bitOr(
                                  bitShiftLeft(reinterpretAsUInt128(event_id), 64),
                                  bitShiftRight(reinterpretAsUInt128(event_id), 64)
                                )
                              ) * toUInt256('18446744073709551616') + bitShiftRight(sipHash64(kind), 4)
                            )
                          )
                        )
                      ),
                      1,
                      {p2:Int64}
                    ) AS path
                    FROM events FINAL
                    PREWHERE project = {p3:UInt32}
                      AND indexHint(
                        toDate(time) >= toDate(fromUnixTimestamp64Milli({p4:Int64}, 'UTC')),
                        toDate(time) <= toDate(fromUnixTimestamp64Milli({p5:Int64}, 'UTC'))
                      )
                      AND time >= fromUnixTimestamp64Milli({p6:Int64}, 'UTC')
                      AND time < fromUnixTimestamp64Milli({p7:Int64}, 'UTC')
                    WHERE 1
                      AND NOT cookieless
                      AND session_id != toUUID('00000000-0000-0000-0000-000000000000')
                      AND kind != ''
                    GROUP BY session_id
                  )
                )
                GROUP BY step
              )
              GROUP BY label
            ) AS counted
            ANY
            INNER JOIN (
              SELECT bitShiftRight(sipHash64(value), 4) AS label, any(value) AS text
              FROM (
                SELECT kind AS value
                FROM events
                PREWHERE project = {p8:UInt32}
                  AND indexHint(
                    toDate(time) >= toDate(fromUnixTimestamp64Milli({p9:Int64}, 'UTC')),
                    toDate(time) <= toDate(fromUnixTimestamp64Milli({p10:Int64}, 'UTC'))
                  )
                  AND time >= fromUnixTimestamp64Milli({p11:Int64}, 'UTC')
                  AND time < fromUnixTimestamp64Milli({p12:Int64}, 'UTC')
                  AND kind != ''
                WHERE 1
                GROUP BY value
              )
              GROUP BY label
            ) AS texts USING (label)
          )
          ARRAY JOIN arrayPushBack(exits, toUInt128(label)) AS exit
        )
        GROUP BY crossed, place
      )
      GROUP BY next
    )
    ARRAY JOIN entries AS entry
    GROUP BY depth, source, target
    ORDER BY value DESC,
      depth,
      if(source = '', {p13:String}, source),
      source = '',
      if(target = '', {p14:String}, target),
      target = ''
    LIMIT {p15:Int64}
    p0 = 21
    p1 = 20
    p2 = 6
    p3 = 9
    p4 = 1767571200000
    p5 = 1767657599999
    p6 = 1767571200000
    p7 = 1767657600000
    p8 = 9
    p9 = 1767571200000
    p10 = 1767657599999
    p11 = 1767571200000
    p12 = 1767657600000
    p13 = "$others"
    p14 = "$others"
    p15 = 250
    "
  `)
})

test('values of a property of some events', async () => {
  const userFlow = {
    nodeKind: NodeKind.PROPERTY,
    nodeProperty: '$pathname',
    scope: { kind: 'view' },
    maxHops: 2,
  }
  const statement = await statementOf(userFlow)
  expect(statement?.text).toContain('bitShiftRight(sipHash64(pathname), 4)')
  expect(statement?.text).toMatch(
    /FINAL .*kind IN \{p\d+:Array\(String\)\} WHERE 1 AND NOT cookieless AND session_id != toUUID\('[0-9-]{36}'\) AND pathname != ''/,
  )
  expect(statement?.text).toMatch(
    /SELECT pathname AS value FROM events PREWHERE [^W]*kind IN \{p\d+:Array\(String\)\} AND pathname != '' WHERE 1 GROUP BY value/,
  )
  expect(Object.values(statement?.params ?? {})).toContainEqual(['view'])
})

test.each<{ name: string; spec: SpecSample; message: string }>([
  { name: 'no settings', spec: {}, message: 'spec.userFlow: is required' },
  {
    name: 'too many hops',
    spec: { userFlow: { maxHops: 11 } },
    message: 'spec.userFlow.maxHops: must be 1 to 10',
  },
  {
    name: 'negative hops',
    spec: { userFlow: { maxHops: -1 } },
    message: 'spec.userFlow.maxHops: must be 1 to 10',
  },
  {
    name: 'one label',
    spec: { userFlow: { maxNodes: 1 } },
    message: 'spec.userFlow.maxNodes: must be 2 to 50',
  },
  {
    name: 'too many labels',
    spec: { userFlow: { maxNodes: 51 } },
    message: 'spec.userFlow.maxNodes: must be 2 to 50',
  },
  {
    name: 'too many links',
    spec: { userFlow: { maxLinks: 501 } },
    message: 'spec.userFlow.maxLinks: must be 1 to 500',
  },
  {
    name: 'a property without a name',
    spec: { userFlow: { nodeKind: NodeKind.PROPERTY } },
    message: 'spec.userFlow.nodeProperty: is required',
  },
  {
    name: 'a property with an invalid name',
    spec: { userFlow: { nodeKind: NodeKind.PROPERTY, nodeProperty: "a'b" } },
    message: 'spec.userFlow.nodeProperty: is not a property name',
  },
  {
    name: 'a property for kinds',
    spec: { userFlow: { nodeKind: NodeKind.EVENT_KIND, nodeProperty: 'page' } },
    message: 'spec.userFlow.nodeProperty: belongs to',
  },
  {
    name: 'an unknown kind of node',
    spec: { userFlow: { nodeKind: 7 as NodeKind } },
    message: 'spec.userFlow.nodeKind: is unknown',
  },
  {
    name: 'an unknown grouping',
    spec: { userFlow: { groupBy: 7 as UserFlowQuery_GroupBy } },
    message: 'spec.userFlow.groupBy: is unknown',
  },
  {
    name: 'an anchor without an event or a node',
    spec: { userFlow: { startAt: {} } },
    message: 'spec.userFlow.startAt: needs an event or a node',
  },
  {
    name: 'an anchor at an empty value',
    spec: { userFlow: { endAt: nodeIs('') } },
    message: 'spec.userFlow.endAt.node: is required',
  },
  {
    name: 'an anchor with a condition that is not valid',
    spec: { userFlow: { endAt: { match: { case: 'event', value: { filters: [{ property: 'a' }] } } } } },
    message: 'spec.userFlow.endAt.event.filters[0].operator: is required',
  },
  {
    name: 'a pattern that is not RE2',
    spec: { userFlow: { pathRules: [{ pattern: 'a' }, { pattern: 'a(?=b)' }] } },
    message: 'spec.userFlow.pathRules[1].pattern: has an unsupported group at position 2',
  },
  {
    name: 'a replacement with a group that the pattern does not have',
    spec: { userFlow: { pathRules: [{ pattern: '(?:a)(b)', replacement: '\\\\\\2' }] } },
    message: 'spec.userFlow.pathRules[0].replacement: names group 2 of a pattern with 1',
  },
  {
    name: 'a replacement with a backslash before a letter',
    spec: { userFlow: { pathRules: [{ pattern: 'a', replacement: '\\n' }] } },
    message: 'spec.userFlow.pathRules[0].replacement: must have a digit or a backslash',
  },
  {
    name: 'a rule too many',
    spec: { userFlow: { pathRules: Array.from({ length: 21 }, () => ({ pattern: 'a' })) } },
    message: 'spec.userFlow.pathRules: must be at most 20',
  },
  { name: 'events', spec: { userFlow: {}, events: [{}] }, message: 'spec.events: does not belong' },
  {
    name: 'a breakdown',
    spec: { userFlow: {}, breakdowns: [{ property: 'page' }] },
    message: 'spec.breakdowns: does not belong',
  },
])('$name is invalid', ({ spec, message }) => {
  expect(() => prepare(spec, asProjectId(9))).toThrow(message)
})

describe('answers', () => {
  let store: WorldStore

  beforeAll(async () => {
    store = await openSharedWorldStore()
  })

  afterAll(async () => {
    await store.close()
  })

  /** One session per text, one event per letter, a minute apart; `x` has no page. */
  function sessions(...paths: readonly string[]): readonly EventSample[] {
    return paths.flatMap((path, session) =>
      [...path].map((kind, minute) => ({
        kind,
        at: `10:${String(minute).padStart(2, '0')}`,
        session: session + 1,
        properties: { page: kind === 'x' ? '' : kind === 'o' ? '$others' : kind },
      })),
    )
  }

  async function load(events: readonly EventSample[]): Promise<ProjectId> {
    const world = sampleWorld(events)
    const scene = { timeZone: 'UTC', anchorMs: 0 }
    return await store.load({ seed: 0, world, copies: world.events, scene, instants: [] })
  }

  async function answer(projectId: ProjectId, spec: SpecSample): Promise<UserFlowResult> {
    const response = await prepare(spec, projectId).answer(
      async (query) => await store.run(query, AbortSignal.timeout(60_000)),
    )
    return resultOf(create(QueryResponseSchema, response), 'userFlow')
  }

  /** Links as `depth source > target: value`, and nodes as `depth label`; others are in brackets. */
  function drawing({ nodes, links }: UserFlowResult) {
    const byId = new Map(
      nodes.map(({ id, depth, label, isOthers }) => [id, `${depth} ${isOthers ? `(${label})` : label}`]),
    )
    expect(byId.size).toBe(nodes.length)
    return {
      nodes: [...byId.values()],
      links: links.map(({ source, target, value }) => `${byId.get(source)} > ${byId.get(target)}: ${value}`),
    }
  }

  async function draw(events: readonly EventSample[], userFlow: Flow = {}, spec: SpecSample = {}) {
    return drawing(await answer(await load(events), { ...spec, userFlow }))
  }

  const PAGES = { nodeKind: NodeKind.PROPERTY, nodeProperty: 'page' }

  test('links count sessions, equal neighbours are one node, and a label may recur deeper', async () => {
    expect(await draw(sessions('abc', 'aabbb', 'ac', 'aba', 'z'))).toEqual({
      links: ['0 a > 1 b: 3', '0 a > 1 c: 1', '1 b > 2 a: 1', '1 b > 2 c: 1'],
      nodes: ['0 a', '1 b', '1 c', '2 a', '2 c'],
    })
  })

  test('a path is cut at the hop limit before labels are ranked', async () => {
    expect((await draw(sessions('abcdefgh'))).links).toHaveLength(5)
    expect((await draw(sessions('abc', 'xbc'), { maxHops: 1, maxNodes: 2 })).links).toEqual([
      '0 ($others) > 1 b: 1',
      '0 a > 1 b: 1',
    ])
  })

  test('a path of one node ranks its label; each session counts once for it', async () => {
    expect((await draw(sessions('az', 'bz', 'a', 'cdcdc'), { maxNodes: 2 })).links).toEqual([
      '0 ($others) > 1 ($others): 1',
      '0 ($others) > 1 z: 1',
      '0 a > 1 z: 1',
      '1 ($others) > 2 ($others): 1',
      '2 ($others) > 3 ($others): 1',
      '3 ($others) > 4 ($others): 1',
    ])
  })

  test('links of the rest are summed, and the rest may link to itself', async () => {
    expect((await draw(sessions('ab', 'ab', 'cd', 'ce'), { maxNodes: 2 })).links).toEqual([
      '0 ($others) > 1 ($others): 2',
      '0 a > 1 b: 2',
    ])
  })

  test('a label with the text $others is not the rest', async () => {
    const userFlow = { nodeKind: NodeKind.PROPERTY, nodeProperty: 'page', maxNodes: 2 }
    expect(await draw(sessions('oa', 'oa', 'ca', 'oc'), userFlow)).toEqual({
      links: ['0 $others > 1 a: 2', '0 $others > 1 ($others): 1', '0 ($others) > 1 a: 1'],
      nodes: ['0 $others', '0 ($others)', '1 ($others)', '1 a'],
    })
  })

  test('paths start at the first match, and sessions without one have no path', async () => {
    const { links } = await draw(sessions('abcab', 'xbd', 'ac'), { startAt: kindIs('b') })
    expect(links).toEqual(['0 b > 1 c: 1', '0 b > 1 d: 1', '1 c > 2 a: 1', '2 a > 3 b: 1'])
  })

  test('paths to an end are read backwards from its last match', async () => {
    const { links } = await draw(sessions('abcbd', 'ac', 'cbx'), { endAt: kindIs('b') })
    expect(links).toEqual(['0 b > 1 c: 2', '1 c > 2 b: 1', '2 b > 3 a: 1'])
    expect((await draw(sessions('abcd'), { endAt: nodeIs('d'), maxHops: 1 })).links).toEqual(['0 d > 1 c: 1'])
  })

  test('paths from a start lead to the first end that is strictly after it', async () => {
    const userFlow = { startAt: kindIs('a'), endAt: nodeIs('b') }
    expect((await draw(sessions('bacbxb', 'ba', 'cb'), userFlow)).links).toEqual([
      '0 a > 1 c: 1',
      '1 c > 2 b: 1',
    ])
    const same = { startAt: kindIs('a'), endAt: kindIs('a') }
    expect((await draw(sessions('aba', 'abc'), same)).links).toEqual(['0 a > 1 b: 1', '1 b > 2 a: 1'])
  })

  test('an anchor is looked for before neighbours are merged', async () => {
    const events = sessions('aab').map((event, index) => (index === 1 ? { ...event, properties: {} } : event))
    const isUnset = { property: 'page', operator: FilterOperator.IS_NOT_SET }
    const anchor = { match: { case: 'event' as const, value: { filters: [isUnset] } } }
    expect((await draw(events, { startAt: anchor })).links).toEqual(['0 a > 1 b: 1'])
    expect((await draw(events, { endAt: anchor })).links).toEqual([])
  })

  test('rules rewrite every match in a value, in order, before anchors are looked for', async () => {
    const pathRules = [
      { pattern: '^(.)$', replacement: '/\\1\\\\' },
      { pattern: '^/[xyz]\\\\$', replacement: 'end' },
    ]
    expect((await draw(sessions('abx', 'aby'), { pathRules })).links).toEqual([
      '0 /a\\ > 1 /b\\: 2',
      '1 /b\\ > 2 end: 2',
    ])
    expect((await draw(sessions('abx', 'ay'), { pathRules, startAt: nodeIs('/b\\') })).links).toEqual([
      '0 /b\\ > 1 end: 1',
    ])
    const growing = [
      { pattern: 'x', replacement: '' },
      { pattern: 'b', replacement: 'cc' },
      { pattern: 'c', replacement: '\\0d' },
    ]
    expect((await draw(sessions('axbc'), { pathRules: growing })).links).toEqual([
      '0 a > 1 cdcd: 1',
      '1 cdcd > 2 cd: 1',
    ])
  })

  test('empty matches leave characters whole, and what is inserted there may be part of a value', async () => {
    const properties = [{ page: 'ü-x' }, { page: 'b' }]
    const events = sessions('ab').map((event, index) => ({ ...event, properties: properties[index] ?? {} }))
    const linksBy = async (pattern: string, replacement: string) =>
      (await draw(events, { ...PAGES, pathRules: [{ pattern, replacement }] })).links
    expect(await linksBy('x*', '-')).toEqual(['0 -ü---- > 1 -b-: 1'])
    expect(await linksBy('$', '\\\\\\0é')).toEqual(['0 ü-x\\é > 1 b\\é: 1'])
    expect(await linksBy('\\B', '.')).toEqual(['0 .ü.-x > 1 b: 1'])
  })

  test('rules give no value to an event without one, and an empty value may get another', async () => {
    const events = sessions('bac').map((event, index) => (index === 0 ? { ...event, properties: {} } : event))
    const pathRules = [
      { pattern: 'c', replacement: '' },
      { pattern: '^$', replacement: 'none' },
    ]
    expect((await draw(events, { ...PAGES, pathRules })).links).toEqual(['0 a > 1 none: 1'])
  })

  test('the engine has every form of a pattern that is accepted', async () => {
    const patterns = [
      '(?P<a>[a-z])(?-i:b)?',
      '[]a]|[[:alpha:]]',
      '\\Q(\\E|\\pL{2,}?',
      '\\x{62}\\b|\\07|\\_',
      'a{,2}|{',
      '(?<named>[\\p{Kawi}\\p{Nag_Mundari}\\p{SignWriting}])',
    ]
    const pathRules = patterns.map((pattern) => ({ pattern, replacement: '\\0' }))
    expect((await draw(sessions('ab'), { pathRules })).links).toEqual(['0 a > 1 b: 1'])
  })

  test('the weakest links are dropped with their nodes', async () => {
    expect(await draw(sessions('ab', 'ab', 'cd'), { maxLinks: 1 })).toEqual({
      links: ['0 a > 1 b: 2'],
      nodes: ['0 a', '1 b'],
    })
  })

  test('events without a value are dropped before neighbours collapse', async () => {
    const userFlow = { nodeKind: NodeKind.PROPERTY, nodeProperty: 'page' }
    expect((await draw(sessions('axa', 'axb'), userFlow)).links).toEqual(['0 a > 1 b: 1'])
    const isSet = { property: 'page', operator: FilterOperator.IS_SET }
    expect((await draw(sessions('axaxb'), { scope: { filters: [isSet] } })).links).toEqual(['0 a > 1 b: 1'])
  })

  test('at one instant the text of the id decides, for any sender', async () => {
    const events = [
      { kind: 'b', at: '10:00', id: 2, by: 'bob' },
      { kind: 'a', at: '10:00', id: 1, by: 'anna' },
      { kind: 'c', at: '10:00', id: 3, by: 'cookieless-x' },
    ]
    expect((await draw(events)).links).toEqual(['0 a > 1 b: 1'])
    expect((await draw(events, {}, { includeCookieless: true })).links).toEqual([
      '0 a > 1 b: 1',
      '1 b > 2 c: 1',
    ])
  })

  test('a copy that lost to a later one has no node', async () => {
    const now = sampleWorld(sessions('ab'))
    const lost = sampleWorld(sessions('ab').map((event) => ({ ...event, properties: { page: 'c' } })))
    const scene = { timeZone: 'UTC', anchorMs: 0 }
    const projectId = await store.load({ seed: 0, world: lost, copies: now.events, scene, instants: [] })
    expect(drawing(await answer(projectId, { userFlow: PAGES })).nodes).toEqual(['0 a', '1 b'])
  })

  test('the engine would sort ids by their second half', async () => {
    const world = sampleWorld([
      { kind: 'second', at: '10:00' },
      { kind: 'first', at: '10:00' },
    ])
    const ids = ['ffffffff-0000-4000-8000-000000000001', '00000000-0000-4000-9000-000000000002']
    const events = world.events.map((event, index) => ({ ...event, eventId: ids[index] ?? '' }))
    const scene = { timeZone: 'UTC', anchorMs: 0 }
    const projectId = await store.load({
      seed: 0,
      world: { ...world, events },
      copies: [],
      scene,
      instants: [],
    })
    expect(drawing(await answer(projectId, { userFlow: {} })).links).toEqual(['0 first > 1 second: 1'])
  })

  test('a session of 200,000 events yields its path', { timeout: 60_000 }, async () => {
    const projectId = await load(sessions('ab'))
    await store.clickhouse.command({
      query: `INSERT INTO events (project, kind, time, distinct_id, session_id, event_id)
        SELECT {project:UInt32}, if(number < 100000, 'a', 'b'), fromUnixTimestamp64Milli(1767571200000 + number, 'UTC'), 'busy',
          toUUID('00000000-0000-4000-8000-00000000ffff'), generateUUIDv4(number) FROM numbers(200000)`,
      query_params: { project: projectId },
    })
    expect(drawing(await answer(projectId, { userFlow: {} })).links).toEqual(['0 a > 1 b: 2'])
  })

  test('no events make an empty graph', async () => {
    expect(await draw([])).toEqual({ links: [], nodes: [] })
  })
})
