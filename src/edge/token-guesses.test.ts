import { expect, test } from 'vitest'
import { TokenGuesses } from './token-guesses.ts'

test('after 50 unknown tokens a network waits for the rest of an hour, and others do not', () => {
  const guesses = new TokenGuesses()
  for (let count = 0; count < 50; count++) {
    guesses.require('192.0.2.1')
    guesses.count('192.0.2.1')
  }
  expect(() => guesses.require('192.0.2.1')).toThrow(
    /too many unknown tokens from this network; try again in 3[56]\d\d s/,
  )
  guesses.require('198.51.100.1')
})
