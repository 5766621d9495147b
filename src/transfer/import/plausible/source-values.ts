import { LRUCache } from 'lru-cache'
import { PROMOTED_INDEX } from '../../../contract/promoted-properties.ts'
import { SourceText } from '../../../pipeline/encode/source-text.ts'
import { applyAttribution } from '../../../pipeline/enrich/attribution/apply-attribution.ts'
import { CampaignReader } from '../../../pipeline/enrich/attribution/campaign.ts'
import { ReferrerReader } from '../../../pipeline/enrich/attribution/referrer.ts'
import { UrlReader } from '../../../pipeline/enrich/attribution/url-facts.ts'
import type { EditableRow, TextSpan } from '../../../pipeline/event/event-row.ts'
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
  return row.get(PROMOTED_INDEX.$channel)
}

function toUrl(referrer: string): string {
  return referrer.includes('://') ? referrer : `https://${referrer}`
}

/** Texts of one event at a time. */
const SOURCE = new SourceText(4096)

/** An event that exists for its channel only: it has promoted texts and nothing else. */
class PromotedTexts implements EditableRow {
  readonly source = SOURCE
  readonly #texts = new Map<number, string>()

  constructor() {
    this.source.startRow()
  }

  get(index: number): string {
    return this.#texts.get(index) ?? ''
  }

  set(index: number, text: string): void {
    this.#texts.set(index, text)
  }

  isUnset(index: number): boolean {
    return this.get(index) === ''
  }

  promotedSpan(index: number): TextSpan | undefined {
    const start = this.source.tail
    return this.isUnset(index) ? undefined : { start, length: this.source.add(this.get(index)) }
  }

  setPromotedSpan(index: number, start: number, length: number): void {
    this.set(index, this.source.text(start, length))
  }

  setPromoted(index: number, { text }: StockText): void {
    this.set(index, text)
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
