import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../test/harness/profile.ts'
import { ByteCache } from './byte-cache.ts'
import { SourceText } from './source-text.ts'

const ENTRIES_MAX = 8

test('a value is found by its key only, and no more are kept than the cache may have', () => {
  const key = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\0'), maxLength: 9 })
  fc.assert(
    fc.property(fc.array(key, { maxLength: 60 }), (keys) => {
      const cache = new ByteCache<string>(ENTRIES_MAX, 64)
      const source = new SourceText()
      for (const text of keys) {
        const start = source.tail
        const length = source.add(text)
        source.add('rest')
        const found = cache.find(source.view, start, length)
        expect(found ?? text).toBe(text)
        if (found !== undefined) continue
        cache.add(source, start, length, text)
        expect(cache.find(source.view, start, length)).toBe(text)
        expect(cache.size).toBeLessThanOrEqual(ENTRIES_MAX)
      }
    }),
    { numRuns: propertyRuns(500) },
  )
})

test('a key that is too long is not kept', () => {
  const cache = new ByteCache<string>(ENTRIES_MAX, 4096)
  const source = new SourceText()
  const start = source.tail
  const length = source.add('x'.repeat(513))
  expect(cache.find(source.view, start, length)).toBeUndefined()
  cache.add(source, start, length, 'long')
  expect(cache.find(source.view, start, length)).toBeUndefined()
  expect(cache.size).toBe(0)
})
