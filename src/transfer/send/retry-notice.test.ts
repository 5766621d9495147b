import { expect, test } from 'vitest'
import { createRetryNotice } from './retry-notice.ts'

function record(isTTY: boolean) {
  const written: string[] = []
  const time = { ms: 0 }
  const notice = createRetryNotice({ isTTY, write: (text) => written.push(text) }, () => time.ms)
  return { written, time, notice }
}

test('the first cause is told at once, and later ones after ten seconds', () => {
  const { written, time, notice } = record(false)
  notice('connect ECONNREFUSED')
  time.ms = 9999
  notice('connect ECONNREFUSED')
  time.ms = 10_000
  notice('the journal is full')
  expect(written).toEqual(['connect ECONNREFUSED; trying again\n', 'the journal is full; trying again\n'])
})

test('on a terminal it takes the place of the progress', () => {
  const { written, notice } = record(true)
  notice('connect ECONNREFUSED')
  expect(written).toEqual(['\r\u001b[Kconnect ECONNREFUSED; trying again\n'])
})
