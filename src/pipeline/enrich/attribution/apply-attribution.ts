import { type EditableRow, isUnset } from '../../event/event-row.ts'
import { type Channel, channelOf } from './channel.ts'
import { readMedium } from './medium.ts'
import { type ReferrerFacts, referrerHost } from './referrer.ts'
import { siteOf } from './site.ts'
import { kindOfSource } from './source-kind.ts'
import type { ClickFacts, UrlFacts } from './url-facts.ts'

/** Readers that remember: what an event says was often said by the one before. */
export interface AttributionReaders {
  readonly readUrl: (text: string) => UrlFacts | undefined
  /** Reads what the host of a referrer says. */
  readonly readReferrer: (hostname: string) => ReferrerFacts
}

/**
 * Sets what the URL and the referrer of an event say. What is derived from them is always theirs, so that the path never
 * contradicts the URL; only campaign properties may come from the client. Runs for every event.
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

/** Sets the domain of a referrer that is another site, and answers what it says; one's own site is no referrer. */
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
  // Without a medium a source that we do not know leaves the answer to the referrer.
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
