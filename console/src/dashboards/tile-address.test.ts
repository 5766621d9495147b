import { create } from '@bufbuild/protobuf'
import { FilterOperator, PropertyFilterSchema } from '@contract/common/v1/filter_pb.js'
import { DashboardTileSchema } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import {
  ComparePeriod,
  DashboardTileViewMode as Mode,
} from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { Granularity, InsightType } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { expect, test } from 'vitest'
import type { BoardState } from './board-state.ts'
import { insightAddress } from './tile-address.ts'

const tile = create(DashboardTileSchema, {
  id: 'tile-1',
  compare: ComparePeriod.PRIOR,
  viewMode: Mode.TABLE,
  content: { case: 'insight', value: { spec: { insightType: InsightType.FUNNEL, events: [{}] } } },
})
const filter = create(PropertyFilterSchema, {
  property: '$country',
  operator: FilterOperator.EQUALS,
  value: 'DE',
})

const addressOf = (use: 'open' | 'edit', state: Partial<BoardState> = {}): URL => {
  const context = {
    projectId: '7',
    dashboardId: 'board-1',
    period: { last: 30, unit: 'days' },
    state: { compare: 'tile', filters: [], ...state },
    granularity: Granularity.WEEK,
  } as const
  return new URL(insightAddress(tile, context, use), 'https://example.org')
}

test('an insight opens in the period, the buckets and the view of its tile', () => {
  const { pathname, searchParams } = addressOf('open')
  expect(pathname).toBe('/p/7/insights')
  expect(Object.fromEntries(searchParams)).toMatchObject({
    range: 'last-30-days',
    granularity: 'GRANULARITY_WEEK',
    view: 'table',
    compare: 'prior',
  })
  expect(searchParams.has('tile')).toBe(false)
})

test('an insight opens with the filters and the comparison above all tiles', () => {
  const { searchParams } = addressOf('open', { compare: 'year', filters: [filter] })
  expect(searchParams.get('compare')).toBe('year')
  expect(searchParams.get('spec')).toContain('$country')
  expect(addressOf('open', { compare: 'none' }).searchParams.has('compare')).toBe(false)
})

test('an insight is edited as it is stored, for its tile', () => {
  const { searchParams } = addressOf('edit', { compare: 'year', filters: [filter] })
  expect(Object.fromEntries(searchParams)).toMatchObject({
    compare: 'prior',
    dashboard: 'board-1',
    tile: 'tile-1',
  })
  expect(searchParams.get('spec')).not.toContain('$country')
})

test('a text has no insight to open', () => {
  const text = create(DashboardTileSchema, { content: { case: 'markdown', value: { body: 'Hello' } } })
  const context = { projectId: '7', dashboardId: 'b', period: 'today', granularity: Granularity.DAY } as const
  expect(insightAddress(text, { ...context, state: { compare: 'tile', filters: [] } }, 'open')).toBe('')
})
