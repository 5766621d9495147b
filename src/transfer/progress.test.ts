import { expect, test } from 'vitest'
import { Progress, type ProgressOutput } from './progress.ts'

test('a terminal shows a bar with the count, the rate and the time left', () => {
  const { output, texts, clock } = setUp(true)
  const progress = new Progress({ output, unit: 'events', total: 4000, done: 1000, nowMs: clock.nowMs })
  clock.ms = 1000
  progress.add(1000)
  expect(texts).toEqual(['\r\u001b[K[############............] 50 %  2,000 events  1,000/s  2 s left'])
})

test('other outputs get a line every ten seconds and one at the end', () => {
  const { output, texts, clock } = setUp(false)
  const progress = new Progress({ output, unit: 'records', nowMs: clock.nowMs })
  for (const ms of [1000, 9999, 10_000, 10_001]) {
    clock.ms = ms
    progress.add(100)
  }
  clock.ms = 20_000
  progress.finish()
  expect(texts).toEqual(['300 records  30/s\n', '400 records  20/s\n'])
})

function setUp(isTTY: boolean) {
  const texts: string[] = []
  const output: ProgressOutput = { isTTY, write: (text) => texts.push(text) }
  const clock = { ms: 0, nowMs: (): number => clock.ms }
  return { output, texts, clock }
}
