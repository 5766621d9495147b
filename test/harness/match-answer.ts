/** Stands for any text in what an answer is expected to have. */
const ANY = '…'

/**
 * Whether an answer has what is expected: of objects the named fields, of lists as many items, `…` for a text that
 * differs each time.
 */
export function matchAnswer(expected: unknown, answer: unknown): boolean {
  if (expected === ANY) return typeof answer === 'string' && answer !== ''
  if (Array.isArray(expected))
    return (
      Array.isArray(answer) &&
      answer.length >= expected.length &&
      expected.every((item, index) => matchAnswer(item, answer[index]))
    )
  if (typeof expected !== 'object' || expected === null) return expected === answer
  if (typeof answer !== 'object' || answer === null) return false
  return Object.entries(expected).every(([name, value]) =>
    matchAnswer(value, (answer as Record<string, unknown>)[name]),
  )
}
