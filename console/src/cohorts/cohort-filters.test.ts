import { expect, test } from 'vitest'
import { readCohortFilters, writeCohortFilters } from './cohort-filters.ts'
import { decodeCohortFilters, encodeCohortFilters } from './encode-filters.ts'

const FILTERS = [
  { cohortId: 'a', negate: false },
  { cohortId: 'b', negate: true },
]

test('an address keeps the filters', () => {
  expect(writeCohortFilters(FILTERS)).toBe('a,!b')
  expect(readCohortFilters('a,!b')).toEqual(FILTERS)
  expect(writeCohortFilters([])).toBe('')
})

test.each([null, '', ',', '!', '!,'])('the address %j has no filters', (text) => {
  expect(readCohortFilters(text)).toEqual([])
})

test('a spec keeps the filters', () => {
  expect(encodeCohortFilters(FILTERS)).toEqual([{ cohortId: 'a' }, { cohortId: 'b', negate: true }])
  expect(decodeCohortFilters(encodeCohortFilters(FILTERS))).toEqual(FILTERS)
  expect(decodeCohortFilters(undefined)).toEqual([])
})
