import { describe, expect, test } from 'vitest'
import {
  COLUMNS_MAX,
  type ColumnChoice,
  DEFAULT_COLUMNS,
  moveColumn,
  readColumns,
  toggleColumn,
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

  test('are added at the end and removed, up to a limit', () => {
    expect(toggleColumn([EVENTS], PLAN)).toEqual([EVENTS, PLAN])
    expect(toggleColumn([EVENTS, PLAN], EVENTS)).toEqual([PLAN])
    const many = Array.from(
      { length: COLUMNS_MAX },
      (_, at) => ({ kind: 'property', name: `p${at}` }) as const,
    )
    expect(toggleColumn(many, PLAN)).toEqual(many)
  })

  test.each([
    [{ from: 0, to: 1 }, [PLAN, EVENTS]],
    [{ from: 1, to: 0 }, [PLAN, EVENTS]],
    [{ from: 0, to: -1 }, [EVENTS, PLAN]],
    [{ from: 1, to: 2 }, [EVENTS, PLAN]],
  ])('move by %j', (move, moved) => {
    expect(moveColumn([EVENTS, PLAN], move)).toEqual(moved)
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
