import { expect, test } from 'vitest'
import { Granularity, InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { ReferenceWorld } from './model.ts'
import { answerSample, january, type RequestSample, resultOf, sampleProfile, sampleWorld } from './sample.ts'

const RANGE: RequestSample = { from: january(5, '00:00'), to: january(8, '00:00') }

/** Each series as its points: `exactly/at least`. */
function series(world: ReferenceWorld, kinds: readonly string[], sample = RANGE): readonly string[] {
  const spec = { insightType: InsightType.STICKINESS, events: kinds.map((kind) => ({ event: { kind } })) }
  return resultOf(answerSample(world, spec, sample), 'stickiness').series.map(
    ({ eventKind, points }) =>
      `${eventKind}: ${points.map(({ users, cumulative }) => `${users}/${cumulative}`).join(' ')}`,
  )
}

const WORLD = sampleWorld(
  [
    { at: january(5), by: 'anna' },
    { at: january(5, '13:00'), by: 'anon' },
    { at: january(6), by: 'anna' },
    { at: january(7), by: 'anna' },
    { at: january(5), by: 'bob' },
    { at: january(7, '23:59'), by: 'bob' },
    { at: january(8, '00:00'), by: 'bob' },
    { at: january(6), by: 'bob', kind: 'buy' },
    { at: january(6), by: 'carl' },
    { at: january(6), by: 'cookieless-x' },
  ],
  [sampleProfile('anna', { anonymousIds: ['anon'] })],
)

test('users count by the number of buckets in which they were active', () => {
  expect(series(WORLD, ['view'])).toEqual(['view: 1/3 1/2 1/1'])
})

test('each event has a series of its own', () => {
  expect(series(WORLD, ['buy', '', 'none'])).toEqual([
    'buy: 1/1 0/0 0/0',
    ': 1/3 0/2 2/2',
    'none: 0/0 0/0 0/0',
  ])
})

test('a bucket that the range cuts is a bucket', () => {
  const cut = { from: january(5, '12:30'), to: january(6, '00:01') }
  expect(series(WORLD, ['view'], cut)).toEqual(['view: 1/1 0/0'])
})

test('buckets may have any width', () => {
  const hours = { from: january(5, '12:00'), to: january(5, '14:00'), granularity: Granularity.HOUR }
  expect(series(WORLD, ['view'], hours)).toEqual(['view: 1/2 1/1'])
  expect(series(WORLD, ['view'], { ...RANGE, granularity: Granularity.MONTH })).toEqual(['view: 3/3'])
})
