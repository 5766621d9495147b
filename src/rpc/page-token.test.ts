import { expect, test } from 'vitest'
import { decodePageToken, encodePageToken, invalidPageToken } from './page-token.ts'

test.each([[[]], [[1, 'a']], [['', 'ünï-\u{1f600}', 'a\u0000b', Number.MAX_SAFE_INTEGER]]])(
  'a token round-trips %j',
  (values) => {
    const token = encodePageToken(values)
    expect(token).toMatch(/^[A-Za-z0-9_-]+$/)
    expect(decodePageToken(token)).toEqual(values)
  },
)

test.each([
  '',
  'x',
  '!',
  Buffer.from('{"0":1}').toString('base64url'),
  Buffer.from('7').toString('base64url'),
])('the text %j contains no values', (text) => {
  expect(decodePageToken(text)).toEqual([])
})

test('the error names the field', () => {
  expect(invalidPageToken()).toMatchObject({
    code: 'invalid_argument',
    reason: 'INVALID_PAGE_TOKEN',
    violations: [{ field: 'pageToken' }],
  })
})
