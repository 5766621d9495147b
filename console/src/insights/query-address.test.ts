import { describe, expect, test } from 'vitest'
import type { Compare } from './insight-period.ts'
import { NO_FILTERS, newSeries } from './model/draft.ts'
import {
  hasBrokenSpec,
  type InsightQuery,
  isBroken,
  readQuery,
  readTile,
  writeQuery,
  writeStoredQuery,
  writeTile,
} from './query-address.ts'
import { encodeDraft, parseSpec, writeSpec } from './spec.ts'

const countries = { type: 'INSIGHT_TYPE_MAP', series: newSeries(), ...NO_FILTERS } as const
const spec = writeSpec(parseSpec(JSON.stringify(encodeDraft(countries))))
const query: InsightQuery = {
  spec,
  period: { from: '2026-01-01', to: '2026-01-31' },
  granularity: 'GRANULARITY_WEEK',
  compare: 'previous',
}

describe('the address of a query', () => {
  test.each<Compare>(['none', 'previous', 'week', 'month', 'year', { from: '2025-06-01' }])(
    'is read as it was written, compared with %j',
    (compare) => {
      const written = new URLSearchParams(writeQuery({ ...query, compare }))
      expect(readQuery(written)).toEqual({ ...query, compare, view: null, rate: 'previous', name: '' })
    },
  )

  test('names the compared range only where the query compares', () => {
    expect(writeQuery(query)).toMatchObject({ range: '2026-01-01..2026-01-31', compare: 'prior' })
    expect(writeQuery({ ...query, compare: 'none' })).not.toHaveProperty('compare')
    expect(writeStoredQuery({ ...query, view: 'pie' })).toEqual({ spec, view: 'pie', compare: 'prior' })
  })

  test.each([
    ['nothing', {}, { spec: false, rest: false }],
    [
      'a broken spec',
      { spec: '{"events": 5}', range: 'soon', granularity: 'toString', compare: 'x' },
      { spec: true, rest: true },
    ],
    ['a date that does not exist', { range: '2026-02-01..2026-02-30' }, { spec: false, rest: true }],
    ['another that does not exist', { compare: '2026-02-30' }, { spec: false, rest: true }],
    ['a step that no rate has', { rate: 'last' }, { spec: false, rest: true }],
    [
      'an insight type of another release',
      { spec: '{"insightType": "INSIGHT_TYPE_NEXT"}' },
      { spec: true, rest: false },
    ],
    ['a field of another release', { spec: '{"events": [], "sampling": 0.1}' }, { spec: true, rest: false }],
  ])('with %s has the defaults', (_, parameters, broken) => {
    const address = new URLSearchParams(parameters as Record<string, string>)
    expect(readQuery(address)).toEqual({
      spec: undefined,
      period: { last: 30, unit: 'days' },
      granularity: undefined,
      compare: 'none',
      view: null,
      rate: 'previous',
      name: '',
    })
    expect({ spec: hasBrokenSpec(address), rest: isBroken(address) }).toEqual(broken)
  })

  test('names a tile by its dashboard and its ID', () => {
    const tile = { dashboardId: 'd', tileId: 't' }
    expect(readTile(new URLSearchParams(writeTile(tile)))).toEqual(tile)
    expect(readTile(new URLSearchParams({ dashboard: 'd' }))).toBeUndefined()
    expect(readTile(new URLSearchParams({ tile: 't' }))).toBeUndefined()
  })
})
