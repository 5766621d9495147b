import { expect, test } from 'vitest'
import { checkStatement, fitParams, PARAM_BYTES_MAX } from './statement-size.ts'

function statement(value: unknown): Parameters<typeof checkStatement>[0] {
  return { text: 'SELECT 1', params: { p0: value } } as unknown as Parameters<typeof checkStatement>[0]
}

test.each([
  ['short texts', Array.from({ length: 20_000 }, (_, index) => `id-${index}`)],
  ['texts with escapes', Array.from({ length: 1000 }, () => "'\\\n".repeat(60))],
  ['no text', []],
  ['a long one among short ones', ['a', 'b'.repeat(PARAM_BYTES_MAX - 100), 'c'.repeat(200)]],
])('%s are cut into lists that a statement takes', (_, texts) => {
  const lists = [...fitParams(texts)]
  expect(lists.flat()).toEqual(texts)
  for (const list of lists) expect(() => checkStatement(statement(list))).not.toThrow()
})

test('numbers count with their digits', () => {
  const hashes = Array.from({ length: 7000 }, (_, index) => 2n ** 63n + BigInt(index))
  expect(() => checkStatement(statement(hashes))).toThrow('is longer than')
  expect(() => checkStatement(statement(hashes.slice(0, 4000)))).not.toThrow()
})

test('characters that are escaped count twice', () => {
  expect(() => checkStatement(statement("'".repeat(PARAM_BYTES_MAX / 2 + 1)))).toThrow('is longer than')
  expect(() => checkStatement(statement("'".repeat(PARAM_BYTES_MAX / 2)))).not.toThrow()
})

test('subqueries count for each one around them', () => {
  const nest = (depth: number): { readonly text: string; readonly params: Record<string, never> } => {
    const within = 'SELECT * FROM '
    return { text: `${`${within}(`.repeat(depth)}${within}t${')'.repeat(depth)}`, params: {} }
  }
  // 580 subqueries, of 16 characters each, are in 290 others on average.
  expect(() => checkStatement(nest(540))).not.toThrow()
  expect(() => checkStatement(nest(580))).toThrow('too complex to plan')
  expect(() => checkStatement({ text: `SELECT ${'(1 + 1) + '.repeat(10_000)}1`, params: {} })).not.toThrow()
})
