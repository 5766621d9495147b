import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/harness/profile.ts'
import { SourceText } from '../../encode/source-text.ts'
import { QueryReader } from './query-parameters.ts'

const NAMES = ['utm_source', 'utm_medium', 'gclid']
const reader = new QueryReader(NAMES)

/** The decoded values, with a text behind the query that must not matter. */
function read(query: string): readonly (string | undefined)[] {
  const source = new SourceText(1024)
  const start = source.tail
  const end = start + source.add(query)
  source.add('&utm_source=other')
  const isFound = reader.read(source, start, end)
  const { starts, lengths } = reader
  const values = NAMES.map((_, at) => source.text(starts[at] ?? 0, lengths[at] ?? 0) || undefined)
  expect(isFound).toBe(values.some((value) => value !== undefined))
  return values
}

test.each([
  ['utm_source=a', ['a', undefined, undefined]],
  ['x=1&utm_medium=b&gclid=c&y', [undefined, 'b', 'c']],
  ['utm_source=first&utm_source=second', ['first', undefined, undefined]],
  ['utm_source=&utm_source=second', ['second', undefined, undefined]],
  ['utm_source=spring+sale%20%26%20more', ['spring sale & more', undefined, undefined]],
  ['utm%5Fsource=a', ['a', undefined, undefined]],
  ['%75tm_source=a', ['a', undefined, undefined]],
  ['utm_source=S%C3%A3o', ['São', undefined, undefined]],
  ['utm_source=%E3', ['\ufffd', undefined, undefined]],
  ['utm_source=100%', ['100%', undefined, undefined]],
  ['utm_source=a=b', ['a=b', undefined, undefined]],
  ['utm_source', undefined],
  ['utm_source=', undefined],
  ['UTM_SOURCE=a', undefined],
  ['xutm_source=a', undefined],
  ['utm_sourc=a', undefined],
  ['', undefined],
  ['&&&', undefined],
  ['utm_source%2', undefined],
  ['%25utm_source=a&utm%255Fsource=b', undefined],
])('%j', (query, values) => {
  expect(read(query)).toEqual(values ?? NAMES.map(() => undefined))
})

test('the values are those of URLSearchParams', () => {
  const piece = fc.constantFrom(
    '&',
    '=',
    '+',
    '%',
    '%20',
    '%C3%A3',
    '%E3',
    '%EF%BB%BF',
    '%zz',
    'utm_source',
    'utm_medium=',
    'gclid=',
    'u',
    'ä',
    'x=y',
    '%75tm_source=',
  )
  const query = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(query, (text) => {
      const parameters = new URLSearchParams(text)
      const expected = NAMES.map((name) => parameters.getAll(name).find((value) => value !== ''))
      expect(read(text)).toEqual(expected)
    }),
    { numRuns: propertyRuns(10_000) },
  )
})
