import { type EditableRow, isUnset } from '../../event/event-row.ts'
import {
  BROWSER_NAMES,
  CRAWLER_DEVICE,
  DEVICE_TYPES,
  type DeviceType,
  NO_DEVICE,
  SYSTEM_NAMES,
} from './names.ts'
import { matchFirst, type PatternLists } from './pattern-list.ts'

/** What a user agent tells, each part only when it does. Plain data: it travels between threads. */
export interface UserAgentFacts {
  readonly browser?: string
  readonly browserVersion?: string
  readonly os?: string
  readonly osVersion?: string
  /** Make and model, as far as they are known. */
  readonly device?: string
  readonly deviceType?: DeviceType
  /** A phone; a tablet is none. */
  readonly isMobile?: boolean
}

/** Patterns take time by the length of the text: real user agents are shorter than this. */
export const USER_AGENT_LENGTH_MAX = 512

/** Reads a user agent of at most {@link USER_AGENT_LENGTH_MAX} characters; takes about 0.2 ms, so remember the answer. */
export function parseUserAgent({ browsers, systems, devices }: PatternLists, text: string): UserAgentFacts {
  const [browser = '', ...browserVersion] = matchFirst(browsers, text) ?? []
  const [os = '', ...osVersion] = matchFirst(systems, text) ?? []
  const [device = ''] = matchFirst(devices, text) ?? []
  const deviceType =
    device === CRAWLER_DEVICE ? 'bot' : DEVICE_TYPES.find(([pattern]) => pattern.test(text))?.[1]
  return {
    ...named('browser', BROWSER_NAMES.get(browser) ?? browser),
    ...(browser !== '' && named('browserVersion', joinVersion(browserVersion))),
    ...named('os', SYSTEM_NAMES.get(os) ?? os),
    ...(os !== '' && named('osVersion', joinVersion(osVersion))),
    ...(!NO_DEVICE.has(device) && named('device', device)),
    ...(deviceType && { deviceType, isMobile: deviceType === 'mobile' }),
  }
}

function named<Part extends string>(part: Part, value: string): Partial<Record<Part, string>> {
  return value === '' || value === 'Other' ? {} : ({ [part]: value } as Record<Part, string>)
}

/** The parts of a version up to the first that is missing. */
function joinVersion(parts: readonly string[]): string {
  const end = parts.indexOf('')
  return (end === -1 ? parts : parts.slice(0, end)).join('.')
}

const TEXT_PROPERTIES = [
  ['$browser', 'browser'],
  ['$browserVersion', 'browserVersion'],
  ['$os', 'os'],
  ['$osVersion', 'osVersion'],
  ['$device', 'device'],
  ['$deviceType', 'deviceType'],
] as const satisfies readonly (readonly [string, keyof UserAgentFacts])[]

/** Sets what the user agent tells where the client sent nothing: a client knows its device better than its headers do. */
export function applyUserAgent(row: EditableRow, facts: UserAgentFacts | undefined): void {
  if (facts === undefined) return
  for (const [property, part] of TEXT_PROPERTIES) {
    const value = facts[part]
    if (value !== undefined && isUnset(row, property)) row.setText(property, value)
  }
  if (facts.isMobile !== undefined && isUnset(row, '$mobile')) row.setBool('$mobile', facts.isMobile)
}
