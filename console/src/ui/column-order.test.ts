import { expect, test } from 'vitest'
import { moveColumn, toggleColumn } from './column-order.ts'

const COLUMNS = ['events', '.plan']

test('a column is added at the end and removed, up to a limit', () => {
  expect(toggleColumn(['events'], { key: '.plan', columnsMax: 2 })).toEqual(COLUMNS)
  expect(toggleColumn(COLUMNS, { key: 'events', columnsMax: 2 })).toEqual(['.plan'])
  expect(toggleColumn(COLUMNS, { key: 'sessions', columnsMax: 2 })).toEqual(COLUMNS)
})

test.each([
  [{ from: 0, to: 1 }, ['.plan', 'events']],
  [{ from: 1, to: 0 }, ['.plan', 'events']],
  [{ from: 0, to: -1 }, COLUMNS],
  [{ from: 1, to: 2 }, COLUMNS],
  [{ from: 2, to: 0 }, COLUMNS],
])('columns move by %j', (move, moved) => {
  expect(moveColumn(COLUMNS, move)).toEqual(moved)
})
