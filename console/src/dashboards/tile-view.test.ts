import { create } from '@bufbuild/protobuf'
import { DashboardTileSchema } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import {
  ComparePeriod,
  DashboardTileViewMode as Mode,
} from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { Granularity } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { QueryResponseSchema } from '@contract/shared/insights/v1/insights_service_pb.js'
import { describe, expect, test } from 'vitest'
import { type Draft, newDraft, newSeries } from '../insights/model/draft.ts'
import { encodeDraft, parseSpec } from '../insights/spec.ts'
import { switchTab } from '../insights/types/tabs.ts'
import { applyDraft, draftOfTile } from './tile-draft.ts'
import { defaultSize, tileFieldsOf, viewOfAnswer, viewOfStored, viewsOfTile } from './tile-view.ts'

const trends = newDraft()
const byPlan: Draft = {
  ...trends,
  breakdown: { properties: [{ property: 'plan', source: 'PROPERTY_SOURCE_CUSTOM' }], limit: 0 },
}
const funnel = switchTab(trends, 'funnel')
const number: Draft = { ...trends, type: 'INSIGHT_TYPE_SEGMENTATION' }
const specOf = (draft: Draft) => parseSpec(JSON.stringify(encodeDraft(draft)))
const tileOf = (draft: Draft, viewMode = Mode.UNSPECIFIED) =>
  create(DashboardTileSchema, { viewMode, content: { case: 'insight', value: { spec: specOf(draft) } } })
const text = create(DashboardTileSchema, { content: { case: 'markdown', value: { body: 'Hello' } } })

describe('the view of a stored tile', () => {
  test.each([
    ['trends', tileOf(trends, Mode.BAR_STACKED), 'bars'],
    ['trends without a mode', tileOf(trends), 'line'],
    ['a funnel with a mode of trends', tileOf(funnel, Mode.AREA), 'chart'],
    ['a single series as a pie', tileOf(trends, Mode.PIE), 'line'],
    ['a breakdown as a pie', tileOf(byPlan, Mode.PIE), 'pie'],
    ['a text', text, 'chart'],
  ])('of %s', (_, tile, view) => {
    expect(viewOfStored(tile)).toBe(view)
    expect(viewsOfTile(tile)).toContain(view)
  })
})

describe('the view of an answered tile', () => {
  const answerOf = (...kinds: readonly string[]) =>
    create(QueryResponseSchema, {
      result: { case: 'trends', value: { series: kinds.map((eventKind) => ({ eventKind })) } },
    }).result
  // The query of a public dashboard leaves out its events.
  const spec = specOf({ ...trends, subject: { of: 'events', series: [newSeries(), newSeries()] } })

  test('of a public dashboard follows the events of the answer', () => {
    const viewOf = (...kinds: readonly string[]) => viewOfAnswer(answerOf(...kinds), { mode: Mode.PIE, spec })
    expect(viewOf('page_view', 'purchase')).toBe('pie')
    expect(viewOf('page_view', '')).toBe('line')
  })

  test('without a result is a table', () => {
    expect(viewOfAnswer({ case: undefined }, { mode: Mode.PIE, spec })).toBe('table')
  })
})

test('the default size of a tile is that of its type, and small for numbers and texts', () => {
  const sizes = [
    tileOf(trends),
    tileOf(trends, Mode.KPI),
    tileOf(number),
    tileOf(switchTab(trends, 'countries')),
    text,
  ].map(defaultSize)
  expect(sizes.map(({ w, h }) => `${w} × ${h}`)).toEqual(['6 × 7', '3 × 4', '4 × 4', '6 × 9', '3 × 4'])
})

test('a saved insight is the content of a tile', () => {
  const spec = JSON.stringify(encodeDraft(newDraft()))
  const saved = { spec, view: 'area', compare: 'previous', granularity: 'GRANULARITY_WEEK' } as const
  expect(tileFieldsOf(saved)).toMatchObject({
    viewMode: Mode.AREA,
    compare: ComparePeriod.PRIOR,
    content: { case: 'insight', value: { granularity: Granularity.WEEK } },
  })
})

describe('the draft of a tile', () => {
  test('leaves a tile as it is', () => {
    const tile = tileOf(trends, Mode.AREA)
    const { viewMode, content, compare, displayName } = applyDraft(tile, draftOfTile(tile))
    expect({ viewMode, content, compare, displayName }).toEqual({
      viewMode: tile.viewMode,
      content: tile.content,
      compare: tile.compare,
      displayName: tile.displayName,
    })
  })

  test('keeps a mode that its type does not offer until another view is chosen', () => {
    const tile = tileOf(funnel, Mode.AREA)
    const draft = draftOfTile(tile)
    expect(applyDraft(tile, draft).viewMode).toBe(Mode.AREA)
    expect(applyDraft(tile, { ...draft, view: 'table' }).viewMode).toBe(Mode.TABLE)
  })

  test('changes a text, its title and its rules', () => {
    const draft = { ...draftOfTile(text), body: 'Bye', title: 'Note' }
    const input = applyDraft(text, draft)
    expect(input.content).toMatchObject({ case: 'markdown', value: { body: 'Bye' } })
    expect(input.displayName).toBe('Note')
  })
})
