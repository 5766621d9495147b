import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseLists, patternsPath } from './pattern-list.ts'

test('the patterns are those that a parser of YAML reads', () => {
  const text = readFileSync(patternsPath(), 'utf8')
  const lists = parseLists(text)
  expect(lists).toEqual(parse(text))
  expect(Object.values(lists).map(({ length }) => length > 100)).toEqual([true, true, true])
})

test('a quote in a text is doubled', () => {
  expect(parseLists("os_parsers:\n  - regex: 'Bob''s'\n    os_replacement: '$1'\n")).toEqual({
    os_parsers: [{ regex: "Bob's", os_replacement: '$1' }],
  })
})

test.each([
  'os_parsers: []',
  "    regex: 'a'",
  "os_parsers:\n    regex: 'a'",
  'os_parsers:\n  - regex: a',
  "os_parsers:\n  - regex: 'a'b'",
  "os_parsers:\n  - {regex: 'a'}",
])('another form is refused: %j', (text) => {
  expect(() => parseLists(text)).toThrow('unknown form')
})
