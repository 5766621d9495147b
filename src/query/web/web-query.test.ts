import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { describe, expect, test } from 'vitest'
import { FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../contract/gen/common/v1/property_pb.js'
import {
  Dimension,
  QueryOverviewRequestSchema,
  QueryTableRequestSchema,
  type WebFilterSchema,
} from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import { parseOverview, parseTable } from './web-query.ts'

type Filter = MessageInitShape<typeof WebFilterSchema>

const DAY_MS = 86_400_000
const FROM_MS = Date.UTC(2026, 2, 28)
const PROJECT = { projectId: asProjectId(7), projectTimeZone: 'Europe/Berlin' }

function rangeOf(days: number) {
  return { from: timestampFromMs(FROM_MS), to: timestampFromMs(FROM_MS + days * DAY_MS) }
}

const OVERVIEW = { timeRange: rangeOf(2), granularity: Granularity.DAY }
const TABLE = { timeRange: rangeOf(2), dimension: Dimension.PAGE }

function overview(more: object = {}) {
  return parseOverview(create(QueryOverviewRequestSchema, { ...OVERVIEW, ...more }), PROJECT)
}

function table(more: object = {}) {
  return parseTable(create(QueryTableRequestSchema, { ...TABLE, ...more }), PROJECT)
}

const { EQUALS, NOT_EQUALS, CONTAINS, IN, GT, BETWEEN, IS_SET } = FilterOperator

describe('an overview', () => {
  test("has buckets in the project's zone, or in that of the request", () => {
    expect(overview().main.starts.map((ms) => new Date(ms).toISOString())).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ])
    expect(overview({ timezone: 'UTC' }).main.starts).toEqual([FROM_MS, FROM_MS + DAY_MS])
  })

  test('compares with a range of its own buckets', () => {
    const compareTo = { with: { case: 'previousPeriod', value: true } }
    expect(overview({ timezone: 'UTC', compareTo }).compared).toEqual({
      fromMs: FROM_MS - 2 * DAY_MS,
      toMs: FROM_MS,
      starts: [FROM_MS - 2 * DAY_MS, FROM_MS - DAY_MS],
    })
    expect(overview().compared).toBeUndefined()
  })

  test('sorts conditions by their subject', () => {
    const { selection } = overview({
      filters: [
        { dimension: Dimension.HOSTNAME, operator: EQUALS, value: 'a' },
        { dimension: Dimension.EXIT_PAGE, operator: IS_SET },
        { dimension: Dimension.GOAL, operator: NOT_EQUALS, goalId: 'g' },
      ] satisfies Filter[],
    })
    expect(selection).toMatchObject({
      events: [{ attribute: { property: '$hostname' }, operands: { kind: 'text', text: 'a' } }],
      visits: [{ attribute: { of: 'last page view' }, operands: { kind: 'none' } }],
      goals: [{ goalId: 'g', completion: 'excluded' }],
      bots: 'left out',
    })
    expect(overview({ includeBots: true }).selection.bots).toBe('measured')
  })
})

test('a table has ten rows and may be as long as by months', () => {
  expect(table()).toMatchObject({ limit: 10, offset: 0, search: '', compared: undefined })
  expect(table({ limit: 1000, offset: 1_000_000 })).toMatchObject({ limit: 1000, offset: 1_000_000 })
  expect(table({ timeRange: rangeOf(3652) }).main.toMs).toBe(FROM_MS + 3652 * DAY_MS)
})

const text: Filter = { dimension: Dimension.PAGE, operator: EQUALS, value: '/x' }

describe('refuses', () => {
  test.each<[why: string, parse: () => unknown, field: string]>([
    ['no range', () => overview({ timeRange: undefined }), 'timeRange.from'],
    ['no granularity', () => overview({ granularity: 0 }), 'granularity'],
    ['a long range', () => overview({ timeRange: rangeOf(366) }), 'timeRange'],
    ['an unknown zone', () => overview({ timezone: 'Nowhere/Land' }), 'timezone'],
    ['no comparison', () => overview({ compareTo: {} }), 'compareTo'],
    ['21 filters', () => overview({ filters: new Array(21).fill(text) }), 'filters'],
    ['no dimension', () => table({ dimension: 0 }), 'dimension'],
    ['an unknown dimension', () => table({ dimension: 21 }), 'dimension'],
    ['a range beyond all granularities', () => table({ timeRange: rangeOf(3653) }), 'timeRange'],
    [
      'a range that its granularity does not allow',
      () => table({ granularity: Granularity.MINUTE }),
      'timeRange',
    ],
    ['a negative limit', () => table({ limit: -1 }), 'limit'],
    ['a limit of 1001', () => table({ limit: 1001 }), 'limit'],
    ['a negative offset', () => table({ offset: -1 }), 'offset'],
    ['a far offset', () => table({ offset: 1_000_001 }), 'offset'],
    ['a long search', () => table({ search: 'x'.repeat(2001) }), 'search'],
  ])('%s', (_, parse, field) => {
    expect(parse).toThrow(refusal(field))
  })

  test.each<[why: string, filter: Filter, field: string]>([
    ['without a dimension', { ...text, dimension: 0 }, 'dimension'],
    ['without an operator', { ...text, operator: 0 }, 'operator'],
    ['with a number', { ...text, operator: GT, value: '1' }, 'operator'],
    ['with numbers', { ...text, operator: BETWEEN, values: ['1', '2'] }, 'operator'],
    ['without a value', { ...text, operator: CONTAINS, value: '' }, 'value'],
    ['without values', { ...text, operator: IN }, 'values'],
    ['with an empty one', { ...text, operator: IN, values: ['a', ''] }, 'values'],
    ['with 1001 values', { ...text, operator: IN, values: new Array(1001).fill('a') }, 'values'],
    ['of pages by the first touch', { ...text, source: PropertySource.FIRST_TOUCH }, 'source'],
    ['by a trait', { ...text, dimension: Dimension.CHANNEL, source: PropertySource.PROFILE }, 'source'],
    ['with a goal and a page', { ...text, goalId: 'g' }, 'goalId'],
    ['on a goal without its id', { dimension: Dimension.GOAL, operator: EQUALS, value: 'x' }, 'goalId'],
    [
      'on a goal with a comparison of texts',
      { dimension: Dimension.GOAL, operator: CONTAINS, goalId: 'g' },
      'operator',
    ],
  ])('a filter %s', (_, filter, field) => {
    expect(() => overview({ filters: [text, filter] })).toThrow(refusal(`filters[1].${field}`))
  })
})

function refusal(field: string): unknown {
  return expect.objectContaining({
    code: 'invalid_argument',
    reason: field === 'timezone' ? 'INVALID_TIMEZONE' : 'INVALID_WEB_QUERY',
    violations: [{ field, description: expect.any(String) }],
  })
}
