import { expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import { ImpliedClaims, RecentClaims } from './merge-guards.ts'

test('an anonymous id belongs to the first external id of the project that claims it', () => {
  const claims = new RecentClaims()
  const [one, other] = [asProjectId(1), asProjectId(2)]
  expect(claims.isTaken(one, 'anon-1', 'ada')).toBe(false)
  expect(claims.isTaken(one, 'anon-1', 'ada')).toBe(false)
  expect(claims.isTaken(one, 'anon-1', 'bob')).toBe(true)
  expect(claims.isTaken(one, 'anon-1', 'ada')).toBe(false)
  expect(claims.isTaken(other, 'anon-1', 'bob')).toBe(false)
})

test('an implied claim is stored once, and each pair of ids of each project is one', () => {
  const claims = new ImpliedClaims()
  const [one, other] = [asProjectId(1), asProjectId(2)]
  expect(claims.add(one, 'anon-1', 'ada')).toBe(true)
  expect(claims.add(one, 'anon-1', 'ada')).toBe(false)
  expect(claims.add(one, 'anon-1', 'bob')).toBe(true)
  expect(claims.add(other, 'anon-1', 'ada')).toBe(true)
})
