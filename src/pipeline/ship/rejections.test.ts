import { expect, test } from 'vitest'
import { isRejection } from './rejections.ts'

function answer(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

test.each([
  ['the bytes', answer('32', 'Attempt to read after eof'), true],
  ['a type', answer('53', 'Cannot convert String to UUID'), true],
  [
    'a shard that ended',
    answer('32', 'Attempt to read after eof: while receiving packet from ch-2:9000'),
    false,
  ],
  ['a shard that is away', answer('279', 'All connection tries failed'), false],
  ['no connection', answer('ECONNREFUSED', 'connect ECONNREFUSED'), false],
])('an error about %s rejects the data or not', (_, error, expected) => {
  expect(isRejection(error)).toBe(expected)
})
