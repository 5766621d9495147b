import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { waitFor } from '../../test/harness/wait.ts'
import { UpstreamPulse } from './upstream-pulse.ts'

const PATIENCE_MS = 30

/** The outcome of each check in order; the last one applies to all that follow. */
let silences: boolean[]
let checks: number
let warnings: string[]
let givenUp: string[]
let pulse: UpstreamPulse

beforeEach(() => {
  ;[silences, checks, warnings, givenUp] = [[false], 0, [], []]
  pulse = new UpstreamPulse({
    isSilent: async () => {
      checks++
      await pause(1)
      return silences.length > 1 ? (silences.shift() ?? false) : silences[0] === true
    },
    log: { warn: (message: unknown) => void warnings.push(String(message)) },
    patienceMs: PATIENCE_MS,
  })
})

const watch = (call: string): (() => void) => pulse.watch(() => void givenUp.push(call))

test('a call that is answered soon causes no check', async () => {
  for (let call = 0; call < 5; call++) {
    const end = watch(`call ${call}`)
    await pause(PATIENCE_MS / 3)
    end()
  }
  expect({ checks, givenUp }).toEqual({ checks: 0, givenUp: [] })
})

test('a call that takes long keeps waiting while the process answers checks, which are rare', async () => {
  const end = watch('long')
  await waitFor('some checks', () => (checks >= 3 ? true : undefined))
  const startedMs = performance.now()
  await waitFor('further checks', () => (checks >= 6 ? true : undefined))
  expect(performance.now() - startedMs).toBeGreaterThan(2 * PATIENCE_MS)
  expect(givenUp).toEqual([])
  end()
})

test('when the process answers no check, every waiting call is given up, also a later one, and it is logged once', async () => {
  silences = [true]
  watch('first')
  watch('second')
  await waitFor('both to be given up', () => (givenUp.length === 2 ? true : undefined))
  expect(checks).toBe(2)
  watch('later')
  await waitFor('the later one to be given up', () => (givenUp.length === 3 ? true : undefined))
  expect(givenUp).toEqual(['first', 'second', 'later'])
  expect(warnings).toHaveLength(1)
})

test('one missing answer gives nothing up, and calls wait again once the process answers', async () => {
  silences = [true, false, true, false]
  watch('long')
  await waitFor('checks', () => (checks >= 5 ? true : undefined))
  expect(givenUp).toEqual([])
})
