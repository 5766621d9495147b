import { describe, expect, test } from 'vitest'
import { checkRegularExpression } from './regular-expression.ts'

test.each([
  ['/users/[0-9]+', 0],
  ['^/(en|de)/', 1],
  ['(?P<lang>[a-z]{2})(?:-[A-Z]{2})?', 1],
  ['(?i)a|b|', 0],
  ['(?i-s:x)', 0],
  ['(?<lang>[a-z]{2})', 1],
  ['()', 1],
  ['(a)(b(c))', 3],
  ['a*?b+?c??d{2,}?', 0],
  ['a{,3}', 0],
  ['a{01}', 0],
  ['{', 0],
  ['x{0}', 0],
  ['(?:a{10}){100}', 0],
  ['[]a]', 0],
  ['[^]a]', 0],
  ['[a-c-e\\d-]', 0],
  ['[[:alpha:][:^digit:]]', 0],
  ['[[:]', 0],
  ['[\\]\\-\\x41-\\x{5a}]', 0],
  ['\\pL\\P{Greek}\\p{^Lu}', 0],
  ['\\bx\\B\\Ay\\z\\.\\/\\-\\07\\12\\x{10FFFF}', 0],
  ['\\Q(a*\\E+', 0],
  ['\\Q(', 0],
  ['^*$', 0],
  ['ü\u{1f600}+', 0],
])('RE2 has %j, with %i groups', (pattern, groups) => {
  expect(checkRegularExpression(pattern)).toMatchObject({ groups })
})

test.each([
  ['(', 'lacks a ) at position 2'],
  ['a)', 'has a ) without a ( at position 2'],
  ['*a', 'has nothing to repeat at position 1'],
  ['\\Q\\E*', 'has nothing to repeat at position 5'],
  ['a|+', 'has nothing to repeat at position 3'],
  ['(?i)*', 'has nothing to repeat at position 5'],
  ['{2}', 'has nothing to repeat at position 1'],
  ['a**', 'repeats a repetition at position 3'],
  ['a*??', 'repeats a repetition at position 4'],
  ['a{2}{3}', 'repeats a repetition at position 5'],
  ['\u{1f600}++', 'repeats a repetition at position 3'],
  ['a{1001}', 'repeats too often at position 2'],
  ['a{99999999999}', 'repeats too often at position 2'],
  ['(?:a{11}){100}', 'repeats too often at position 15'],
  ['a{3,2}', 'has a repetition with its bounds in the wrong order at position 2'],
  ['(?:\\PL{100}){10}', 'is too large'],
  ['[^\\pL]{1000}', 'is too large'],
  [`[${'àâäéèêëîïôœùûüÿ'.repeat(4)}]{1000}`, 'is too large'],
  [`(?:${'k'.repeat(400)}){60}`, 'is too large'],
  ['[', 'has a [ without a valid class at position 1'],
  ['[]', 'has a [ without a valid class at position 1'],
  ['[b-a]', 'has a [ without a valid class at position 1'],
  ['[a-\\d]', 'has a [ without a valid class at position 1'],
  ['[\\b]', 'has a [ without a valid class at position 1'],
  ['[[:letter:]]', 'has a [ without a valid class at position 1'],
  ['(?=a)', 'has an unsupported group at position 1'],
  ['(?<!a)', 'has an unsupported group at position 1'],
  ['(?>a)', 'has an unsupported group at position 1'],
  ['(?x)', 'has an unsupported group at position 1'],
  ['(?P<a>x)(?P<a>y)', 'names two groups a at position 9'],
  ['(a)\\1', 'has an unsupported escape at position 4'],
  ['\\8', 'has an unsupported escape at position 1'],
  ['\\C', 'has an unsupported escape at position 1'],
  ['\\Z', 'has an unsupported escape at position 1'],
  ['\\p{Klingon}', 'has an unsupported escape at position 1'],
  ['\\p{Cyrl}', 'has an unsupported escape at position 1'],
  ['\\x{110000}', 'has an unsupported escape at position 1'],
  ['\\ü', 'has an unsupported escape at position 1'],
  ['a\\', 'has an unsupported escape at position 2'],
])('RE2 does not have %j', (pattern, problem) => {
  expect(checkRegularExpression(pattern)).toEqual({ problem })
})

test.each(['', 'x*', 'a?', 'a{0,2}', 'a|', '(a*)(b*)', '^', '$', '\\b', '\\B', '^$|a', '(?:a|b?)+', '(?i)'])(
  'an empty text matches %j',
  (pattern) => {
    expect(checkRegularExpression(pattern)).toMatchObject({ matchesEmpty: true })
  },
)

test.each(['a', 'a+', 'a{1,2}', '^a', 'b*a', '(a|b)', '[$]', '\\$', '\\^', '\\Qa*\\E', '.', '(?i)a', '\\pL'])(
  'no empty text matches %j',
  (pattern) => {
    expect(checkRegularExpression(pattern)).toMatchObject({ matchesEmpty: false })
  },
)

describe('the limits', () => {
  test('of nested groups', () => {
    const nested = (depth: number): string => '('.repeat(depth) + ')'.repeat(depth)
    expect(checkRegularExpression(nested(50))).toMatchObject({ groups: 50 })
    expect(checkRegularExpression(nested(51))).toEqual({
      problem: 'has more than 50 nested groups at position 52',
    })
  })
})
