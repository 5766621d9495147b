import { cutText } from '../../event/event-rules.ts'
import type { Medium } from './medium.ts'
import { QueryReader } from './query-parameters.ts'
import { scanUrl } from './scan-url.ts'
import type { SourceKind } from './source-tables.ts'
import { CLICK_IDS } from './source-tables.ts'

/** The properties of campaign parameters. */
const UTM_PROPERTIES = {
  utm_source: '$utmSource',
  utm_medium: '$utmMedium',
  utm_campaign: '$utmCampaign',
  utm_term: '$utmTerm',
  utm_content: '$utmContent',
} as const

/** Name of a campaign property. */
export type UtmProperty = (typeof UTM_PROPERTIES)[keyof typeof UTM_PROPERTIES]

/** Facts from the URL of an event. */
export interface UrlFacts {
  readonly hostname: string
  readonly pathname: string
  /** Campaign properties from the query string. */
  readonly utm: readonly (readonly [UtmProperty, string])[]
  /** Facts from the click id of an ad, if there is one. */
  readonly click: ClickFacts | undefined
}

/** Medium and kind of an ad's network. */
export interface ClickFacts {
  readonly medium: Medium
  readonly kind: SourceKind | undefined
}

const UTM = Object.entries(UTM_PROPERTIES)
const CLICKS = Object.entries(CLICK_IDS)
const QUERY = new QueryReader([...UTM, ...CLICKS].map(([parameter]) => parameter))
const NO_UTM: UrlFacts['utm'] = []

/** Creates a reader that caches the last URL, because consecutive events of a visit share it. */
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

/** Parses the URL of an event; `undefined` when it is not an http(s) URL. */
function readUrl(text: string): UrlFacts | undefined {
  const parts = scanUrl(text)
  if (parts === undefined) return undefined
  const values = parts.query === '' ? undefined : QUERY.read(parts.query)
  return {
    hostname: parts.hostname,
    // Percent-encoding can make it longer than the limit.
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
