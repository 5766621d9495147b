import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import { RequestFraming } from './request-framing.ts'

const LINE = 'POST /x HTTP/1.1\r\nHost: h\r\n'
const CHUNKED = `${LINE}Transfer-Encoding: chunked\r\n\r\n`
const PROXY = '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\x01\x02\x03\x04\0\0\0\0\0\0\0\0'
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

/** The part that passes of a text that arrives in one piece. */
function pass(text: string): { readonly passed: string; readonly status: number | undefined } {
  const framing = new RequestFraming()
  const passed = framing.push(bytes(text)).toString('latin1')
  return { passed, status: framing.malformed?.status }
}

const WELL_FORMED = [
  `${LINE}\r\n`,
  `${LINE}Content-Length: 0\r\n\r\n`,
  `${LINE}content-length:5  \r\n\r\nhello`,
  `${CHUNKED}0\r\n\r\n`,
  `${CHUNKED}5\r\nhello\r\n00A\r\n0123456789\r\n0\r\n\r\n`,
  `${LINE}X-Text: a\tb \xe9\r\nx_y~!: \r\n\r\n`,
  `OPTIONS /x HTTP/1.1\r\nhost: h\r\ncookie: a=\xc3\xbc\r\n\r\n`,
]

test.each(WELL_FORMED)('%j passes as it came', (text) => {
  expect(pass(text)).toEqual({ passed: text, status: undefined })
})

test('requests pass one after the other, wherever they are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...WELL_FORMED)), fc.array(fc.nat(500)), (texts, cuts) => {
      const all = texts.join('')
      const places = [0, ...cuts.filter((cut) => cut < all.length).sort((a, b) => a - b), all.length]
      const framing = new RequestFraming()
      const passed = places.map((from, index) =>
        framing.push(bytes(all.slice(from, places[index + 1]))).toString('latin1'),
      )
      expect({ passed: passed.join(''), malformed: framing.malformed }).toEqual({
        passed: all,
        malformed: undefined,
      })
      expect(framing.headCount).toBe(texts.length)
      expect(framing.isInHead).toBe(false)
    }),
  )
})

test('a push lets 64 heads through, and the next ones the rest in order', () => {
  const requests = Array.from({ length: 150 }, (_, index) => `GET /${index} HTTP/1.1\r\nhost: h\r\n\r\n`)
  const framing = new RequestFraming()
  const passed = [framing.push(bytes(requests.join('')))]
  const counts = [framing.headCount]
  while (framing.hasMore) {
    passed.push(framing.push(Buffer.alloc(0)))
    counts.push(framing.headCount)
  }
  expect(counts).toEqual([64, 128, 150])
  expect(Buffer.concat(passed).toString('latin1')).toBe(requests.join(''))
})

test('a head passes once its last byte arrives, in any pieces', () => {
  const head = `${LINE}a: ${'x'.repeat(1000)}\r\n\r\n`
  const framing = new RequestFraming()
  const passed = [...head].map((letter) => framing.push(bytes(letter)).toString('latin1'))
  expect(passed.filter((text) => text !== '')).toEqual([head])
})

