import { expect, test } from 'vitest'
import { opensProject, type Role, roleInProject } from './role.ts'

test.each<[inOrganisation: Role, ofProject: Role | undefined, role: Role]>([
  ['admin', undefined, 'admin'],
  ['admin', 'viewer', 'admin'],
  ['admin', 'guest', 'admin'],
  ['member', undefined, 'member'],
  ['member', 'viewer', 'viewer'],
  ['member', 'guest', 'guest'],
  ['viewer', 'admin', 'admin'],
  ['guest', undefined, 'guest'],
  ['guest', 'member', 'member'],
])(
  'a %s of the organisation whom the project makes a %s is a %s there',
  (inOrganisation, ofProject, role) => {
    expect(roleInProject({ inOrganisation, ofProject })).toBe(role)
    expect(roleInProject({ inOrganisation, ofProject: ofProject ?? null })).toBe(role)
  },
)

test('every role but that of a guest opens a project', () => {
  const roles: readonly Role[] = ['guest', 'viewer', 'member', 'admin']
  expect(roles.filter(opensProject)).toEqual(['viewer', 'member', 'admin'])
})
