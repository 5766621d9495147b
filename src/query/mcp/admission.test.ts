import { expect, test } from 'vitest'
import { createCheckOrigin, readCredential } from './admission.ts'

test.each([
  ['a private key as a bearer token', { authorization: 'Bearer prv_a' }, { 'x-api-key': 'prv_a' }],
  ['a public key as a bearer token', { authorization: 'bearer  pub_a ' }, { 'x-api-key': 'pub_a' }],
  ['a personal access token', { authorization: 'Bearer pat_a' }, { 'x-api-key': 'pat_a' }],
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

const checkOrigin = createCheckOrigin('https://analytics.example.com/app')

test.each([
  ['a program', undefined],
  ['a page of this service', 'https://analytics.example.com'],
  ['a page of this machine', 'http://localhost:6274'],
  ['a page of this machine by its address', 'http://[::1]:6274'],
])('%s may call', (_, origin) => {
  expect(() => checkOrigin(new Headers(origin === undefined ? {} : { origin }))).not.toThrow()
})

test.each([
  ['a page of another host', 'https://example.com'],
  ['a page of a subdomain', 'https://a.analytics.example.com'],
  ['a page with an opaque origin', 'null'],
  ['an invalid origin', 'analytics.example.com'],
])('%s is rejected', (_, origin) => {
  expect(() => checkOrigin(new Headers({ origin }))).toThrow('pages of this origin are not allowed')
})
