import type { MessageInitShape } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import { AggregationType } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import { InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { TopKRow } from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import {
  TopKQuery_Dimension,
  type TopKQuerySchema,
} from '../../src/contract/gen/shared/insights/v1/top_k_query_pb.js'
import { answerSample, resultOf, sampleProfile, sampleWorld } from './sample.ts'

const bob = sampleProfile('bob', { anonymousIds: ['anon-bob'], traits: { tier: 'gold' } })
const world = sampleWorld(
  [
    { at: '10:00', by: 'anna', properties: { plan: 'pro', n: 1n, $country: 'DE' } },
    { at: '10:01', by: 'anna', properties: { plan: 'free', n: 5n, $country: 'DE' } },
    { at: '10:02', by: 'anon-bob', properties: { plan: 'pro', n: 3n, $country: 'FR' } },
    { at: '10:03', by: 'bob', kind: 'buy', properties: { n: 4n, $country: '' } },
    { at: '10:04', by: 'cookieless-x', kind: 'buy', properties: { plan: '$others', $country: 'IT' } },
    { at: '10:05', by: 'cookieless-x', kind: 'buy', properties: { plan: '$others' } },
  ],
  [bob],
)

function topK(
  query: MessageInitShape<typeof TopKQuerySchema>,
  { includeCookieless = false } = {},
): readonly TopKRow[] {
  const spec = { insightType: InsightType.TOP_K, topK: query, includeCookieless }
  return resultOf(answerSample(world, spec), 'topK').rows
}

/** Rows as `value number`; the others row is in brackets. */
function show(rows: readonly TopKRow[]): readonly string[] {
  return rows.map(({ dimensionValue, value, isOthers }) =>
    isOthers ? `(${dimensionValue}) ${value}` : `${dimensionValue} ${value}`,
  )
}

const byPlan = { dimension: TopKQuery_Dimension.PROPERTY, property: 'plan' }

describe('by property', () => {
  test('ties go by bytes, and the empty text is a row', () => {
    expect(show(topK(byPlan))).toEqual(['$others 2', 'pro 2', ' 1', 'free 1'])
  })

  test('others are all events outside the top rows', () => {
    expect(show(topK({ ...byPlan, limit: 1 }))).toEqual(['$others 2', '($others) 4'])
    expect(show(topK({ ...byPlan, limit: 1, omitOthers: true }))).toEqual(['$others 2'])
    expect(show(topK({ ...byPlan, limit: 4 }))).toHaveLength(4)
  })

  test('the metric of the others is recomputed', () => {
    const users = { ...byPlan, metric: AggregationType.UNIQUE_USERS, limit: 1 }
    expect(show(topK(users))).toEqual(['pro 2', '($others) 2'])
    const average = { ...byPlan, metric: AggregationType.AVG, metricProperty: 'n', limit: 1 }
    expect(show(topK(average))).toEqual(['free 5', `($others) ${8 / 3}`])
  })

  test('a value without counted users has no row', () => {
    const users = { ...byPlan, metric: AggregationType.PER_USER_AVG }
    expect(show(topK(users))).toEqual([' 1', 'free 1', 'pro 1'])
    expect(show(topK(users, { includeCookieless: true }))[0]).toBe('$others 2')
  })
})

test('by kind, within a scope', () => {
  const byKind = { dimension: TopKQuery_Dimension.EVENT_KIND }
  expect(show(topK(byKind))).toEqual(['buy 3', 'view 3'])
  expect(show(topK({ ...byKind, scope: { kind: 'buy' } }))).toEqual(['buy 3'])
})

describe('by user', () => {
  const byUser = { dimension: TopKQuery_Dimension.USER }

  test('identified users are shown by external id, with their profile', () => {
    const rows = topK(byUser)
    expect(show(rows)).toEqual(['anna 2', 'bob 2'])
    expect(rows.map(({ profile }) => profile?.id)).toEqual([undefined, 'profile-bob'])
    expect(rows[1]?.profile).toMatchObject({ externalId: 'bob', properties: { tier: 'gold' } })
  })

  test('cookieless visitors are excluded for every metric', () => {
    const sums = { ...byUser, metric: AggregationType.SUM, metricProperty: 'n', limit: 1 }
    expect(show(topK(sums))).toEqual(['bob 7', '($others) 6'])
    expect(show(topK(byUser, { includeCookieless: true }))).toEqual(['anna 2', 'bob 2', 'cookieless-x 2'])
  })
})

describe('the map', () => {
  function map(metric: AggregationType, metricProperty = ''): readonly string[] {
    const spec = { insightType: InsightType.MAP, map: { metric, metricProperty } }
    return show(resultOf(answerSample(world, spec), 'topK').rows)
  }

  test('has a row per country, without the unknown one', () => {
    expect(map(AggregationType.UNSPECIFIED)).toEqual(['DE 2', 'FR 1', 'IT 1'])
  })

  test('has numbers of every visitor', () => {
    expect(map(AggregationType.MAX, 'n')).toEqual(['DE 5', 'FR 3', 'IT 0'])
  })

  test('has no row for a country without counted users', () => {
    expect(map(AggregationType.UNIQUE_USERS)).toEqual(['DE 1', 'FR 1'])
  })

  test('has no limit and no others', () => {
    const events = Array.from({ length: 150 }, (_, index) => ({
      at: '10:00',
      properties: { $country: `C${index}` },
    }))
    const spec = { insightType: InsightType.MAP, map: {} }
    expect(resultOf(answerSample(sampleWorld(events), spec), 'topK').rows).toHaveLength(150)
  })
})
