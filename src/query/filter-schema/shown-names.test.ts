import { expect, test } from 'vitest'
import { describeKind } from './shown-names.ts'

const KNOWN = { displayName: 'Registration', description: 'Signed up', isHidden: false }

test('a kind has the name of the dictionary, else the one that it was made from, else none', () => {
  const of = (kind: string, known = {}): string =>
    describeKind(kind, new Map(Object.entries(known))).displayName
  expect(of('Sign.._Up', { 'Sign.._Up': KNOWN })).toBe('Registration')
  expect(of('Sign.._Up', { 'Sign.._Up': { ...KNOWN, displayName: '' } })).toBe('Sign Up')
  expect(of('Sign.._Up')).toBe('Sign Up')
  expect(of('Sign_Up')).toBe('')
})
