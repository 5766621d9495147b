import { expect, test } from 'vitest'
import { readCredential } from './credential.ts'

test.each([
  ['a private key as a bearer token', { authorization: 'Bearer prv_a' }, { 'x-api-key': 'prv_a' }],
  ['a public key as a bearer token', { authorization: 'bearer  pub_a ' }, { 'x-api-key': 'pub_a' }],
  ['a key in its own header', { 'x-api-key': 'prv_a' }, { 'x-api-key': 'prv_a' }],
  ['a token of a sign-in', { authorization: 'Bearer eyJ.a.b' }, { authorization: 'Bearer eyJ.a.b' }],
  ['nothing', {}, {}],
  [
    'both: the key in its own header wins, as for RPCs',
    { 'x-api-key': 'prv_a', authorization: 'Bearer prv_b' },
    { 'x-api-key': 'prv_a', authorization: 'Bearer prv_b' },
  ],
  [
    'an empty key beside a bearer token',
    { 'x-api-key': '', authorization: 'Bearer prv_b' },
    { 'x-api-key': 'prv_b' },
  ],
])('%s', (_, sent, expected) => {
  expect(Object.fromEntries(readCredential(new Headers(sent)))).toEqual(expected)
})
