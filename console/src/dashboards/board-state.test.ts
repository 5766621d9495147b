import { create } from '@bufbuild/protobuf'
import { FilterOperator, LogicalOperator, PropertyFilterSchema } from '@contract/common/v1/filter_pb.js'
import {
  Granularity,
  InsightQuerySpecSchema,
  InsightType,
} from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { describe, expect, test } from 'vitest'
import { bucketsOfTile, comparedRange, rangeOfBoard } from './board-range.ts'
import {
  BOARD_FILTERS_MAX,
  isBrokenBoardState,
  isSameBoardState,
  readBoardState,
  writeBoardState,
} from './board-state.ts'
import { addFilters } from './merge-filters.ts'

const is = (property: string, value = 'x') =>
  create(PropertyFilterSchema, { property, operator: FilterOperator.EQUALS, value })

describe('the state of a dashboard in its address', () => {
  test.each([
    '',
    'range=last-90-days&compare=year',
    'range=2026-01-01..2026-01-31&compare=none',
    `compare=previous&filters=${encodeURIComponent('[{"property":"$country","operator":"FILTER_OPERATOR_EQUALS","value":"DE"}]')}`,
  ])('is read and written without loss: %s', (text) => {
    const state = readBoardState(new URLSearchParams(text))
    const written = writeBoardState(new URLSearchParams('other=1'), state)
    expect(written.get('other')).toBe('1')
    written.delete('other')
    expect(decodeURIComponent(String(written))).toBe(decodeURIComponent(text))
    expect(isBrokenBoardState(new URLSearchParams(text))).toBe(false)
  })

  test.each([
    'range=never',
    'compare=ever',
    'filters={',
    'filters="x"',
    'filters=[1,null,{"property":"a"},{"operator":"FILTER_OPERATOR_EQUALS"},{"property":"a","operator":"NO_SUCH"}]',
  ])('has its default where a parameter cannot be read: %s', (text) => {
    const state = readBoardState(new URLSearchParams(text))
    expect(state).toEqual({ period: undefined, compare: 'tile', filters: [] })
    expect(isBrokenBoardState(new URLSearchParams(text))).toBe(true)
  })

  test.each([
    ['range=last-90-days', 'range=last-90-days&people=a', true],
    ['range=last-90-days', 'range=LAST_90_DAYS', true],
    ['range=last-90-days', 'range=last-30-days', false],
    ['', 'compare=year', false],
    ['filters=[{"property":"a","operator":"FILTER_OPERATOR_IS_SET"}]', '', false],
  ])('of %s and of %s are the same: %s', (one, other, isSame) => {
    const [state, otherState] = [one, other].map((text) => readBoardState(new URLSearchParams(text)))
    expect(state && otherState && isSameBoardState(state, otherState)).toBe(isSame)
  })

  test('reads the presets of older links, and a bounded number of filters', () => {
    expect(readBoardState(new URLSearchParams('range=LAST_14_DAYS')).period).toEqual({
      last: 14,
      unit: 'days',
    })
    const filters = JSON.stringify(
      Array(50).fill({ property: 'a', operator: 'FILTER_OPERATOR_EQUALS', value: 'b' }),
    )
    expect(readBoardState(new URLSearchParams({ filters })).filters).toHaveLength(BOARD_FILTERS_MAX)
  })
})

