import { expect, test } from 'vitest'
import { mayBeUnfinishedRequestLine } from './request-line.ts'

const LINE = 'POST /sdk.events.v1.EventsService/BatchCreate?api_key=pub_x HTTP/1.1\r\n'

test('every cut of a request line leaves an unfinished one', () => {
  const cuts = Array.from({ length: LINE.length - 1 }, (_, index) => LINE.slice(0, index + 1))
  expect(cuts.filter((text) => !mayBeUnfinishedRequestLine(Buffer.from(text)))).toEqual([])
})

test.each([
  LINE,
  `${LINE}host: localhost\r\n`,
  '{"events":[]}',
  'AAAAAAA=',
  'POST /x HTTP/2',
  'POST x',
  'post /x',
  '',
  `GET /${'x'.repeat(9000)}`,
])('%j is none', (text) => {
  expect(mayBeUnfinishedRequestLine(Buffer.from(text))).toBe(false)
})
