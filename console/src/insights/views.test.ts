import { describe, expect, test } from 'vitest'
import { arePartsOfWhole } from './model/additive.ts'
import { type Draft, newDraft, newSeries, type SeriesDraft } from './model/draft.ts'
import { chooseView } from './model/views.ts'
import { viewsOf } from './spec.ts'

function draftWith(part: Partial<Draft>): Draft {
  return { ...newDraft(), ...part }
}

function seriesOf(kind: string, aggregation: SeriesDraft['aggregation'], property = ''): SeriesDraft {
  return { ...newSeries(kind), aggregation, property }
}

const views = newSeries('page_view')
const sales = newSeries('purchase')

describe('answers are a pie where each number counts once', () => {
  test.each<[name: string, part: Partial<Draft>]>([
    ['counts of kinds', { events: [views, sales] }],
    ['counts by a property', { events: [views], breakdowns: ['$browser'] }],
    [
      'sums by a property',
      { events: [seriesOf('purchase', 'AGGREGATION_TYPE_SUM', 'price')], breakdowns: ['plan'] },
    ],
    [
      'sums of one property of kinds',
      { events: ['a', 'b'].map((kind) => seriesOf(kind, 'AGGREGATION_TYPE_SUM', 'price')) },
    ],
    ['sessions by a property', { measure: 'sessions', breakdowns: ['$country'] }],
    ['counts of values', { type: 'INSIGHT_TYPE_TOP_K' }],
    [
      'sums of countries',
      { type: 'INSIGHT_TYPE_MAP', scope: seriesOf('purchase', 'AGGREGATION_TYPE_SUM', 'price') },
    ],
    [
      'first values of sessions',
      { measure: 'sessions', sessionMetric: 'SESSION_METRIC_ENTRY', breakdowns: ['$pathname'] },
    ],
  ])('%s', (_name, part) => {
    expect(viewsOf(draftWith(part))).toContain('pie')
  })
})

describe('answers are no pie', () => {
  test.each<[name: string, part: Partial<Draft>]>([
    ['of one series', { events: [views] }],
    ['of a breakdown that has no name yet', { events: [views], breakdowns: [''] }],
    [
      'of users, who may be in several parts',
      {
        events: [seriesOf('page_view', 'AGGREGATION_TYPE_UNIQUE_USERS')],
        breakdowns: ['plan'],
      },
    ],
    [
      'of values by users',
      { type: 'INSIGHT_TYPE_TOP_K', scope: seriesOf('', 'AGGREGATION_TYPE_UNIQUE_USERS') },
    ],
    [
      'of countries by an average',
      { type: 'INSIGHT_TYPE_MAP', scope: seriesOf('a', 'AGGREGATION_TYPE_AVG', 'price') },
    ],
    ['of averages', { events: [seriesOf('a', 'AGGREGATION_TYPE_AVG', 'price')], breakdowns: ['plan'] }],
    ['of counts beside sums', { events: [views, seriesOf('purchase', 'AGGREGATION_TYPE_SUM', 'price')] }],
    [
      'of sums of different properties',
      {
        events: [
          seriesOf('a', 'AGGREGATION_TYPE_SUM', 'price'),
          seriesOf('b', 'AGGREGATION_TYPE_SUM', 'weight'),
        ],
      },
    ],
    ['of all events beside some', { events: [newSeries(), sales] }],
    ['of a kind beside itself', { events: [sales, sales] }],
    [
      'of rates of sessions',
      {
        measure: 'sessions',
        sessionMetric: 'SESSION_METRIC_BOUNCE_RATE',
        breakdowns: ['plan'],
      },
    ],
    ['of retention', { type: 'INSIGHT_TYPE_RETENTION', events: [views, sales], breakdowns: ['plan'] }],
  ])('%s', (_name, part) => {
    const draft = draftWith(part)
    expect(viewsOf(draft)).not.toContain('pie')
    expect(chooseView(viewsOf(draft), 'pie')).toBe(viewsOf(draft)[0])
  })
})

test('who may not see the kinds of a question goes by those of its answer', () => {
  const question = draftWith({ events: [newSeries(), newSeries()] })
  expect(arePartsOfWhole(question)).toBe(false)
  expect(arePartsOfWhole(question, ['page_view', 'purchase'])).toBe(true)
  expect(arePartsOfWhole(question, ['', 'purchase'])).toBe(false)
})
