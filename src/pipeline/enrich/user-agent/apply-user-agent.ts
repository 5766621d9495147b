import { type EnrichedRow, isUnset } from '../enriched-row.ts'
import type { UserAgentFacts } from './parse-user-agent.ts'

const TEXT_PROPERTIES = [
  ['$browser', 'browser'],
  ['$browserVersion', 'browserVersion'],
  ['$os', 'os'],
  ['$osVersion', 'osVersion'],
  ['$device', 'device'],
  ['$deviceType', 'deviceType'],
] as const satisfies readonly (readonly [string, keyof UserAgentFacts])[]

/** Sets what the user agent tells where the client sent nothing: a client knows its device better than its headers do. */
export function applyUserAgent(row: EnrichedRow, facts: UserAgentFacts | undefined): void {
  if (facts === undefined) return
  for (const [property, part] of TEXT_PROPERTIES) {
    const value = facts[part]
    if (value !== undefined && isUnset(row, property)) row.setText(property, value)
  }
  if (facts.isMobile !== undefined && isUnset(row, '$mobile')) row.setBool('$mobile', facts.isMobile)
}
