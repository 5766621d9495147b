import { type EditableRow, isUnset } from '../../event/event-row.ts'
import { type Channel, channelOf } from './channel.ts'
import { readMedium } from './medium.ts'
import { type ReferrerFacts, referrerHost } from './referrer.ts'
import { siteOf } from './site.ts'
import { kindOfSource } from './source-kind.ts'
import type { ClickFacts, UrlFacts } from './url-facts.ts'

/** Cached readers: consecutive events often share URL and referrer. */
export interface AttributionReaders {
  readonly readUrl: (text: string) => UrlFacts | undefined
  /** Looks up the host of a referrer. */
  readonly readReferrer: (hostname: string) => ReferrerFacts
}

/**
 * Derives properties from the URL and the referrer of an event. Derived values replace those of the client, so that the path
 * never contradicts the URL; only campaign properties of the client are kept. Runs for every event.
 */
export function applyAttribution(row: EditableRow, { readUrl, readReferrer }: AttributionReaders): void {
  const urlText = row.text('$url')
  const url = urlText === undefined ? undefined : readUrl(urlText)
  if (url !== undefined) {
    row.setText('$pathname', url.pathname)
    row.setText('$hostname', url.hostname)
  }
  const referrer = applyReferrer(row, url, readReferrer)
  if (url === undefined) return
  for (const [property, value] of url.utm) {
    if (isUnset(row, property)) row.setText(property, value)
  }
  row.setText('$channel', eventChannel(row, url.click, referrer))
}

/**
 * Sets the domain of a referrer from another site, marks referrer spam and returns the facts; pages of the same site are no
 * referrers.
 */
function applyReferrer(
  row: EditableRow,
  url: UrlFacts | undefined,
  readReferrer: AttributionReaders['readReferrer'],
): ReferrerFacts | undefined {
  const text = row.text('$referrer')
  const hostname = text === undefined || text === '' ? undefined : referrerHost(text)
  if (hostname === undefined) return undefined
  const referrer = hostname === url?.hostname ? undefined : readReferrer(hostname)
  if (referrer === undefined || (url !== undefined && referrer.site === siteOf(url.hostname))) {
    row.remove('$referrerDomain')
    return undefined
  }
  row.setText('$referrerDomain', referrer.hostname)
  if (referrer.isSpam) row.setBool('$bot', true)
  return referrer
}

function eventChannel(
  row: EditableRow,
  click: ClickFacts | undefined,
  referrer: ReferrerFacts | undefined,
): Channel {
  const source = campaignText(row, '$utmSource')
  const medium = campaignText(row, '$utmMedium')
  if (source === '' && medium === '' && click === undefined && campaignText(row, '$utmCampaign') === '') {
    return referrer?.channel ?? 'Direct'
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
