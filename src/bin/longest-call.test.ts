import { expect, test } from 'vitest'
import { longestCallSeconds } from './longest-call.ts'

test.each([
  { what: 'a question that waits for its turn', queryTimeoutSeconds: 1, longest: 16 },
  { what: 'a question and a dashboard alike', queryTimeoutSeconds: 15, longest: 30 },
  { what: 'a dashboard', queryTimeoutSeconds: 30, longest: 60 },
])('the longest call is $what', ({ queryTimeoutSeconds, longest }) => {
  expect(longestCallSeconds({ queryTimeoutSeconds })).toBe(longest)
})
