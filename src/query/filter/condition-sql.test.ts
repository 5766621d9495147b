import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OwnEngine, startOwnEngine, WIDE_LIMITS } from '../../../test/harness/own-engine.ts'
import { FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import type { Condition, Operands, Operator } from '../../domain/insights/condition.ts'
import { resolveProperty } from '../../domain/insights/property.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import { uint32Codec } from '../sql/codec.ts'
import { ALL_TIME, scopedEvents } from '../sql/events-table.ts'
import { createRunQuery } from '../sql/run.ts'
import { column, select } from '../sql/select.ts'
import { render, sql } from '../sql/sql.ts'
import { conditionSql } from './condition-sql.ts'

const SCOPE = { rows: { projectId: asProjectId(1), range: ALL_TIME }, user: sql`user_hash` }
const EVENTS = { projectId: asProjectId(1), fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 0, 2) }

const match = (name: string, operator: Operator, operands: Operands): Condition => ({
  kind: 'match',
  property: resolveProperty(name),
  operator,
  operands,
})

const text = (value: string): Operands => ({ kind: 'text', text: value })
const number = (value: number): Operands => ({ kind: 'number', number: value })
const contains = (index: number): Condition => match(`key${index}`, FilterOperator.CONTAINS, text('x'))
const many = (count: number): readonly Condition[] =>
  Array.from({ length: count }, (_, index) => contains(index))

function textOf(condition: Condition): string {
  return render(conditionSql(condition, SCOPE)).text
}

test('many keys make a short statement, which grows by little with each', () => {
  const [few, more] = [50, 100].map((count) => textOf({ kind: 'all', of: many(count) }).length)
  expect(few).toBeLessThan(6000)
  expect(((more ?? 0) - (few ?? 0)) / 50).toBeLessThan(100)
})

