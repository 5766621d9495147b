import { expect, test } from 'vitest'
import { isSignUpOpenTo, parseSignUpPolicy } from './sign-up-policy.ts'

test.each([
  ['invited', 'invited'],
  ['open', 'open'],
  ['domains:example.org', { domains: ['example.org'] }],
  ['domains: Example.org , bücher.example', { domains: ['example.org', 'bücher.example'] }],
  ['', undefined],
  ['closed', undefined],
  ['Open', undefined],
  ['domains:', undefined],
  ['domains:example.org,', undefined],
  ['domains:ada@example.org', undefined],
  ['domains:*.example.org', undefined],
  ['domains:.example.org', undefined],
  ['example.org', undefined],
])('%j parses as %j', (text, policy) => {
  expect(parseSignUpPolicy(text)).toEqual(policy)
})

test.each([
  ['ada@example.org', true],
  ['ada@bücher.example', true],
  ['ada@mail.example.org', false],
  ['ada@example.org.evil.example', false],
  ['ada@notexample.org', false],
  ['"ada@example.org"@evil.example', false],
  ['example.org@evil.example', false],
  ['ada', false],
])('with sign-up for example.org, %j may sign up: %j', (email, may) => {
  expect(isSignUpOpenTo({ domains: ['example.org', 'bücher.example'] }, email)).toBe(may)
  expect(isSignUpOpenTo('open', email)).toBe(true)
  expect(isSignUpOpenTo('invited', email)).toBe(false)
})
