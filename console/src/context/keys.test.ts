import { afterAll, beforeAll, expect, test, vi } from 'vitest'

beforeAll(() => vi.stubGlobal('document', { cookie: '' }))
afterAll(() => vi.unstubAllGlobals())

test.each([
  ['a single key', { key: 'f', before: '' }, 'filter', ''],
  ['the first key of a pair', { key: 'g', before: '' }, undefined, 'g'],
  ['the second key of a pair', { key: 'o', before: 'g' }, 'overview', ''],
  ['the second key alone', { key: 'o', before: '' }, undefined, ''],
  ['a pair that does not exist, whose second key acts alone', { key: 'f', before: 'g' }, 'filter', ''],
  ['a key that a page has taken over', { key: 'n', before: '' }, 'new on this page', ''],
])('%s', async (_, pressed, label, pending) => {
  const { findBinding } = await import('./keys.ts')
  const known = [
    { keys: 'f', label: 'filter' },
    { keys: 'g o', label: 'overview' },
    { keys: 'n', label: 'new' },
    { keys: 'n', label: 'new on this page' },
  ].map((binding) => ({ ...binding, run: () => undefined }))
  const found = findBinding(known, pressed)
  expect([found.binding?.label, found.pending]).toEqual([label, pending])
})
