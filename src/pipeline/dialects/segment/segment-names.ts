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
export const PAGE_PROPERTIES: Readonly<Record<string, string>> = {
  url: '$url',
  path: '$pathname',
  title: '$title',
  referrer: '$referrer',
  referring_domain: '$referrerDomain',
  search: '',
  tab_url: '',
  initial_referrer: '',
  initial_referring_domain: '',
}

/**
 * Fields of `context`, by object → auto property. Fields that are not named are left out: they identify devices, or say again what
 * the named ones say.
 */
export const CONTEXT_OBJECTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  page: PAGE_PROPERTIES,
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
}

/** Single values of `context` → property. */
export const CONTEXT_VALUES: Readonly<Record<string, string>> = {
  locale: '$language',
  timezone: '$timezone',
  groupId: 'groupId',
}

/** Members of `context` that are no properties: what is read elsewhere, what is never stored, and state of the vendor's pipeline. */
export const CONTEXT_OMITTED: ReadonlySet<string> = new Set([
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
])
