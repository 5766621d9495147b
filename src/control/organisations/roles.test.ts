import { describe, expect, test } from 'vitest'
import { OrgRole } from '../../contract/gen/dashboard/orgs/v1/org_pb.js'
import type { Role } from '../../contract/role.ts'
import { encodeRole, parseRole, requireRole } from './roles.ts'

const ROLES: readonly Role[] = ['guest', 'viewer', 'member', 'admin']

test('a role on the wire is the role', () => {
  expect(ROLES.map((role) => parseRole(encodeRole(role)))).toEqual(ROLES)
})

test('an unspecified role is rejected', () => {
  expect(() => parseRole(OrgRole.UNSPECIFIED)).toThrow('role: must be a role')
})

describe('a required role', () => {
  test.each<[role: Role, needed: Role, reason: string | undefined]>([
    ['guest', 'guest', undefined],
    ['guest', 'viewer', 'ORG_ROLE_FORBIDDEN'],
    ['guest', 'admin', 'ORG_ADMIN_REQUIRED'],
    ['viewer', 'guest', undefined],
    ['viewer', 'viewer', undefined],
    ['viewer', 'member', 'ORG_ROLE_FORBIDDEN'],
    ['viewer', 'admin', 'ORG_ADMIN_REQUIRED'],
    ['member', 'viewer', undefined],
    ['member', 'member', undefined],
    ['member', 'admin', 'ORG_ADMIN_REQUIRED'],
    ['admin', 'viewer', undefined],
    ['admin', 'member', undefined],
    ['admin', 'admin', undefined],
  ])('%s for %s', (role, needed, reason) => {
    const outcome = (() => {
      try {
        requireRole({ role, needed, in: 'project' })
        return undefined
      } catch (error) {
        return error
      }
    })()
    expect(outcome).toEqual(reason === undefined ? undefined : expect.objectContaining({ reason }))
  })
})
