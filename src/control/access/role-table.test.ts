import { expect, test } from 'vitest'
import { ALL_SERVICES } from '../../../test/harness/contract-services.ts'
import { mayRoleCall } from '../../domain/role-rules.ts'
import { findAccessRule } from './role-table.ts'

const services = ALL_SERVICES.filter(({ typeName }) => !/^(sdk|public)\./.test(typeName))
const methods = services.flatMap((service) => service.methods)

test('every method that a signed-in user may call has a rule', () => {
  const without = methods.filter(
    ({ parent, name }) => !findAccessRule({ service: parent.typeName, method: name }),
  )
  expect(without.map(String)).toEqual([])
  expect(methods.length).toBeGreaterThan(50)
})

test('a method that requires a role in an organisation has org_id in its single request message', () => {
  const rules = methods.map((method) => ({
    method,
    rule: findAccessRule({ service: method.parent.typeName, method: method.name }),
  }))
  const inOrganisation = rules.filter(({ rule }) => rule?.scope === 'organisation')
  expect(inOrganisation.length).toBeGreaterThan(10)
  const wrong = inOrganisation.filter(
    ({ method }) => method.methodKind !== 'unary' || method.input.field.orgId?.scalar === undefined,
  )
  expect(wrong.map(({ method }) => method.toString())).toEqual([])
})

test('a method whose message has an org_id requires a role in that organisation', () => {
  const naming = methods.filter(({ input }) => 'orgId' in input.field)
  const scopes = naming.map(
    ({ parent, name }) => findAccessRule({ service: parent.typeName, method: name })?.scope,
  )
  expect(new Set(scopes)).toEqual(new Set(['organisation']))
})

test('the session is looked up on every call of a method that does more than read', () => {
  const READS = /^(Get|List|Query|BatchGet|Count|SegmentUsers|Preview|ExportDefinitions)/
  const cached = methods.filter(
    ({ parent, name }) => findAccessRule({ service: parent.typeName, method: name })?.session === 'cached',
  )
  expect(cached.length).toBeGreaterThan(15)
  expect(cached.filter(({ name }) => !READS.test(name)).map(String)).toEqual([])
  const secrets = /ApiKeys|Invitations|EmailProviders|SessionsService/
  expect(cached.filter((method) => secrets.test(method.toString())).map(String)).toEqual([])
})

test('a method without a row in the table has no rule', () => {
  const missing = { service: 'dashboard.orgs.v1.OrgsService', method: 'Other' }
  expect(findAccessRule(missing)).toBeUndefined()
})

const PROJECTS = 'dashboard.projects.v1.ProjectsService'

test.each([
  ['guest', { service: PROJECTS, method: 'get' }, false],
  ['guest', { service: 'dashboard.orgs.v1.OrgsService', method: 'create' }, true],
  ['viewer', { service: PROJECTS, method: 'get' }, true],
  ['viewer', { service: 'shared.campaigns.v1.CampaignService', method: 'create' }, false],
  ['member', { service: 'shared.campaigns.v1.CampaignService', method: 'create' }, true],
  ['member', { service: PROJECTS, method: 'updateFCMServiceJSON' }, false],
  ['admin', { service: PROJECTS, method: 'updateFCMServiceJSON' }, true],
  ['viewer', { service: 'dashboard.orgs.v1.OrgsService', method: 'create' }, true],
  ['admin', { service: PROJECTS, method: 'other' }, false],
] as const)('a %s and %j: %j', (role, method, may) => {
  expect(mayRoleCall({ inOrganisation: role, inProject: role }, method)).toBe(may)
})

test('a method about a project follows the role there, and one about an organisation the role in it', () => {
  const raised = { inOrganisation: 'guest', inProject: 'admin' } as const
  const restricted = { inOrganisation: 'member', inProject: 'viewer' } as const
  const ofProject = { service: PROJECTS, method: 'updateMeta' }
  const ofOrganisation = { service: 'dashboard.orgs.v1.OrgsService', method: 'listMembers' }
  const all = [raised, restricted].map((roles) => [
    mayRoleCall(roles, ofProject),
    mayRoleCall(roles, ofOrganisation),
  ])
  expect(all).toEqual([
    [true, false],
    [false, true],
  ])
})
