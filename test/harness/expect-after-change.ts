import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { isScaledOut } from './topology.ts'
import { waitFor } from './wait.ts'

/** Processes remember what another one changed for four seconds at most (docs/access.md); a busy machine adds some. */
const REMEMBERED_MS_MAX = 20_000

/**
 * Expects an answer from the next call on. Scaled out, the process that is asked may remember what was before the change of
 * another one: it is asked until two calls in a row, which go to different processes, have the answer.
 */
export async function expectAfterChange<T>(ask: () => Promise<T>, expected: T): Promise<void> {
  if (isScaledOut()) {
    await waitFor(
      'every process to see the change',
      async () => {
        const answers = [await ask(), await ask()]
        return answers.every((answer) => isDeepStrictEqual(answer, expected)) ? true : undefined
      },
      REMEMBERED_MS_MAX,
    )
  }
  expect(await ask()).toEqual(expected)
}
