import type { Breakdown as BreakdownMessage } from '../../contract/gen/shared/insights/v1/event_query_pb.js'
import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { invalidSpec } from './insight-context.ts'
import { type Property, resolveProperty, sourceViolation } from './property.ts'
import { checkPropertyName } from './series.ts'

/** The properties to break down by, and how many values get a series of their own. */
export interface Breakdown {
  readonly names: readonly string[]
  readonly properties: readonly Property[]
  readonly limit: number
}

const PROPERTIES_MAX = 5
const LIMIT_DEFAULT = 10
const LIMIT_MAX = 100

/** Parses the breakdowns of a spec; `undefined` without any. Throws `invalid_argument`. */
export function parseBreakdown(spec: InsightQuerySpec): Breakdown | undefined {
  const names = spec.breakdowns.map(({ property }) => property)
  const limit = spec.breakdownLimit
  if (limit < 0 || limit > LIMIT_MAX) throw invalidSpec('breakdownLimit', `must be 0 to ${LIMIT_MAX}`)
  if (names.length === 0) {
    if (limit !== 0) throw invalidSpec('breakdownLimit', 'needs at least one breakdown')
    return undefined
  }
  if (names.length > PROPERTIES_MAX) throw invalidSpec('breakdowns', `must be at most ${PROPERTIES_MAX}`)
  if (new Set(names).size < names.length) throw invalidSpec('breakdowns', 'must not name a property twice')
  return { names, properties: spec.breakdowns.map(parseProperty), limit: limit || LIMIT_DEFAULT }
}

function parseProperty({ property: name, source }: BreakdownMessage, index: number): Property {
  const field = `breakdowns[${index}].property`
  checkPropertyName(name, field)
  const violation = sourceViolation(name, source)
  if (violation) throw invalidSpec(field, violation)
  return resolveProperty(name, source)
}
