import { expect, test } from 'vitest'
import { CODINGS, negotiateCoding, parseCoding } from './coding.ts'

test.each([
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  [' GZIP ', 'gzip'],
  ['br', 'br'],
  ...CODINGS.map((coding): [string, string] => [coding, coding]),
])('%j is the coding %s', (text, coding) => {
  expect(parseCoding(text)).toEqual({ ok: true, value: coding })
})

test.each(['deflate', 'gzip, br', 'snappy', 'x'.repeat(1000)])(
  '%j is rejected with the list of supported codings',
  (text) => {
    const result = parseCoding(text)
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'unimplemented',
        reason: 'UNSUPPORTED_ENCODING',
        message: expect.stringContaining('gzip, identity'),
      },
    })
  },
)

const BEST = CODINGS[0] ?? 'gzip'

test.each([
  ['', 'identity'],
  ['identity', 'identity'],
  ['deflate', 'identity'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['identity,gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip; q=0.2 , br ;q=0.3', 'br'],
  ['gzip;q=0', 'identity'],
  ['gzip;q=0.5, identity', 'identity'],
  ['*', BEST],
  ['*;q=0.1, gzip', 'gzip'],
  ['*, zstd;q=0, br;q=0', 'gzip'],
  ['gzip;q=nonsense', 'gzip'],
  [',,;;=', 'identity'],
])('accept %j is answered in %s', (accept, coding) => {
  expect(negotiateCoding(accept)).toBe(coding)
})
