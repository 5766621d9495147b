import { LRUCache } from 'lru-cache'
import { PROMOTED_INDEX } from '../../../contract/promoted-properties.ts'
import { applyAttribution } from '../../../pipeline/enrich/attribution/apply-attribution.ts'
import { CampaignReader } from '../../../pipeline/enrich/attribution/campaign.ts'
import { ReferrerReader } from '../../../pipeline/enrich/attribution/referrer.ts'
import { UrlReader } from '../../../pipeline/enrich/attribution/url-facts.ts'
import type { Derivation, EditableRow } from '../../../pipeline/event/event-row.ts'
import type { StockText } from '../../../pipeline/event/stock-text.ts'

type ReadCell = (column: string) => string | undefined

const HOSTS_MAX = 10_000
const SOURCES_MAX = 10_000

const READERS = {
  urls: new UrlReader(HOSTS_MAX),
  referrers: new ReferrerReader(HOSTS_MAX),
  campaigns: new CampaignReader(),
}

/** A page of no site: every referrer is one of another site. */
const PAGE = 'https://page.invalid/'
const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const

/** The domain of a referrer, which has no scheme there; of older exports, which have none, the name of the source. */
export function domainOfReferrer(cell: ReadCell): string | undefined {
  const referrer = cell('referrer')
  if (referrer === undefined) return cell('source')
  return referrer === '' ? '' : (READERS.referrers.ofText(toUrl(referrer))?.hostname.text ?? '')
}

const channels = new LRUCache<string, string>({ max: SOURCES_MAX })

/** The channel of a visit by its referrer and campaign, found as that of an event; unknown without a column of referrers. */
export function channelOfSource(cell: ReadCell): string | undefined {
  const referrer = cell('referrer')
  if (referrer === undefined) return undefined
  const query = new URLSearchParams()
  for (const name of UTM) {
    const value = cell(name) ?? ''
    if (value !== '') query.set(name, value)
  }
  const key = `${query}\n${referrer}`
  const known = channels.get(key)
  if (known !== undefined) return known
  const channel = findChannel(`${PAGE}?${query}`, referrer === '' ? '' : toUrl(referrer))
  channels.set(key, channel)
  return channel
}

function findChannel(url: string, referrer: string): string {
  const row = new PromotedTexts()
  row.set(PROMOTED_INDEX.$url, url)
  row.set(PROMOTED_INDEX.$referrer, referrer)
  applyAttribution(row, READERS, [])
  return row.promotedText(PROMOTED_INDEX.$channel) ?? ''
}

function toUrl(referrer: string): string {
  return referrer.includes('://') ? referrer : `https://${referrer}`
}

/** An event that exists for its channel only: it has promoted texts and nothing else. */
class PromotedTexts implements EditableRow {
  readonly #texts = new Map<number, string>()

  set(index: number, text: string): void {
    this.#texts.set(index, text)
  }

  isUnset(index: number): boolean {
    return (this.#texts.get(index) ?? '') === ''
  }

  promotedText(index: number): string | undefined {
    return this.#texts.get(index)
  }

  derive<Facts>(index: number, derivation: Derivation<Facts>): Facts | undefined {
    return this.isUnset(index) ? undefined : derivation.ofText(this.#texts.get(index) ?? '')
  }

  setPromoted(index: number, value: StockText): void {
    this.#texts.set(index, value.text)
  }

  removePromoted(index: number): void {
    this.#texts.delete(index)
  }

  text(): undefined {}
  has(): boolean {
    return false
  }
  setText(): void {}
  setInt(): void {}
  setDouble(): void {}
  setBool(): void {}
  remove(): void {}
}
