import { expect, test } from 'vitest'
import { type StatementValue, writeStatementValue } from './statement-values.ts'

const VALUES: readonly (readonly [written: string, StatementValue])[] = [
  ['text', 'text'],
  ['', ''],
  ["it\\'s", "it's"],
  ['a\\\\b\\tc\\nd\\re', 'a\\b\tc\nd\re'],
  ['-1.5', -1.5],
  ['9007199254740992', 2 ** 53],
  ['nan', Number.NaN],
  ['+inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['18446744073709551615', 18_446_744_073_709_551_615n],
  ['1', true],
  ['0', false],
  ['[]', []],
  ['[true,false]', [true, false]],
  ['[1,2]', [1, 2n]],
  ["[['it\\'s'],['b\\n','']]", [["it's"], ['b\n', '']]],
]

test.each(VALUES)('a value is written as %s', (written, value) => {
  expect(writeStatementValue(value)).toBe(written)
})
