import { cutText } from '../../event/event-rules.ts'
import type { Medium } from './medium.ts'
import { QueryReader } from './query-parameters.ts'
import { scanUrl } from './scan-url.ts'
import type { SourceKind } from './source-tables.ts'
import { CLICK_IDS } from './source-tables.ts'

/** The properties that a campaign's parameters fill. */
export const UTM_PROPERTIES = {
  utm_source: '$utmSource',
  utm_medium: '$utmMedium',
  utm_campaign: '$utmCampaign',
  utm_term: '$utmTerm',
  utm_content: '$utmContent',
} as const

/** Name of a campaign property. */
export type UtmProperty = (typeof UTM_PROPERTIES)[keyof typeof UTM_PROPERTIES]

/** What the URL of an event says. */
export interface UrlFacts {
  readonly hostname: string
  readonly pathname: string
  /** The campaign properties that the query string has. */
  readonly utm: readonly (readonly [UtmProperty, string])[]
  /** The network whose ad was clicked, as a medium. */
  readonly click: ClickFacts | undefined
}

/** What the click id of an ad says. */
export interface ClickFacts {
  readonly medium: Medium
  readonly kind: SourceKind | undefined
}

const UTM = Object.entries(UTM_PROPERTIES)
const CLICKS = Object.entries(CLICK_IDS)
const QUERY = new QueryReader([...UTM, ...CLICKS].map(([parameter]) => parameter))
const NO_UTM: UrlFacts['utm'] = []

/** Creates a reader that remembers the last URL: the events of a visit come together, and share it. */
export function createUrlReader(): (text: string) => UrlFacts | undefined {
  let lastText = ''
  let lastFacts: UrlFacts | undefined
  return (text) => {
    if (text !== lastText) {
      lastFacts = readUrl(text)
      lastText = text
    }
    return lastFacts
  }
}

/** Reads the URL of an event; undefined when it is no http(s) URL. */
export function readUrl(text: string): UrlFacts | undefined {
  const parts = scanUrl(text)
  if (parts === undefined) return undefined
  const values = parts.query === '' ? undefined : QUERY.read(parts.query)
  return {
    hostname: parts.hostname,
    // Percent-encoding may have made it longer than the URL.
    pathname: cutText(parts.pathname),
    utm: values === undefined ? NO_UTM : readUtm(values),
    click: values && readClick(values),
  }
}

function readUtm(values: readonly (string | undefined)[]): UrlFacts['utm'] {
  const utm: (readonly [UtmProperty, string])[] = []
  for (const [index, [, property]] of UTM.entries()) {
    const value = values[index]
    if (value !== undefined) utm.push([property, cutText(value)])
  }
  return utm
}

function readClick(values: readonly (string | undefined)[]): ClickFacts | undefined {
  const network = CLICKS.find((_, index) => values[UTM.length + index] !== undefined)?.[1]
  if (network === undefined) return undefined
  if (network === 'display') return { medium: { isPaid: true, form: 'display' }, kind: undefined }
  return { medium: { isPaid: true }, kind: network }
}
