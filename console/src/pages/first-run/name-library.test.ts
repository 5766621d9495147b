import { expect, test } from 'vitest'
import { nameLibrary } from './name-library.ts'

test.each([
  [{ $lib: 'web', $lib_version: '1.449.2' }, 'PostHog 1.449.2'],
  [{ $lib: 'umami' }, 'Umami'],
  [{ $lib: 'analytics-go', $lib_version: '3.1' }, 'analytics-go 3.1'],
  [{ $lib_version: '3.1' }, undefined],
  [{}, undefined],
])('%j is %j', (autoProperties, name) => {
  expect(nameLibrary({ autoProperties })).toBe(name)
})
