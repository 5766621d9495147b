import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FrontHead } from './passed-head.ts'
import { RequestFraming } from './request-framing.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const requestOf = (length: string, fields = 'x-api-key: k'): string =>
  `POST /x?y HTTP/1.1\r\nhost: h\r\nContent-Length:${length}\r\n${fields}\r\n\r\n`

/** What a connection makes of some bytes after the requests before them. */
function read(text: string, before: readonly string[]): object {
  const framing = new RequestFraming()
  for (const request of before) framing.push(bytes(request))
  const headsBefore = framing.headCount
  const passed = framing.push(bytes(text)).toString('latin1')
  const { malformed, isBetweenRequests, isInHead, headCount, lastHead } = framing
  const outcome = { passed, malformed, isBetweenRequests, isInHead, heads: headCount - headsBefore }
  if (outcome.heads === 0 || !lastHead) return outcome
  const head = new FrontHead(lastHead, '192.0.2.7')
  const { method, path, query, isLast } = head
  const fields = ['host', 'x-api-key', 'a', 'connection'].map((name) => head.header(name))
  return { ...outcome, bodyBytes: lastHead.bodyBytes, method, path, query, isLast, fields }
}

const FIRST = requestOf(' 5')

test.each([
  requestOf(' 5'),
  requestOf(' 0'),
  requestOf(' 12345'),
  requestOf(' 0005'),
  requestOf(' 123456789012345'),
  requestOf(' 1234567890123456'),
  requestOf(' '),
  requestOf(' 5x'),
  requestOf(' -5'),
  requestOf(' 5 5'),
  requestOf('5'),
  requestOf(' 5 '),
  requestOf(' 5', 'x-api-key: K'),
  requestOf(' 5', 'x-api-key: k\r\ncontent-length: 5'),
  requestOf(' 5', 'x-api-key: k\r\ntransfer-encoding: chunked'),
  requestOf(' 5', 'x-api-key: k\r\n'),
  FIRST.slice(0, -1),
  FIRST.slice(0, 40),
  FIRST.replace('POST', 'HEAD'),
  FIRST.replace('1.1', '1.0'),
  FIRST.replace('/x', 'http://o/x'),
])('after a request, %j is read as on a new connection', (head) => {
  expect(read(head, [`${FIRST}hello`])).toEqual(read(head, []))
})

test('a head with any change is read as on a new connection', () => {
  const fields = fc.subarray(['x-api-key: k', 'a: \xfc', 'content-length: 3', 'connection: close', 'x'])
  const change = fc.record({
    at: fc.nat(120),
    removed: fc.nat(3),
    added: fc.constantFrom('', '0', '12', ' ', '\r\n', '\n', ':', 'z', '\xff'),
  })
  fc.assert(
    fc.property(fields, fc.array(change, { maxLength: 3 }), (lines, changes) => {
      const first = requestOf(' 5', ['a: b', ...lines].join('\r\n'))
      fc.pre(isWhole(`${first}hello`))
      const changed = changes.reduce(
        (head, { at, removed, added }) => head.slice(0, at) + added + head.slice(at + removed),
        first,
      )
      expect(read(changed, [`${first}hello`])).toEqual(read(changed, []))
    }),
    { numRuns: 500 },
  )
})

test('a repeated head refers to the one that was read', () => {
  const framing = new RequestFraming()
  framing.push(bytes(`${FIRST}hello`))
  const first = framing.lastHead
  framing.push(bytes(requestOf(' 11')))
  expect(framing.lastHead).toMatchObject({ repeats: first, bodyBytes: 11 })
})

function isWhole(request: string): boolean {
  const framing = new RequestFraming()
  framing.push(bytes(request))
  return framing.headCount === 1 && framing.isBetweenRequests && framing.malformed === undefined
}
