import { create } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { InsightQuerySpecSchema } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { withMergedKinds } from './merged-kinds.ts'
import { kindsOfMatch, parseEventFilter } from './parse-filters.ts'

const MERGED = new Map([['signup', ['sign_up', 'Sign-Up']]])
const CONTEXT = { field: 'event', reason: 'INVALID_INSIGHT_QUERY' } as const

test('every event filter of a message gets the kinds that count as its own', () => {
  const spec = create(InsightQuerySpecSchema, {
    events: [{ event: { kind: 'signup' } }, { event: { kind: 'sign_up' } }, { event: {} }],
    userFlow: { scope: { kind: 'signup', mergedKinds: ['register'] } },
    funnel: { exclusions: [{ event: { kind: 'signup' } }] },
  })
  const { events, userFlow, funnel } = withMergedKinds(InsightQuerySpecSchema, spec, MERGED)
  expect(events.map(({ event }) => event?.mergedKinds)).toEqual([['sign_up', 'Sign-Up'], [], []])
  expect(userFlow?.scope?.mergedKinds).toEqual(['register', 'sign_up', 'Sign-Up'])
  expect(funnel?.exclusions[0]?.event?.mergedKinds).toEqual(['sign_up', 'Sign-Up'])
  expect(spec.events[0]?.event?.mergedKinds).toEqual([])
})

test('a match has each of its kinds once', () => {
  const filter = create(InsightQuerySpecSchema, {
    events: [{ event: { kind: 'a', mergedKinds: ['b', 'a', 'b', ''] } }],
  }).events[0]?.event
  expect(kindsOfMatch(parseEventFilter(filter, CONTEXT))).toEqual(['a', 'b'])
  expect(kindsOfMatch(parseEventFilter(undefined, CONTEXT))).toBeUndefined()
})

test('merged kinds need a kind', () => {
  const filter = create(InsightQuerySpecSchema, { events: [{ event: { mergedKinds: ['b'] } }] }).events[0]
    ?.event
  expect(() => parseEventFilter(filter, CONTEXT)).toThrow('event.mergedKinds: needs a kind')
})
