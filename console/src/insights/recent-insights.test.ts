import { expect, test } from 'vitest'
import { withRecent } from './recent-insights.ts'

const at = (address: string, changedMs = 1) => ({ address, changedMs })
const addresses = (list: readonly { readonly address: string }[]): readonly string[] =>
  list.map(({ address }) => address)

test('the latest insight is the first, and replaces its older version', () => {
  const list = [at('a'), at('b'), at('c')]
  expect(addresses(withRecent(list, at('b2'), 'b'))).toEqual(['b2', 'a', 'c'])
  expect(addresses(withRecent(list, at('c'), 'unknown'))).toEqual(['c', 'a', 'b'])
})

test('the list and its entries are bounded', () => {
  const list = Array.from({ length: 50 }, (_, index) => at(String(index)))
  const longer = withRecent(list, at('new'), '')
  expect(longer.length).toBe(50)
  expect(addresses(longer).at(-1)).toBe('48')
  expect(withRecent(list, at('x'.repeat(9000)), '')).toBe(list)
})
