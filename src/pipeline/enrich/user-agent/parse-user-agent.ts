import { PROMOTED_INDEX } from '../../../contract/promoted-properties.ts'
import { type EditableRow, isUnset } from '../../event/event-row.ts'
import { type StockText, stockText } from '../../event/stock-text.ts'
import {
  BROWSER_NAMES,
  CRAWLER_DEVICE,
  DEVICE_TYPES,
  type DeviceType,
  NO_DEVICE,
  SYSTEM_NAMES,
} from './names.ts'
import { matchFirst, type PatternLists } from './pattern-list.ts'

/** Facts from a user agent; absent parts are unknown. Plain data: it is sent between threads. */
export interface UserAgentFacts {
  readonly browser?: string
  readonly browserVersion?: string
  readonly os?: string
  readonly osVersion?: string
  /** Make and model, as far as known. */
  readonly device?: string
  readonly deviceType?: DeviceType
  /** Whether it is a phone; tablets are not. */
  readonly isMobile?: boolean
}

/** Limits the time of matching, which grows with the text; real user agents are shorter. */
export const USER_AGENT_LENGTH_MAX = 512

/** Reads a user agent of at most {@link USER_AGENT_LENGTH_MAX} characters; takes about 0.2 ms, so cache the result. */
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

/** The parts of a version up to the first missing one. */
function joinVersion(parts: readonly string[]): string {
  const end = parts.indexOf('')
  return (end === -1 ? parts : parts.slice(0, end)).join('.')
}

const TEXT_PROPERTIES = [
  [PROMOTED_INDEX.$browser, 'browser'],
  [PROMOTED_INDEX.$browserVersion, 'browserVersion'],
  [PROMOTED_INDEX.$os, 'os'],
  [PROMOTED_INDEX.$osVersion, 'osVersion'],
  [PROMOTED_INDEX.$device, 'device'],
  [PROMOTED_INDEX.$deviceType, 'deviceType'],
] as const satisfies readonly (readonly [number, keyof UserAgentFacts])[]

/** Facts from a user agent as properties. Plain data: it is sent between threads. */
export interface UserAgentProperties {
  /** Texts, by index of their properties. */
  readonly texts: readonly (readonly [index: number, value: StockText])[]
  readonly isMobile: boolean | undefined
}

/** The properties that follow from facts: made once for all events of a user agent. */
export function userAgentProperties(facts: UserAgentFacts): UserAgentProperties {
  const texts = TEXT_PROPERTIES.flatMap(([index, part]) => {
    const value = facts[part]
    return value === undefined ? [] : [[index, stockText(value)] as const]
  })
  return { texts, isMobile: facts.isMobile }
}

/** Sets the properties that the client did not send: clients know their device better than their headers. */
export function applyUserAgent(row: EditableRow, properties: UserAgentProperties | undefined): void {
  if (properties === undefined) return
  const { texts, isMobile } = properties
  for (const [index, value] of texts) {
    if (row.isUnset(index)) row.setPromoted(index, value)
  }
  if (isMobile !== undefined && isUnset(row, '$mobile')) row.setBool('$mobile', isMobile)
}
