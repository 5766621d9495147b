import { afterAll, expect, test, vi } from 'vitest'

vi.stubGlobal('document', { cookie: '' })
afterAll(() => vi.unstubAllGlobals())

test.each([
  ['the first row when no row has focus', -1, 1, 0],
  ['the next row', 0, 1, 1],
  ['the previous row', 2, -1, 1],
  ['the last row from itself', 2, 1, 2],
  ['the first row from itself', 0, -1, 0],
] as const)('leads to %s', async (_, current, by, next) => {
  const { nextRow } = await import('./row-keys.ts')
  expect(nextRow(current, 3, by)).toBe(next)
})
