import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { collectGarbage } from './collect-garbage.ts'

test('what nothing refers to is gone', async () => {
  const kept = { text: 'kept' }
  const references = [new WeakRef(kept), new WeakRef({ text: 'dropped' })]
  // References live until the end of the turn that made them.
  await nextTurn()
  collectGarbage()
  expect(references.map((reference) => reference.deref())).toEqual([kept, undefined])
})
