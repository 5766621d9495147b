import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { DescService } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { findAccessRule } from './role-table.ts'

const GENERATED = resolve(import.meta.dirname, '../../contract/gen')

/** Every service of some package families, found by walking the generated code. */
async function findServices(families: readonly string[]): Promise<DescService[]> {
  const files = families.flatMap((family) =>
    readdirSync(join(GENERATED, family), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('_pb.js'))
      .map((file) => join(GENERATED, family, file)),
  )
  const modules: object[] = await Promise.all(files.map(async (file) => await import(file)))
  return modules.flatMap((module) => Object.values(module).filter(isService))
}

function isService(value: unknown): value is DescService {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'service'
}

const services = await findServices(['dashboard', 'shared'])
const methods = services.flatMap((service) => service.methods)

test('every method that people may call has a rule', () => {
  const without = methods.filter(
    ({ parent, name }) => !findAccessRule({ service: parent.typeName, method: name }),
  )
  expect(without.map(String)).toEqual([])
  expect(services).toHaveLength(10)
  expect(methods.length).toBeGreaterThan(50)
})

test('a method that asks for a role in an organisation names it in org_id, in one message', () => {
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

test('a method whose message has an org_id asks for a role in that organisation', () => {
  const naming = methods.filter(({ input }) => 'orgId' in input.field)
  const scopes = naming.map(
    ({ parent, name }) => findAccessRule({ service: parent.typeName, method: name })?.scope,
  )
  expect(new Set(scopes)).toEqual(new Set(['organisation']))
})

test('a method that the table does not have has no rule', () => {
  const missing = { service: 'dashboard.orgs.v1.OrgsService', method: 'Other' }
  expect(findAccessRule(missing)).toBeUndefined()
})
