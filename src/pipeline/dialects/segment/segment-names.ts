import type { ForeignNames } from '../foreign/foreign-names.ts'

/** Names of Segment and RudderStack and their equivalents here. Properties of events are the sender's own, except those of pages. */
export const SEGMENT_NAMES: ForeignNames = {
  kinds: {
    'Application Opened': 'app_open',
    'Application Installed': 'app_install',
    'Application Updated': 'app_update',
    'Application Backgrounded': 'app_backgrounded',
    'Application Crashed': 'app_crashed',
  },
  properties: {},
  omitted: new Set(['ip', 'userAgent', 'user_agent']),
}

/** Properties of a page view → auto property; `''` is left out: the URL, or the first page view of the visitor, has it. */
const PAGE = {
  url: '$url',
  path: '$pathname',
  title: '$title',
  referrer: '$referrer',
  referring_domain: '$referrerDomain',
  search: '',
  tab_url: '',
  initial_referrer: '',
  initial_referring_domain: '',
} as const

/** {@link PAGE} by name. */
export const PAGE_PROPERTIES: ReadonlyMap<string, string> = new Map(Object.entries(PAGE))

/**
 * Fields of `context`, by object → auto property. Fields that are not named are left out: they identify devices, or say again what
 * the named ones say.
 */
const OBJECTS = {
  page: PAGE,
  campaign: {
    source: '$utmSource',
    medium: '$utmMedium',
    name: '$utmCampaign',
    term: '$utmTerm',
    content: '$utmContent',
    id: 'utm_id',
  },
  app: { name: '$appName', version: '$appVersion', build: '$appBuild', namespace: '$appNamespace' },
  device: { model: '$device', manufacturer: '$deviceManufacturer', type: '$deviceType' },
  os: { name: '$os', version: '$osVersion' },
  screen: { width: '$screenWidth', height: '$screenHeight', density: '$screenDensity' },
  network: { carrier: '$carrier' },
  library: { name: '$lib', version: '$lib_version' },
  location: {
    country: '$country',
    region: '$region',
    city: '$city',
    latitude: '$latitude',
    longitude: '$longitude',
  },
} as const

/** Single values of `context` → property. */
const VALUES = {
  locale: '$language',
  timezone: '$timezone',
  groupId: 'groupId',
} as const

/** Members of `context` that are no properties: what is read elsewhere, what is never stored, and state of the vendor's pipeline. */
const OMITTED = [
  'ip',
  'userAgent',
  'userAgentData',
  'traits',
  'sessionId',
  'sessionStart',
  'consent',
  'integrations',
  'metrics',
  'protocols',
  'externalIds',
  'externalId',
  'instanceId',
  'app_id',
] as const

/** What a member of `context` gives an event: properties by the names of its fields, one property, or nothing. */
export type ContextMember = ReadonlyMap<string, string> | string | undefined

/** The members of `context` that are known. */
export const CONTEXT_MEMBERS: ReadonlyMap<string, ContextMember> = new Map<string, ContextMember>([
  ...Object.entries(OBJECTS).map(([name, fields]) => [name, new Map(Object.entries(fields))] as const),
  ...Object.entries(VALUES),
  ...OMITTED.map((name) => [name, undefined] as const),
])
