import { type EditableRow, isUnset } from '../../event/event-row.ts'
import { type Channel, channelOf } from './channel.ts'
import { readMedium } from './medium.ts'
import { type ReferrerFacts, referrerHost } from './referrer.ts'
import { isWithin } from './site.ts'
import { kindOfSource } from './source-kind.ts'
import type { ClickFacts, UrlFacts } from './url-facts.ts'

/** Cached readers: consecutive events often share URL and referrer. */
export interface AttributionReaders {
  readonly readUrl: (text: string) => UrlFacts | undefined
  /** Looks up the host of a referrer. */
  readonly readReferrer: (hostname: string) => ReferrerFacts
  /** Looks up the site of a page. */
  readonly readSite: (hostname: string) => string
}

/** A referrer on the site of the page, or on one of the project's own domains. */
const INTERNAL = 'internal'

/**
 * Derives properties from the URL and the referrer of an event. Derived values replace those of the client, so that the path
 * never contradicts the URL; only campaign properties of the client are kept. Runs for every event.
 */
export function applyAttribution(
  row: EditableRow,
  readers: AttributionReaders,
  domains: readonly string[],
): void {
  const urlText = row.text('$url')
  const url = urlText === undefined ? undefined : readers.readUrl(urlText)
  if (url !== undefined) {
    row.setText('$pathname', url.pathname)
    row.setText('$hostname', url.hostname)
  }
  const referrer = applyReferrer(row, readers, { url, domains })
  if (url === undefined) return
  for (const [property, value] of url.utm) {
    if (isUnset(row, property)) row.setText(property, value)
  }
  const channel = eventChannel(row, url.click, referrer)
  if (channel === undefined) row.remove('$channel')
  else row.setText('$channel', channel)
}

/** Sets the domain of a referrer from another site, marks referrer spam and returns the facts. */
function applyReferrer(
  row: EditableRow,
  { readReferrer, readSite }: AttributionReaders,
  { url, domains }: { readonly url: UrlFacts | undefined; readonly domains: readonly string[] },
): ReferrerFacts | typeof INTERNAL | undefined {
  const text = row.text('$referrer')
  const hostname = text === undefined || text === '' ? undefined : referrerHost(text)
  if (hostname === undefined) return undefined
  const isInternal = hostname === url?.hostname || isWithin(hostname, domains)
  const referrer = isInternal ? undefined : readReferrer(hostname)
  if (referrer === undefined || (url !== undefined && referrer.site === readSite(url.hostname))) {
    row.remove('$referrerDomain')
    return INTERNAL
  }
  row.setText('$referrerDomain', referrer.hostname)
  if (referrer.isSpam) row.setBool('$bot', true)
  return referrer
}

/** The channel of an event; none within a visit, where an internal referrer leads from page to page without a campaign. */
function eventChannel(
  row: EditableRow,
  click: ClickFacts | undefined,
  from: ReferrerFacts | typeof INTERNAL | undefined,
): Channel | undefined {
  const referrer = from === INTERNAL ? undefined : from
  const source = campaignText(row, '$utmSource')
  const medium = campaignText(row, '$utmMedium')
  if (source === '' && medium === '' && click === undefined && campaignText(row, '$utmCampaign') === '') {
    return from === INTERNAL ? undefined : (referrer?.channel ?? 'Direct')
  }
  const named = kindOfSource(source)
  // Without a medium, an unknown source leaves the decision to the referrer.
  const isOpen = source === '' || medium === ''
  const fallback = isOpen ? (referrer?.kind ?? (medium === '' ? click?.kind : undefined)) : undefined
  return channelOf({
    medium: medium === '' ? click?.medium : readMedium(medium),
    kind: named ?? fallback,
    isReferred: referrer !== undefined,
    isTagged: true,
  })
}

function campaignText(row: EditableRow, property: string): string {
  return row.text(property)?.trim().toLowerCase() ?? ''
}
