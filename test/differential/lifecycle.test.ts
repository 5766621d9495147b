import { expect, test } from 'vitest'
import { LifecycleState } from '../../src/contract/gen/millrace/insights/v1/lifecycle_pb.js'
import { Granularity, InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { ReferenceWorld } from './model.ts'
import { answerSample, january, type RequestSample, resultOf, sampleProfile, sampleWorld } from './sample.ts'

/** Users by state, bucket by bucket: `NEW 1 0 0`. */
function states(
  world: ReferenceWorld,
  sample: RequestSample = { from: january(5, '00:00'), to: january(8, '00:00') },
  spec: { readonly includeCookieless?: boolean } = {},
): readonly string[] {
  const answer = answerSample(
    world,
    { insightType: InsightType.LIFECYCLE, events: [{ event: { kind: 'view' } }], ...spec },
    sample,
  )
  return resultOf(answer, 'lifecycle').series.map(
    ({ state, points }) => `${LifecycleState[state]} ${points.map(({ value }) => value).join(' ')}`,
  )
}

test('each state has a point for each bucket', () => {
  const world = sampleWorld([
    // Anna is new, returns, and is dormant; Bob comes back after a pause; Carl was there the day before.
    { at: january(5), by: 'anna' },
    { at: january(6), by: 'anna' },
    { at: january(2), by: 'bob' },
    { at: january(6), by: 'bob' },
    { at: january(4), by: 'carl' },
  ])
  expect(states(world)).toEqual(['NEW 1 0 0', 'RETURNING 0 1 0', 'RESURRECTED 0 1 0', 'DORMANT 1 0 2'])
})

test('only matching events count as the first', () => {
  const world = sampleWorld([{ at: january(2), kind: 'buy' }, { at: january(5) }])
  expect(states(world)[0]).toBe('NEW 1 0 0')
})

test('a user is one under all ids', () => {
  const profiles = [sampleProfile('anna', { anonymousIds: ['anon'] })]
  const world = sampleWorld([{ at: january(4), by: 'anon' }, { at: january(5) }], profiles)
  expect(states(world)).toEqual(['NEW 0 0 0', 'RETURNING 1 0 0', 'RESURRECTED 0 0 0', 'DORMANT 0 1 0'])
})

test('cookieless visitors are left out unless they are included', () => {
  const world = sampleWorld([{ at: january(5), by: 'cookieless-x' }])
  expect(states(world)[0]).toBe('NEW 0 0 0')
  expect(states(world, undefined, { includeCookieless: true })[0]).toBe('NEW 1 0 0')
})

test('the bucket before the first one counts whole, the first and the last one only in the range', () => {
  const world = sampleWorld([
    // The day before, early.
    { at: january(4, '00:00'), by: 'anna' },
    { at: january(5, '12:00'), by: 'anna' },
    // New on the day on which the range starts, before it starts, and again within.
    { at: january(5, '11:59'), by: 'bob' },
    { at: january(5, '12:00'), by: 'bob' },
    // New before the range starts, and active a day later only.
    { at: january(5, '11:59'), by: 'carl' },
    { at: january(6, '11:59'), by: 'carl' },
    // After the range.
    { at: january(6, '12:00'), by: 'dora' },
  ])
  expect(states(world, { from: january(5, '12:00'), to: january(6, '12:00') })).toEqual([
    'NEW 1 0',
    'RETURNING 1 0',
    'RESURRECTED 0 1',
    'DORMANT 0 2',
  ])
})

test('buckets are those of the zone', () => {
  const sample = { from: january(5, '00:00'), to: january(7, '00:00'), timezone: 'Asia/Tokyo' }
  const world = sampleWorld([{ at: january(4, '15:00') }, { at: january(5, '15:00') }])
  // The first event is of the fifth in Tokyo, before the range; the second of the sixth.
  expect(states(world, sample)).toEqual([
    'NEW 0 0 0',
    'RETURNING 0 0 0',
    'RESURRECTED 0 1 0',
    'DORMANT 0 0 1',
  ])
})

test('weeks and months have one before them too', () => {
  const world = sampleWorld([{ at: '2025-12-01T00:00:00Z' }, { at: january(5) }])
  const sample = { from: january(5, '00:00'), to: january(8, '00:00') }
  expect(states(world, { ...sample, granularity: Granularity.WEEK })[2]).toBe('RESURRECTED 1')
  expect(states(world, { ...sample, granularity: Granularity.MONTH })[1]).toBe('RETURNING 1')
})
