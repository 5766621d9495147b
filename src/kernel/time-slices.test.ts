import { expect, test } from 'vitest'
import { monotonicMs } from './clock.ts'
import { runAtOnce, runInSlices, type Steps } from './time-slices.ts'

const STEPS = 40
const STEP_MS = 1

function* work(onStep: (index: number) => void): Steps<string> {
  for (let index = 0; index < STEPS; index++) {
    const endMs = monotonicMs() + STEP_MS
    while (monotonicMs() < endMs);
    onStep(index)
    yield
  }
  return 'done'
}

function* failing(): Steps<never> {
  yield
  throw new Error('broken')
}

test('other work on the thread runs between time slices', async () => {
  const seen: string[] = []
  const others = setInterval(() => seen.push('other'), 1)
  expect(await runInSlices(work(() => seen.push('step')))).toBe('done')
  clearInterval(others)
  expect(seen.filter((name) => name === 'step').length).toBe(STEPS)
  // A slice takes five steps at most, after a long pause; usually one.
  expect(seen.filter((name, index) => name === 'step' && seen[index - 1] === 'other').length).toBeGreaterThan(
    STEPS / 8,
  )
})

test('two sliced tasks progress concurrently', async () => {
  const seen: string[] = []
  const [one, other] = ['one', 'other'].map(
    async (name) => await runInSlices(work((index) => seen.push(`${name} ${index}`))),
  )
  await Promise.race([one, other])
  expect(seen.length).toBeGreaterThan(STEPS * 1.25)
  expect(await Promise.all([one, other])).toEqual(['done', 'done'])
  expect(new Set(seen).size).toBe(2 * STEPS)
})

test('synchronous work is not interrupted', async () => {
  const seen: string[] = []
  setImmediate(() => seen.push('other'))
  expect(runAtOnce(work(() => seen.push('step')))).toBe('done')
  expect(seen).toEqual(Array(STEPS).fill('step'))
})

test('errors from steps propagate either way', async () => {
  expect(() => runAtOnce(failing())).toThrow('broken')
  await expect(runInSlices(failing())).rejects.toThrow('broken')
})
