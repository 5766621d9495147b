import { expect, test } from 'vitest'
import { createCheckOrigin } from './origin.ts'

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
  ['a page of another name', 'https://example.com'],
  ['a page of a name below ours', 'https://a.analytics.example.com'],
  ['a page without an origin of its own', 'null'],
  ['what is no origin', 'analytics.example.com'],
])('%s may not call', (_, origin) => {
  expect(() => checkOrigin(new Headers({ origin }))).toThrow('pages of this origin may not call')
})
