import { expect, test } from 'vitest'
import { type Draft, type MeasureDraft, newDraft, newEvent, TOTAL } from '../model/draft.ts'
import { totalOf } from './total.ts'

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

test('several series have a total where they are parts of a whole', () => {
  const totals = [
    { value: 3, previous: 2 },
    { value: 4, previous: undefined },
  ]
  expect(totalOf({ draft: draftOf(TOTAL), totals })).toEqual({ value: 7, previous: undefined })
  expect(totalOf({ draft: draftOf(PEOPLE), totals })).toBeUndefined()
})
