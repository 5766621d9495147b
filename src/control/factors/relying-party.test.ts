import { expect, test } from 'vitest'
import { relyingPartyOf } from './relying-party.ts'

test.each([
  ['https://analytics.example.org', { id: 'analytics.example.org', origin: 'https://analytics.example.org' }],
  ['https://example.org:8443/m/', { id: 'example.org', origin: 'https://example.org:8443' }],
  ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://millrace.localhost', { id: 'millrace.localhost', origin: 'http://millrace.localhost' }],
  ['http://127.0.0.1:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['https://[::1]:3000', { id: 'localhost', origin: 'https://localhost:3000' }],
])('passkeys of %s are for %j', (publicUrl, relyingParty) => {
  expect(relyingPartyOf(publicUrl)).toEqual(relyingParty)
})

test.each([
  'http://analytics.example.org',
  'http://192.168.1.4:3000',
  'https://192.168.1.4',
  'https://[2001:db8::1]',
  'http://localhost.example.org',
])('browsers allow no passkeys at %s', (publicUrl) => {
  expect(relyingPartyOf(publicUrl)).toBeUndefined()
})
