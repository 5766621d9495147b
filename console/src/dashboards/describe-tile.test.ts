import { create } from '@bufbuild/protobuf'
import { FilterOperator, PropertyFilterSchema } from '@contract/common/v1/filter_pb.js'
import { PropertySource } from '@contract/common/v1/property_pb.js'
import { DashboardTileSchema } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { ComparePeriod } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import {
  Granularity,
  InsightQuerySpecSchema,
  InsightType,
} from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { expect, test } from 'vitest'
import type { BoardState } from './board-state.ts'
import { describeInsight, listOverrides } from './describe-tile.ts'
import {
  Count,
  funnelOf,
  mapOf,
  retentionOf,
  Sessions,
  sessionsOf,
  tileOf,
  topOf,
  trendOf,
} from './tile-kit.ts'
import { specOfTile } from './tile-view.ts'

const TITLE = 'dashboards.tileVisitors'
const revenue = { kind: 'purchase', count: Count.SUM, property: 'price' }

test.each([
  ['Unique people · page_view · by day', trendOf(TITLE, { kind: 'page_view', count: Count.UNIQUE_USERS })],
  ['Sum of price · purchase · by plan · by day', trendOf(TITLE, revenue, { by: 'plan' })],
  ['Total events · All events · by Browser · by day', trendOf(TITLE, { kind: '' }, { by: '$browser' })],
  ['Total events · All events · by day', trendOf(TITLE, { kind: '' })],
  ['Bounce rate · by day', sessionsOf(TITLE, Sessions.BOUNCE_RATE)],
  ['2 steps · within 14 days', funnelOf(TITLE, ['a', 'b'])],
  ['signup → All events · by day', retentionOf(TITLE, ['signup', ''])],
  ['Unique people · Path', topOf(TITLE, '$pathname', { kind: 'page_view' })],
  ['Sum of price · purchase', mapOf(TITLE, 'purchase', 'price')],
])('a tile is described as "%s"', (text, made) => {
  const spec = specOfTile(tileOf(made, { titleOf: (title) => title, excludeBots: false }))
  expect(spec && describeInsight(spec, Granularity.DAY)).toBe(text)
})

test('a breakdown by a property of the first event is described with its source', () => {
  const spec = create(InsightQuerySpecSchema, {
    insightType: InsightType.TRENDS,
    events: [{}],
    breakdowns: [
      { property: '$channel', source: PropertySource.FIRST_TOUCH },
      { property: '$os', source: PropertySource.PROFILE },
    ],
  })
  expect(describeInsight(spec, Granularity.DAY)).toBe(
    'Total events · All events · by First-touch channel, $os · by day',
  )
})

test('a comparison of cohorts is described as one', () => {
  const spec = create(InsightQuerySpecSchema, {
    insightType: InsightType.TRENDS,
    events: [{}],
    breakdownCohortIds: ['a', 'b'],
  })
  expect(describeInsight(spec, Granularity.DAY)).toBe('Total events · All events · by Cohort · by day')
})

const filter = create(PropertyFilterSchema, { property: 'a', operator: FilterOperator.IS_SET })
const tile = create(DashboardTileSchema, {
  compare: ComparePeriod.PRIOR,
  content: {
    case: 'insight',
    value: { spec: { filterGroups: [{ filters: [filter] }] }, granularity: Granularity.DAY },
  },
})

test.each<[names: readonly string[], state: Partial<BoardState>, buckets: Granularity]>([
  [[], {}, Granularity.DAY],
  [[], { compare: 'previous' }, Granularity.DAY],
  [['comparison of the dashboard'], { compare: 'year' }, Granularity.DAY],
  [['comparison of the dashboard'], { compare: 'none' }, Granularity.DAY],
  [['with the filters of the dashboard'], { filters: [filter] }, Granularity.DAY],
  [['wider interval: the range is too long for its own'], {}, Granularity.WEEK],
])('a tile names what is shown otherwise than it is stored: %j', (names, changed, buckets) => {
  const state: BoardState = { period: undefined, compare: 'tile', filters: [], ...changed }
  expect(listOverrides(tile, { state, buckets, isComparable: true })).toEqual(names)
})
