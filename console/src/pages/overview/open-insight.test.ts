import { expect, test } from 'vitest'
import { readQuery } from '../../insights/query-address.ts'
import { insightOfDimension, insightOfMetric } from './open-insight.ts'

const PLACE = {
  projectId: '7',
  days: { from: '2026-11-01', to: '2026-11-22' },
  interval: 'day',
  cohorts: [],
} as const

const readBack = (address: string | undefined) => {
  const url = new URL(address ?? '', 'http://localhost')
  const { spec, period, granularity } = readQuery(url.searchParams)
  return { path: url.pathname, spec: JSON.parse(spec ?? 'null'), period, granularity }
}

test('a measure of visits opens as the trend of sessions', () => {
  expect(readBack(insightOfMetric('bounce', PLACE))).toEqual({
    path: '/p/7/insights',
    spec: {
      insightType: 'INSIGHT_TYPE_TRENDS',
      session: { metric: 'SESSION_METRIC_BOUNCE_RATE' },
      excludeBots: true,
    },
    period: PLACE.days,
    granularity: 'GRANULARITY_DAY',
  })
})

test('an attribute of visits opens as sessions by it, an entry page by the first page view', () => {
  expect(readBack(insightOfDimension('channel', PLACE)).spec).toMatchObject({
    session: { metric: 'SESSION_METRIC_SESSIONS' },
    breakdowns: [{ property: '$channel' }],
  })
  expect(readBack(insightOfDimension('entry', PLACE)).spec).toMatchObject({
    session: { metric: 'SESSION_METRIC_ENTRY', scope: { kind: 'page_view' } },
    breakdowns: [{ property: '$pathname' }],
  })
})

test('measures that no insight computes in the same way are not offered', () => {
  expect([insightOfMetric('visitors', PLACE), insightOfMetric('per-visit', PLACE)]).toEqual([
    undefined,
    undefined,
  ])
  expect([insightOfDimension('page', PLACE), insightOfDimension('event', PLACE)]).toEqual([
    undefined,
    undefined,
  ])
})

test('an insight has the cohorts of the page', () => {
  const cohorts = [{ cohortId: 'c1', negate: true }]
  expect(readBack(insightOfMetric('visits', { ...PLACE, cohorts })).spec).toMatchObject({ cohorts })
})
