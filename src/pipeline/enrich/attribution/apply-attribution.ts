import { PROMOTED_INDEX } from '../../../contract/promoted-properties.ts'
import type { EditableRow } from '../../event/event-row.ts'
import type { CampaignReader } from './campaign.ts'
import { type Channel, channelOf, stockChannel } from './channel.ts'
import type { ReferrerFacts, ReferrerReader } from './referrer.ts'
import { isWithin } from './site.ts'
import type { ClickFacts, PageFacts, UrlReader } from './url-facts.ts'

/** Readers that keep what they derived lately: consecutive events often share URL and referrer. */
export interface AttributionReaders {
  readonly urls: UrlReader
  readonly referrers: ReferrerReader
  readonly campaigns: CampaignReader
}

/** A referrer on the site of the page, or on one of the project's own domains. */
const INTERNAL = 'internal'

const URL_INDEX = PROMOTED_INDEX.$url
const PATHNAME = PROMOTED_INDEX.$pathname
const HOSTNAME = PROMOTED_INDEX.$hostname
const REFERRER = PROMOTED_INDEX.$referrer
const REFERRER_DOMAIN = PROMOTED_INDEX.$referrerDomain
const CHANNEL = PROMOTED_INDEX.$channel
const UTM_SOURCE = PROMOTED_INDEX.$utmSource
const UTM_MEDIUM = PROMOTED_INDEX.$utmMedium
const UTM_CAMPAIGN = PROMOTED_INDEX.$utmCampaign

/**
 * Derives properties from the URL and the referrer of an event. Derived values replace those of the client, so that the path
 * never contradicts the URL; only campaign properties of the client are kept. Runs for every event.
 */
export function applyAttribution(
  row: EditableRow,
  readers: AttributionReaders,
  domains: readonly string[],
): void {
  const url = row.derive(URL_INDEX, readers.urls)
  if (url !== undefined) {
    row.setPromoted(PATHNAME, url.page.pathname)
    row.setPromoted(HOSTNAME, url.page.hostname)
  }
  const referrer = applyReferrer(row, readers.referrers, { page: url?.page, domains })
  if (url === undefined) return
  const { utm, click } = url.campaign
  for (const [index, value] of utm) {
    if (row.isUnset(index)) row.setPromoted(index, value)
  }
  const channel = eventChannel(row, readers.campaigns, { click, from: referrer })
  if (channel === undefined) row.removePromoted(CHANNEL)
  else row.setPromoted(CHANNEL, stockChannel(channel))
}

/** Sets the domain of a referrer from another site, marks referrer spam and returns the facts. */
function applyReferrer(
  row: EditableRow,
  reader: ReferrerReader,
  { page, domains }: { readonly page: PageFacts | undefined; readonly domains: readonly string[] },
): ReferrerFacts | typeof INTERNAL | undefined {
  const referrer = row.derive(REFERRER, reader)
  if (referrer === undefined) return undefined
  const hostname = referrer.hostname.text
  const isSameSite = page !== undefined && (hostname === page.hostname.text || referrer.site === page.site)
  if (isSameSite || isWithin(hostname, domains)) {
    row.removePromoted(REFERRER_DOMAIN)
    return INTERNAL
  }
  row.setPromoted(REFERRER_DOMAIN, referrer.hostname)
  if (referrer.isSpam) row.setBool('$bot', true)
  return referrer
}

/** The channel of an event; none within a visit, where an internal referrer leads from page to page without a campaign. */
function eventChannel(
  row: EditableRow,
  campaigns: CampaignReader,
  {
    click,
    from,
  }: {
    readonly click: ClickFacts | undefined
    readonly from: ReferrerFacts | typeof INTERNAL | undefined
  },
): Channel | undefined {
  const referrer = from === INTERNAL ? undefined : from
  const source = campaignText(row, UTM_SOURCE)
  const medium = campaignText(row, UTM_MEDIUM)
  if (source === '' && medium === '' && click === undefined && campaignText(row, UTM_CAMPAIGN) === '') {
    return from === INTERNAL ? undefined : (referrer?.channel ?? 'Direct')
  }
  const named = campaigns.read(source, medium)
  // Without a medium, an unknown source leaves the decision to the referrer.
  const isOpen = source === '' || medium === ''
  const fallback = isOpen ? (referrer?.kind ?? (medium === '' ? click?.kind : undefined)) : undefined
  return channelOf({
    medium: medium === '' ? click?.medium : named.medium,
    kind: named.kind ?? fallback,
    isReferred: referrer !== undefined,
    isTagged: true,
  })
}

function campaignText(row: EditableRow, index: number): string {
  return row.isUnset(index) ? '' : (row.promotedText(index)?.trim().toLowerCase() ?? '')
}
