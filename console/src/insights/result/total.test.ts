import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { InsightQuerySpecSchema } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { QueryResponseSchema } from '@contract/shared/insights/v1/insights_service_pb.js'
import { describe, expect, test } from 'vitest'
import { type Draft, type MeasureDraft, newDraft, newEvent, TOTAL } from '../model/draft.ts'
import { totalOf, totalsOf } from './total.ts'

const PEOPLE: MeasureDraft = { aggregation: 'AGGREGATION_TYPE_UNIQUE_USERS' }
const draftOf = (measure: MeasureDraft): Draft => ({
  ...newDraft(),
  subject: { of: 'events', series: [{ ...newEvent('a'), measure }] },
})

test('the total of one series is its value over the range', () => {
  const totals = [{ value: 3, previous: 2 }]
  expect(totalOf({ draft: draftOf(PEOPLE), totals })).toEqual({ value: 3, previous: 2 })
  expect(totalOf({ draft: draftOf(PEOPLE), totals: [{ value: undefined, previous: 2 }] })).toBeUndefined()
})

test('the values of a breakdown have a total where they are parts of a whole', () => {
  const totals = [
    { value: 3, previous: 2 },
    { value: 4, previous: undefined },
  ]
  expect(totalOf({ draft: draftOf(TOTAL), totals })).toEqual({ value: 7, previous: undefined })
  expect(totalOf({ draft: draftOf(PEOPLE), totals })).toBeUndefined()
})

describe('several events', () => {
  const several = (...kinds: readonly string[]): Draft => ({
    ...newDraft(),
    subject: { of: 'events', series: kinds.map((kind) => ({ ...newEvent(kind), measure: TOTAL })) },
  })
  const answered = (
    kinds: readonly string[],
    more: MessageInitShape<typeof InsightQuerySpecSchema> = {},
  ) => ({
    draft: several(...kinds),
    spec: create(InsightQuerySpecSchema, { events: kinds.map((kind) => ({ event: { kind } })), ...more }),
    totals: kinds.map((_, at) => ({ value: at + 1, previous: undefined })),
    result: create(QueryResponseSchema, {
      result: { case: 'trends', value: { series: kinds.map((kind) => ({ eventKind: kind })) } },
    }).result,
  })

  test('have a number each and no sum', () => {
    const two = answered(['sale', 'signup'])
    expect(totalOf(two)).toBeUndefined()
    expect(totalsOf(two)).toEqual([
      { label: 'sale', value: 1, previous: undefined },
      { label: 'signup', value: 2, previous: undefined },
    ])
  })

  test('leave their numbers to the table where they are many or broken down', () => {
    expect(totalsOf(answered(['a', 'b', 'c', 'd', 'e', 'f', 'g']))).toEqual([])
    expect(totalsOf(answered(['a', 'b'], { breakdowns: [{ property: 'plan' }] }))).toEqual([])
  })

  test('have no number above the chart where only a formula uses them', () => {
    const two = answered(['a', 'b'])
    const result = create(QueryResponseSchema, {
      result: {
        case: 'trends',
        value: { series: [{ eventKind: 'a' }, { eventKind: 'b' }, { formula: 'A / B', label: 'rate' }] },
      },
    }).result
    const totals = [...two.totals, { value: 0.5, previous: undefined }]
    expect(totalsOf({ ...two, result, totals })).toEqual([{ label: 'rate', value: 0.5, previous: undefined }])
  })
})
