import type { DescService } from '@bufbuild/protobuf'
import { SERVICES } from '../../contract/gen/services.js'
import { type AccessRule, ROLE_RULES } from '../../domain/role-rules.ts'

const RULES: ReadonlyMap<string, AccessRule> = new Map(Object.values(SERVICES).flatMap(rulesOf))

function rulesOf({ typeName, methods }: DescService): [path: string, rule: AccessRule][] {
  return methods.flatMap(({ name, localName }): [string, AccessRule][] => {
    const rule = ROLE_RULES[typeName]?.[localName]
    return rule ? [[`${typeName}/${name}`, rule]] : []
  })
}

/** A method, by the full name of its service and its own. */
export interface MethodName {
  readonly service: string
  readonly method: string
}

/** The access rule of a method; `undefined` for one without a rule, which no signed-in user may call. */
export function findAccessRule({ service, method }: MethodName): AccessRule | undefined {
  return RULES.get(`${service}/${method}`)
}
