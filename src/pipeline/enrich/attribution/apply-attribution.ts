import { PROMOTED_INDEX } from '../../../contract/promoted-properties.ts'
import type { EditableRow } from '../../event/event-row.ts'
import type { StockText } from '../../event/stock-text.ts'
import { type CampaignReader, type ClickFacts, isCampaignBlank } from './campaign.ts'
import { channelOf, stockChannel } from './channel.ts'
import type { ReferrerFacts, ReferrerReader } from './referrer.ts'
import { isWithin } from './site.ts'
import type { PageHost, UrlReader } from './url-facts.ts'

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

const DIRECT = stockChannel('Direct')

/**
 * Derives properties from the URL and the referrer of an event. Derived values replace those of the client, so that the path
 * never contradicts the URL; only campaign properties of the client are kept. Runs for every event.
 */
export function applyAttribution(
  row: EditableRow,
  { urls, referrers, campaigns }: AttributionReaders,
  domains: readonly string[],
): void {
  const span = row.promotedSpan(URL_INDEX)
  const url = span && urls.read(row.source, span)
  if (url !== undefined) {
    row.setPromotedSpan(PATHNAME, url.pathStart, url.pathLength)
    row.setPromoted(HOSTNAME, url.host.hostname)
  }
  const referrer = applyReferrer(row, referrers, { page: url?.host, domains })
  if (url === undefined) return
  const click = campaigns.apply(row, url)
  const channel = eventChannel(row, campaigns, { click, from: referrer })
  if (channel === undefined) row.removePromoted(CHANNEL)
  else row.setPromoted(CHANNEL, channel)
}

/** Sets the domain of a referrer from another site, marks referrer spam and returns the facts. */
function applyReferrer(
  row: EditableRow,
  reader: ReferrerReader,
  { page, domains }: { readonly page: PageHost | undefined; readonly domains: readonly string[] },
): ReferrerFacts | typeof INTERNAL | undefined {
  const span = row.promotedSpan(REFERRER)
  const referrer = span && reader.read(row.source, span)
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
): StockText | undefined {
  const referrer = from === INTERNAL ? undefined : from
  const source = campaigns.source(row)
  const medium = campaigns.medium(row)
  if (source.isBlank && medium.isBlank && click === undefined && isCampaignBlank(row)) {
    return from === INTERNAL ? undefined : (referrer?.channel ?? DIRECT)
  }
  // Without a medium, an unknown source leaves the decision to the referrer.
  const isOpen = source.isBlank || medium.isBlank
  const fallback = isOpen ? (referrer?.kind ?? (medium.isBlank ? click?.kind : undefined)) : undefined
  const channel = channelOf({
    medium: medium.isBlank ? click?.medium : medium.medium,
    kind: source.kind ?? fallback,
    isReferred: referrer !== undefined,
    isTagged: true,
  })
  return stockChannel(channel)
}