describe('the range of a dashboard', () => {
  const timeZone = 'Europe/Berlin'
  const asOf = { nowMs: Date.parse('2026-11-23T11:00:00Z'), today: '2026-11-23', timeZone }
  const iso = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) =>
    [fromMs, toMs].map((ms) => new Date(ms).toISOString())

  test('is whole days of the zone with the current one, which ends now', () => {
    const board = rangeOfBoard({ last: 30, unit: 'days' }, asOf)
    expect(board.days).toEqual({ from: '2026-10-25', to: '2026-11-23' })
    expect(iso(board.range)).toEqual(['2026-10-24T22:00:00.000Z', '2026-11-23T11:00:00.000Z'])
  })

  test('is compared with as many days before it, or a year before it, up to the same time', () => {
    const board = rangeOfBoard({ last: 7, unit: 'days' }, asOf)
    const previous = comparedRange(board, { compare: 'previous', timeZone })
    expect(iso(previous)).toEqual(['2026-11-09T23:00:00.000Z', '2026-11-16T11:00:00.000Z'])
    const year = comparedRange(board, { compare: 'year', timeZone })
    expect(iso(year)).toEqual(['2025-11-16T23:00:00.000Z', '2025-11-23T11:00:00.000Z'])
  })

  test('is compared with whole days where the clocks change in one of the ranges', () => {
    const board = rangeOfBoard({ from: '2026-10-24', to: '2026-10-26' }, asOf)
    const previous = comparedRange(board, { compare: 'previous', timeZone })
    expect(iso(previous)).toEqual(['2026-10-20T22:00:00.000Z', '2026-10-23T22:00:00.000Z'])
  })

  const { HOUR, DAY, WEEK, MONTH, UNSPECIFIED } = Granularity
  const buckets = (
    last: number,
    { own = UNSPECIFIED, type = InsightType.TRENDS, stored = DAY, isStoredPeriod = false },
  ) => bucketsOfTile({ own, type }, { ...rangeOfBoard({ last, unit: 'days' }, asOf), stored, isStoredPeriod })

  test.each<[number, Parameters<typeof buckets>[1], Granularity]>([
    [30, { own: WEEK }, WEEK],
    [1, { own: WEEK }, WEEK],
    [30, { own: HOUR }, DAY],
    [30, { stored: WEEK, isStoredPeriod: true }, WEEK],
    [30, { stored: WEEK }, DAY],
    [30, { stored: HOUR, isStoredPeriod: true }, DAY],
    [1, {}, HOUR],
    [1, { type: InsightType.RETENTION }, DAY],
    [1, { type: InsightType.RETENTION, own: HOUR }, HOUR],
    [1, { type: InsightType.LIFECYCLE, own: HOUR }, DAY],
    [180, {}, WEEK],
    [900, {}, MONTH],
  ])('of %i days with %j has buckets of width %i', (last, tile, width) => {
    expect(buckets(last, tile)).toBe(width)
  })
})

describe('filters of a dashboard in the query of a tile', () => {
  const spec = (operator: LogicalOperator, ...groups: readonly (readonly [LogicalOperator, ...string[]])[]) =>
    create(InsightQuerySpecSchema, {
      insightType: InsightType.TRENDS,
      filterGroupsOperator: operator,
      filterGroups: groups.map(([inner, ...names]) => ({
        operator: inner,
        filters: names.map((name) => is(name)),
      })),
    })
  /** As a sum of products: `a.b+c`. */
  const textOf = (names: ReturnType<typeof spec>): string => {
    const { filterGroups: groups, filterGroupsOperator } = names
    const parts = groups.map(({ filters, operator }) => {
      const joined = filters.map(({ property }) => property).join(operator === LogicalOperator.OR ? '+' : '.')
      return operator === LogicalOperator.OR ? `(${joined})` : joined
    })
    return parts.join(filterGroupsOperator === LogicalOperator.OR ? ' or ' : ' and ')
  }
  const { AND, OR } = LogicalOperator

  test.each([
    ['c', spec(AND)],
    ['a.b and c', spec(AND, [AND, 'a', 'b'])],
    ['(a+b) and c', spec(AND, [OR, 'a', 'b'])],
    ['a.c or b.c', spec(OR, [AND, 'a'], [AND, 'b'])],
    ['a.c or b.c or d.e.c', spec(OR, [OR, 'a', 'b'], [AND, 'd', 'e'])],
    ['c', spec(OR)],
  ])('narrow it to %s', (text, before) => {
    const after = addFilters(before, [is('c')])
    expect(textOf(after).replace(/^c$/, 'c')).toBe(text)
  })

  test('change nothing without any', () => {
    const before = spec(OR, [AND, 'a'], [AND, 'b'])
    expect(addFilters(before, [])).toBe(before)
  })
})