test('keys of nested groups are gathered together, and conditions on traits are separate', () => {
  const trait = { ...contains(99), property: { home: 'trait', key: 'plan', nested: [] } } as Condition
  const condition: Condition = {
    kind: 'any',
    of: [{ kind: 'all', of: many(6) }, { kind: 'all', of: [contains(6), contains(7)] }, trait],
  }
  const written = textOf(condition)
  expect(written.match(/arrayExists/g)).toHaveLength(1)
  expect(written).toMatch(/^\(arrayExists.* OR user_hash IN \(SELECT/)
})

test('comparisons with texts that no number prints as stay as they are', () => {
  const of = Array.from({ length: 50 }, (_, index) =>
    match(`key${index}`, FilterOperator.EQUALS, text('pro')),
  )
  expect(textOf({ kind: 'all', of })).not.toContain('arrayExists')
})

/** The maps of one event each, in SQL: values of every type that properties have, some of which read alike. */
const EVENT_MAPS: readonly Readonly<
  Partial<Record<'strings' | 'ints' | 'doubles' | 'bools' | 'times', string>>
>[] = [
  {},
  ...['pro', '12', '1e3', ''].map((value) => ({ strings: `map('a', '${value}')` })),
  { strings: "map('b', 'pro')", ints: "map('c', 12)" },
  ...['12', '-9223372036854775808'].map((value) => ({ ints: `map('a', ${value})` })),
  ...['12.5', '1e21', '-0.', 'inf', 'nan', '12.'].map((value) => ({ doubles: `map('a', ${value})` })),
  ...['true', 'false'].map((value) => ({ bools: `map('a', ${value})` })),
  ...['2026-01-01 00:00:00.000', '1970-01-01 00:00:00.001'].map((value) => ({
    times: `map('a', toDateTime64('${value}', 3, 'UTC'))`,
  })),
  {
    strings: `map('cart', '{"total":12,"a":{"b":"pro"},"n":null}', 'cart.flat', 'x')`,
    ints: "map('cart.total.deep', 1)",
  },
]

const NAMES = ['a', 'b', '$browser', 'cart.total', 'cart.a.b', 'cart.n', 'cart.flat', 'missing'] as const
const CASES: readonly (readonly [Operator, Operands])[] = [
  ...['pro', '12', '12.5', '1e+21', 'true', '0', 'Infinity', 'inf', '2026-01-01T00:00:00.000Z'].flatMap(
    (value) =>
      [
        [FilterOperator.EQUALS, text(value)],
        [FilterOperator.NOT_EQUALS, text(value)],
        [FilterOperator.CONTAINS, text(value.slice(0, 2))],
        [FilterOperator.NOT_CONTAINS, text(value.slice(0, 2))],
      ] as const,
  ),
  [FilterOperator.IS_SET, { kind: 'none' }],
  [FilterOperator.IS_NOT_SET, { kind: 'none' }],
  [FilterOperator.IN, { kind: 'texts', texts: ['pro', '12', 'true'] }],
  [FilterOperator.NOT_IN, { kind: 'texts', texts: ['pro', '12', 'true'] }],
  [FilterOperator.LT, number(12)],
  [FilterOperator.LTE, number(12)],
  [FilterOperator.GT, number(-1)],
  [FilterOperator.GTE, number(12.5)],
  [FilterOperator.BETWEEN, { kind: 'numbers', low: 0, high: 12 }],
  [FilterOperator.NOT_BETWEEN, { kind: 'numbers', low: 0, high: 12 }],
]

describe('in the engine', () => {
  let store: OwnEngine
  let clickhouse: ClickHouse

  beforeAll(async () => {
    store = await startOwnEngine()
    clickhouse = store.clickhouse
    const rows = EVENT_MAPS.map((maps, index) => {
      const { strings = 'map()', ints = 'map()', doubles = 'map()', bools = 'map()', times = 'map()' } = maps
      const time = `toDateTime64('2026-01-01 00:00:00.000', 3, 'UTC') + ${index}`
      return `(1, 'k', ${time}, 'u', generateUUIDv4(), generateUUIDv4(), ${strings}, ${ints}, ${doubles}, ${bools}, ${times})`
    })
    await clickhouse.command({
      query: `INSERT INTO events (project, kind, time, distinct_id, session_id, event_id, strings, ints, doubles, bools, times) VALUES ${rows.join(', ')}`,
    })
  }, 60_000)

  afterAll(async () => {
    await store?.stop()
  })

  /** For each condition, the rows that meet it. */
  async function rowsOf(conditions: readonly Condition[]): Promise<readonly (readonly number[])[]> {
    const cells = Object.fromEntries(
      conditions.map((condition, index) => [
        `c${index}`,
        column(uint32Codec, sql`toUInt32(${conditionSql(condition, SCOPE)})`),
      ]),
    )
    const query = select(cells, sql`${scopedEvents(EVENTS)} ORDER BY time`)
    const rows = await store.run(query)
    return rows.map((row) => Object.values<number>(row))
  }

  test.each(NAMES)('a condition on %s has one answer, alone and among many keys', async (name) => {
    const none = Array.from({ length: 8 }, (_, index) =>
      match(`none${index}`, FilterOperator.IS_NOT_SET, { kind: 'none' }),
    )
    const some = Array.from({ length: 8 }, (_, index) =>
      match(`none${index}`, FilterOperator.IS_SET, { kind: 'none' }),
    )
    const answers = CASES.map(async ([operator, operands]) => {
      const one = match(name, operator, operands)
      return await rowsOf([one, { kind: 'all', of: [one, ...none] }, { kind: 'any', of: [...some, one] }])
    })
    const rows = (await Promise.all(answers)).flat()
    expect(rows).toHaveLength(EVENT_MAPS.length * CASES.length)
    expect(rows.filter(([alone, all, any]) => alone !== all || alone !== any)).toEqual([])
  })

  test('440 filters are planned', async () => {
    const query = select(
      { met: column(uint32Codec, sql`toUInt32(${conditionSql({ kind: 'any', of: many(440) }, SCOPE)})`) },
      scopedEvents(EVENTS),
    )
    const rows = await createRunQuery(clickhouse, { ...WIDE_LIMITS, timeoutSeconds: 10 })(
      query,
      AbortSignal.timeout(30_000),
    )
    expect(rows).toHaveLength(EVENT_MAPS.length)
  })
})
