import { expect, test } from 'vitest'
import { compareBytewise, compareEvents, compareListsBytewise } from './bytewise.ts'
import { sampleEvents } from './sample.ts'

test('texts go by their bytes in UTF-8, so that the last planes are last', () => {
  const sorted = ['', ' ', '10', '9', 'A', 'a', 'ab', '\u00e4', '\uffee', '\u{1f600}']
  expect(sorted.toReversed().sort(compareBytewise)).toEqual(sorted)
})

test('lists go by their first difference', () => {
  const sorted = [
    ['a', 'z'],
    ['b', ''],
    ['b', 'a'],
  ]
  expect(sorted.toReversed().sort(compareListsBytewise)).toEqual(sorted)
})

test('events go by time, then by id', () => {
  const events = sampleEvents([
    { at: '10:01', id: 1 },
    { at: '10:00', id: 3 },
    { at: '10:00', id: 2 },
  ])
  const sorted = events.toSorted(compareEvents).map(({ eventId }) => Number(eventId.slice(-1)))
  expect(sorted).toEqual([2, 3, 1])
})
