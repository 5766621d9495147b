import { expect, test } from 'vitest'
import { parseTags } from './tags.ts'

test.each([
  ['', []],
  [' , ,', []],
  ['growth, Weekly review', ['growth', 'Weekly review']],
  ['a, A , a', ['a']],
  [`${'x'.repeat(60)}, b`, ['x'.repeat(50), 'b']],
])('the tags of %j are %j', (text, tags) => {
  expect(parseTags(text)).toEqual(tags)
})

test('an insight has at most 20 tags', () => {
  expect(parseTags(Array.from({ length: 30 }, (_, index) => `t${index}`).join())).toHaveLength(20)
})
