import { expect, test } from 'vitest'
import { eventLabel, nodeLabel, seriesLabel } from './labels.ts'

test('an event of another product has the name that its SDK gave it', () => {
  expect(eventLabel('Sign.._Up')).toBe('Sign Up')
  expect(seriesLabel({ eventKind: 'Sign.._Up', breakdown: { plan: 'pro' } })).toBe('Sign Up · pro')
  expect(nodeLabel({ label: '..24.rageclick', isOthers: false, depth: 1 })).toBe('2. $rageclick')
})

test('any other kind is its own name', () => {
  expect(['Sign_Up', 'a..b', 'page_view'].map(eventLabel)).toEqual(['Sign_Up', 'a..b', 'page_view'])
})
