import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AnswerFraming } from './answer-framing.ts'

const OK = 'HTTP/1.1 200 OK\r\n'
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

const ANSWERS = [
  `${OK}content-type: text/plain\r\nContent-Length: 5\r\n\r\nhello`,
  `${OK}Content-Length: 0\r\n\r\n`,
  'HTTP/1.1 204 No Content\r\nvary: Origin\r\n\r\n',
  'HTTP/1.1 304 Not Modified\r\netag: x\r\n\r\n',
  `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA\r\n\r\n\r\n\r\n\r\n\r\n\r\n0\r\n\r\n`,
]

test('answers are counted when their last byte is in, wherever they are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...ANSWERS)), fc.array(fc.nat(500)), (answers, cuts) => {
      const all = answers.join('')
      const ends = answers.map((_, index) => answers.slice(0, index + 1).join('').length)
      const places = [...cuts.filter((cut) => cut < all.length).sort((a, b) => a - b), all.length]
      const framing = new AnswerFraming()
      const counts = places.map((to, index) => {
        framing.push(bytes(all.slice(places[index - 1] ?? 0, to)))
        return framing.count
      })
      expect(counts).toEqual(places.map((place) => ends.filter((end) => end <= place).length))
    }),
  )
})

test.each([
  ['a length and chunks', `${OK}\r\nHTTP/1.1 204 No Content\r\n\r\n`],
  ['the size of a chunk', `${OK}transfer-encoding: chunked\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n`],
])('after an answer without %s none is counted', (_, text) => {
  const framing = new AnswerFraming()
  framing.push(bytes(text))
  framing.push(bytes(ANSWERS.join('')))
  expect(framing.count).toBe(0)
})