describe('a head', () => {
  test.each([
    ['a PROXY header', PROXY, 400],
    ['an empty line before it', `\r\n${LINE}\r\n`, 400],
    ['no field', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['HTTP/1.0', 'GET / HTTP/1.0\r\nhost: h\r\n\r\n', 505],
    ['a line without a version', 'GET /\r\nhost: h\r\n\r\n', 400],
    ['two spaces', 'GET  / HTTP/1.1\r\nhost: h\r\n\r\n', 400],
    ['a bare LF', 'GET / HTTP/1.1\nhost: h\r\n\r\n', 400],
    ['a bare LF between fields', `${LINE}a: b\nc: d\r\n\r\n`, 400],
    ['a bare CR', `${LINE}a: b\rc: d\r\n\r\n`, 400],
    ['a fold', `${LINE}a: b\r\n c\r\n\r\n`, 400],
    ['a space before the colon', `${LINE}Content-Length : 5\r\n\r\nhello`, 400],
    ['a field without a name', `${LINE}: x\r\nTransfer-Encoding: chunked\r\n\r\n`, 400],
    ['a NUL', `${LINE}a: \0\r\n\r\n`, 400],
    ['a head that is too long', `${LINE}a: ${'x'.repeat(LIMITS.readHeadBytesMax)}\r\n\r\n`, 431],
    ['a head that is too long, and has no end', `${LINE}a: ${'x'.repeat(LIMITS.readHeadBytesMax)}`, 431],
    ['CONNECT', 'CONNECT h:22 HTTP/1.1\r\nhost: h\r\n\r\n', 501],
    ['an authority as its target', 'GET h:22 HTTP/1.1\r\nhost: h\r\n\r\n', 400],
    ['a star as the target of GET', 'GET * HTTP/1.1\r\nhost: h\r\n\r\n', 400],
    ['a URL of another scheme', 'GET ftp://h/ HTTP/1.1\r\nhost: h\r\n\r\n', 400],
    ['a URL without an authority', 'GET http:///x HTTP/1.1\r\nhost: h\r\n\r\n', 400],
    ['a URL with a user', 'GET http://a:b@h/ HTTP/1.1\r\nhost: h\r\n\r\n', 400],
    ['a URL and no Host', 'GET http://h/ HTTP/1.1\r\na: b\r\n\r\n', 400],
    ['a no-break space before a project id', `${LINE}X-Project-Id: \xc2\xa01\r\n\r\n`, 400],
    ['a byte above 127 behind a key', `${LINE}x-api-key: prv_a\xa0\r\n\r\n`, 400],
    ['a byte above 127 before a token', `${LINE}AUTHORIZATION: \xa0Bearer a\r\n\r\n`, 400],
    ['two hosts', `${LINE}host: i\r\n\r\n`, 400],
  ])('with %s is refused', (_, text, status) => {
    expect(pass(text)).toEqual({ passed: '', status })
  })

  test.each([
    [
      'GET http://o.example:80/x?y=/ HTTP/1.1\r\nA: b\r\nHost: h',
      'GET /x?y=/ HTTP/1.1\r\nA: b\r\nhost: o.example:80',
    ],
    ['GET HTTPS://[::1]?q HTTP/1.1\r\nhost:\r\nA: b', 'GET /?q HTTP/1.1\r\nhost: [::1]\r\nA: b'],
    ['POST http://h HTTP/1.1\r\nhost: h', 'POST / HTTP/1.1\r\nhost: h'],
    ['OPTIONS * HTTP/1.1\r\nhost: h', 'OPTIONS /* HTTP/1.1\r\nhost: h'],
  ])('%j passes in origin-form, with all around it as it came', (sent, expected) => {
    const first = `${LINE}Content-Length: 2\r\n\r\n{}`
    expect(pass(`${first}${sent}\r\nContent-Length: 3\r\n\r\nabc${sent}\r\n\r\n${first}`)).toEqual({
      passed: `${first}${expected}\r\nContent-Length: 3\r\n\r\nabc${expected}\r\n\r\n${first}`,
      status: undefined,
    })
  })

  test.each([
    'Content-Length: 5\r\nContent-Length: 5',
    'Content-Length: 0\r\ncontent-length: 5',
    'Content-Length: ',
    'Content-Length: 5, 5',
    'Content-Length: +5',
    'Content-Length: 0x5',
    'Content-Length: 9999999999999999',
    'Content-Length: 5\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: chunked\r\nContent-Length: 5',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: \r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: ',
    'Transfer-Encoding: identity',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: chunked, identity',
    'Transfer-Encoding: xchunked',
    'Transfer-Encoding: "chunked"',
  ])('with %j is refused', (fields) => {
    expect(pass(`${LINE}${fields}\r\n\r\nhello`)).toEqual({ passed: '', status: 400 })
  })
})

describe('a body in chunks', () => {
  test.each([
    ['an empty size', '\r\n\r\n', ''],
    ['a size that is no number', 'zz\r\n{}\r\n0\r\n\r\n', ''],
    ['a size with a prefix', '0x5\r\nhello\r\n0\r\n\r\n', ''],
    ['a size with a sign', '+5\r\nhello\r\n0\r\n\r\n', ''],
    ['a size with a space', '5 \r\nhello\r\n0\r\n\r\n', ''],
    ['a size of nine digits', '000000005\r\nhello\r\n0\r\n\r\n', ''],
    ['an extension', '5;a=b\r\nhello\r\n0\r\n\r\n', ''],
    ['a bare LF behind the size', '5\nhello\r\n0\r\n\r\n', ''],
    ['a bare CR behind the size', '5\rhello\r\n0\r\n\r\n', ''],
    ['more than its size', '5\r\nhelloworld\r\n0\r\n\r\n', '5\r\nhello'],
    ['two other bytes at its end', '5\r\nhelloxx0\r\n\r\n', '5\r\nhello'],
    ['a bare LF at its end', '5\r\nhello\n0\r\n\r\n', '5\r\nhello'],
    ['a trailer', '5\r\nhello\r\n0\r\na: b\r\n\r\n', '5\r\nhello\r\n'],
    ['two other bytes behind the last chunk', '5\r\nhello\r\n0\r\nGE', '5\r\nhello\r\n'],
    ['a bare LF behind the last chunk', '0\r\n\n', ''],
  ])('with %s is refused before it is whole', (_, text, passed) => {
    expect(pass(`${CHUNKED}${text}`)).toEqual({ passed: `${CHUNKED}${passed}`, status: 400 })
  })

  test('is not whole before the empty line behind its last chunk', () => {
    const framing = new RequestFraming()
    const pieces = [`${CHUNKED}5\r\nhello\r\n0\r\n`, '\r', '\n']
    expect(pieces.map((piece) => framing.push(bytes(piece)).toString())).toEqual([
      `${CHUNKED}5\r\nhello\r\n`,
      '',
      '0\r\n\r\n',
    ])
    expect(framing.isBetweenRequests).toBe(true)
  })
})

test.each([PROXY, `${LINE.toLowerCase()}\0\r\n\r\n`])(
  'after a request, %j is refused as before the first',
  (text) => {
    const first = `${LINE}Content-Length: 2\r\n\r\n{}`
    expect(pass(`${first}${text}`)).toEqual({ passed: first, status: 400 })
  },
)
