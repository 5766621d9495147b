import { expect, test } from 'vitest'
import { chooseRequestId } from './request-id.ts'

test.each(['client-id.1', 'A:b_c-9', 'x'.repeat(128)])('the valid id %s is kept', (sent) => {
  expect(chooseRequestId(sent)).toBe(sent)
})

test.each([undefined, '', 'two words', 'é', 'x'.repeat(129), 'line\nbreak'])(
  '%j is replaced by a generated id',
  (sent) => {
    const chosen = [chooseRequestId(sent), chooseRequestId(sent)]
    expect(new Set(chosen).size).toBe(2)
    for (const id of chosen) expect(chooseRequestId(id)).toBe(id)
  },
)
