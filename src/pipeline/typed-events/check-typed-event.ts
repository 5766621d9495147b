import {
  propertySpellings,
  WELL_KNOWN_EVENTS,
  type WellKnownEvent,
} from '../../contract/well-known-events/catalogue.ts'
import type { PropertyRule } from '../../contract/well-known-events/property-rules.ts'
import type { ReadableRow } from '../event/event-row.ts'
import {
  compileValueCheck,
  type Fault,
  MISSING,
  type TypedEventRule,
  type ValueCheck,
} from './value-check.ts'

/** A rule of the catalogue that an event violates. */
export interface TypedEventViolation {
  readonly kind: string
  /** The property as the event spells it, or as the catalogue does when it is missing. */
  readonly property: string
  readonly rule: TypedEventRule
  /** A sentence that starts with the name of the property. */
  readonly message: string
}

interface CompiledProperty {
  readonly name: string
  /** The lowerCamelCase name, where it differs. */
  readonly camelName: string | undefined
  readonly isRequired: boolean
  readonly check: ValueCheck
}

const NONE: readonly TypedEventViolation[] = []

/** Kinds with rules; others cannot be violated. */
const COMPILED: ReadonlyMap<string, readonly CompiledProperty[]> = new Map(
  WELL_KNOWN_EVENTS.map(compileEvent).filter(([, properties]) => properties.length > 0),
)

/** Whether there are rules for a kind. */
export function hasTypedEventRules(kind: string): boolean {
  return COMPILED.has(kind)
}

/**
 * Checks an event against the catalogue of well-known kinds, in either spelling of each property. Kinds
 * and properties that are not in the catalogue are always valid.
 */
export function checkTypedEvent(kind: string, row: ReadableRow): readonly TypedEventViolation[] {
  const properties = COMPILED.get(kind)
  if (properties === undefined) return NONE
  let violations: TypedEventViolation[] | undefined
  for (const property of properties) {
    const { name, camelName, check } = property
    const value = row.get(name)
    const camelValue = camelName === undefined ? undefined : row.get(camelName)
    if (value === undefined && camelValue === undefined) {
      if (property.isRequired) violations = add(violations, kind, name, MISSING)
      continue
    }
    const fault = value && check(value)
    if (fault !== undefined) violations = add(violations, kind, name, fault)
    const camelFault = camelValue && check(camelValue)
    if (camelFault !== undefined) violations = add(violations, kind, camelName ?? name, camelFault)
  }
  return violations ?? NONE
}

function add(
  violations: TypedEventViolation[] | undefined,
  kind: string,
  property: string,
  { rule, message }: Fault,
): TypedEventViolation[] {
  const violation = { kind, property, rule, message: `${property} ${message}` }
  if (violations === undefined) return [violation]
  violations.push(violation)
  return violations
}

function compileEvent({ kind, properties }: WellKnownEvent): [string, readonly CompiledProperty[]] {
  return [kind, Object.entries(properties).map(compileProperty)]
}

function compileProperty([name, rule]: [string, PropertyRule]): CompiledProperty {
  const camelName = propertySpellings(name)[1]
  return { name, camelName, isRequired: rule.required === true, check: compileValueCheck(rule) }
}
