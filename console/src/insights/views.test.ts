import { describe, expect, test } from 'vitest'
import { arePartsOfWhole } from './model/additive.ts'
import {
  type AnyPart,
  type BreakdownDraft,
  type Draft,
  NO_BREAKDOWN,
  NO_FILTERS,
  newEvent,
  newSeries,
  type SeriesDraft,
  type SessionMetric,
  type SubjectDraft,
} from './model/draft.ts'
import { NO_RETENTION_OPTIONS } from './model/retention-options.ts'
import { chooseView } from './model/views.ts'
import { viewsOf } from './spec.ts'

const views = newSeries('page_view')
const sales = newSeries('purchase')
const sumOf = (kind: string, property: string): SeriesDraft => ({
  ...newEvent(kind),
  measure: { aggregation: 'AGGREGATION_TYPE_SUM', property },
})
const averageOf = (kind: string): SeriesDraft => ({
  ...newEvent(kind),
  measure: { aggregation: 'AGGREGATION_TYPE_AVG', property: 'price' },
})
const peopleOf = (kind: string): SeriesDraft => ({
  ...newEvent(kind),
  measure: { aggregation: 'AGGREGATION_TYPE_UNIQUE_USERS' },
})

const byPlan: BreakdownDraft = {
  properties: [{ property: 'plan', source: 'PROPERTY_SOURCE_CUSTOM' }],
  limit: 0,
}
const events = (...series: readonly SeriesDraft[]): SubjectDraft => ({ of: 'events', series })
const sessions = (metric: SessionMetric): SubjectDraft => ({ of: 'sessions', metric, scope: newEvent() })
const trends = (subject: SubjectDraft, breakdown = NO_BREAKDOWN): AnyPart => ({
  type: 'INSIGHT_TYPE_TRENDS',
  subject,
  breakdown,
})
const topOf = (series: SeriesDraft): AnyPart => ({
  type: 'INSIGHT_TYPE_TOP_K',
  series,
  ranked: { of: 'events' },
  limit: 0,
  others: 'shown',
})
const draftOf = (part: AnyPart): Draft => ({ ...part, ...NO_FILTERS }) as Draft

describe('answers are a pie where each number counts once', () => {
  test.each<[name: string, part: AnyPart]>([
    ['counts of events', trends(events(views, sales))],
    ['counts by a property', trends(events(views), byPlan)],
    ['sums by a property', trends(events(sumOf('purchase', 'price')), byPlan)],
    ['sums of one property of events', trends(events(sumOf('a', 'price'), sumOf('b', 'price')))],
    ['sessions by a property', trends(sessions('SESSION_METRIC_SESSIONS'), byPlan)],
    ['first values of sessions', trends(sessions('SESSION_METRIC_ENTRY'), byPlan)],
    ['counts of values', topOf(newSeries())],
    ['sums of countries', { type: 'INSIGHT_TYPE_MAP', series: sumOf('purchase', 'price') }],
  ])('%s', (_name, part) => {
    expect(viewsOf(draftOf(part))).toContain('pie')
  })
})

describe('answers are no pie', () => {
  test.each<[name: string, part: AnyPart]>([
    ['of one series', trends(events(views))],
    ['of people, who may be in several parts', trends(events(peopleOf('page_view')), byPlan)],
    ['of values by people', topOf(peopleOf(''))],
    ['of countries by an average', { type: 'INSIGHT_TYPE_MAP', series: averageOf('a') }],
    ['of averages', trends(events(averageOf('a')), byPlan)],
    ['of counts beside sums', trends(events(views, sumOf('purchase', 'price')))],
    ['of sums of different properties', trends(events(sumOf('a', 'price'), sumOf('b', 'weight')))],
    ['of all events beside some', trends(events(newSeries(), sales))],
    ['of an event beside itself', trends(events(sales, sales))],
    ['of rates of sessions', trends(sessions('SESSION_METRIC_BOUNCE_RATE'), byPlan)],
    [
      'of retention',
      {
        type: 'INSIGHT_TYPE_RETENTION',
        first: newEvent('a'),
        back: undefined,
        breakdown: byPlan,
        options: NO_RETENTION_OPTIONS,
      },
    ],
  ])('%s', (_name, part) => {
    const offered = viewsOf(draftOf(part))
    expect(offered).not.toContain('pie')
    expect(chooseView(offered, 'pie')).toBe(offered[0])
  })
})

test('readers who may not see the events of a query get the views of its answer', () => {
  const question = events(newSeries(), newSeries())
  expect(arePartsOfWhole(question)).toBe(false)
  expect(arePartsOfWhole(question, ['page_view', 'purchase'])).toBe(true)
  expect(arePartsOfWhole(question, ['', 'purchase'])).toBe(false)
})
