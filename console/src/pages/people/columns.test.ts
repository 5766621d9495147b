import { describe, expect, test } from 'vitest'
import {
  COLUMNS_MAX,
  type ColumnChoice,
  columnsOf,
  DEFAULT_COLUMNS,
  readColumns,
  writeColumns,
} from './columns.ts'
import { DEFAULT_SORTING, orderOf, readSorting, writeSorting } from './list-state.ts'

const EVENTS: ColumnChoice = { kind: 'fixed', name: 'events' }
const PLAN: ColumnChoice = { kind: 'property', name: 'plan; Ä' }

describe('the columns of people', () => {
  test('are kept in a word', () => {
    const word = writeColumns([EVENTS, PLAN])
    expect(word).toMatch(/^[^;\s]+$/)
    expect(readColumns(word)).toEqual([EVENTS, PLAN])
  })

  test.each(['', 'x', '%', '7', '[]', '["unknown"]', '[7]'])('are the default ones for %j', (text) => {
    expect(readColumns(text)).toEqual(DEFAULT_COLUMNS)
  })

  test('are at most as many as fit', () => {
    const keys = Array.from({ length: COLUMNS_MAX + 1 }, (_, at) => `.p${at}`)
    expect(columnsOf(keys)).toHaveLength(COLUMNS_MAX)
  })
})

test.each([
  ['name', { key: 'name', direction: 'ascending' }, false],
  ['-name', { key: 'name', direction: 'descending' }, true],
  ['last-seen', { key: 'last-seen', direction: 'ascending' }, true],
  ['', DEFAULT_SORTING, false],
] as const)('the order %j of an address is %j', (text, sorting, isReversed) => {
  expect(readSorting(text)).toEqual(sorting)
  expect(writeSorting(sorting)).toBe(text)
  expect(orderOf(sorting).isReversed).toBe(isReversed)
})

test.each([null, 'events', 'toString'])('the order %j is unknown, so it is the default', (text) => {
  expect(readSorting(text)).toEqual(DEFAULT_SORTING)
})
