import { SERVICES } from '../../contract/gen/services.js'
import { AUDIT_RULES, type AuditRule } from '../../domain/audit-actions.ts'

const RULES: ReadonlyMap<string, AuditRule> = new Map(
  Object.values(SERVICES).flatMap(({ typeName, methods }) =>
    methods.flatMap(({ name, localName }): [string, AuditRule][] => {
      const rule = AUDIT_RULES[typeName]?.[localName]
      return rule ? [[`${typeName}/${name}`, rule]] : []
    }),
  ),
)

/** How calls of a method are recorded; of methods outside of this service's interface, such as health checks, not at all. */
export function findAuditRule(method: { readonly service: string; readonly method: string }): AuditRule {
  return RULES.get(`${method.service}/${method.method}`) ?? { records: 'nothing' }
}
