import { expect, test } from 'vitest'
import { createRetryNotice } from './retry-notice.ts'

function record(isTTY: boolean) {
  const written: string[] = []
  const time = { ms: 0 }
  const notice = createRetryNotice({ isTTY, write: (text) => written.push(text) }, () => time.ms)
  return { written, time, notice }
}

test('the first cause is reported immediately, the next one after ten seconds', () => {
  const { written, time, notice } = record(false)
  notice('connect ECONNREFUSED')
  time.ms = 9999
  notice('connect ECONNREFUSED')
  time.ms = 10_000
  notice('the journal is full')
  expect(written).toEqual(['connect ECONNREFUSED; retrying\n', 'the journal is full; retrying\n'])
})

test('on a terminal, the notice replaces the progress line', () => {
  const { written, notice } = record(true)
  notice('connect ECONNREFUSED')
  expect(written).toEqual(['\r\u001b[Kconnect ECONNREFUSED; retrying\n'])
})
