import { LRUCache } from 'lru-cache'
import { PROMOTED_INDEX } from '../../../contract/promoted-properties.ts'
import { ByteCache } from '../../encode/byte-cache.ts'
import type { Derivation, TextBytes } from '../../event/event-row.ts'
import { cutText } from '../../event/event-rules.ts'
import { type StockText, stockText } from '../../event/stock-text.ts'
import type { Medium } from './medium.ts'
import { QueryReader } from './query-parameters.ts'
import { parseUrl, scanUrl } from './scan-url.ts'
import { createSiteReader } from './site.ts'
import type { SourceKind } from './source-tables.ts'
import { CLICK_IDS } from './source-tables.ts'
import { findAuthority, findPathEnd, findQueryEnd, textOf } from './url-bytes.ts'

/** Facts from the host and the path of a URL. */
export interface PageFacts {
  readonly hostname: StockText
  readonly pathname: StockText
  /** The site of the host. */
  readonly site: string
}

/** Facts from the query of a URL. */
export interface CampaignFacts {
  /** Values of campaign parameters, by index of their properties. */
  readonly utm: readonly (readonly [index: number, value: StockText])[]
  /** Facts from the click id of an ad, if there is one. */
  readonly click: ClickFacts | undefined
}

/** Facts from the URL of an event. */
export interface UrlFacts {
  readonly page: PageFacts
  readonly campaign: CampaignFacts
}

/** Medium and kind of an ad's network. */
export interface ClickFacts {
  readonly medium: Medium
  readonly kind: SourceKind | undefined
}

/** Campaign parameters, and the properties that they become. */
const UTM = [
  ['utm_source', PROMOTED_INDEX.$utmSource],
  ['utm_medium', PROMOTED_INDEX.$utmMedium],
  ['utm_campaign', PROMOTED_INDEX.$utmCampaign],
  ['utm_term', PROMOTED_INDEX.$utmTerm],
  ['utm_content', PROMOTED_INDEX.$utmContent],
] as const

const CLICKS = Object.entries(CLICK_IDS)
const QUERY = new QueryReader([...UTM, ...CLICKS].map(([parameter]) => parameter))
const NO_CAMPAIGN: CampaignFacts = { utm: [], click: undefined }

/** Kept pages and queries: those of a day of most sites; a page is below 1 KiB, and mostly below 400 bytes. */
const PAGES_MAX = 4096
const QUERIES_MAX = 1024
const KEY_BYTES_MAX = 1024 * 1024

/** Kept values of campaign parameters: clicks of ads differ in their ids, and share these. An entry is below 8 KiB, and mostly below 300 bytes. */
const VALUES_MAX = 1024

/**
 * Derives facts from URLs; `undefined` for a text that is not an http(s) URL. Pages and queries are kept apart, because each
 * click of an ad has a query of its own. Of the text of a URL with common bytes, nothing but these two parts matters: see
 * {@link findPathEnd}. Speed: `task/browser-json-100`.
 */
export class UrlReader implements Derivation<UrlFacts> {
  readonly #pages = new ByteCache<PageFacts | 'invalid'>(PAGES_MAX, KEY_BYTES_MAX)
  readonly #queries = new ByteCache<CampaignFacts>(QUERIES_MAX, KEY_BYTES_MAX)
  readonly #values = new LRUCache<string, StockText>({ max: VALUES_MAX })
  readonly #readSite: (hostname: string) => string

  constructor(hostsMax: number) {
    this.#readSite = createSiteReader(hostsMax)
  }

  ofText(text: string): UrlFacts | undefined {
    const parts = parseUrl(text)
    return parts && { page: this.#pageOf(parts), campaign: this.#readCampaign(parts.query) }
  }

  ofBytes(source: TextBytes, start: number, length: number): UrlFacts | undefined {
    const end = start + length
    const authority = findAuthority(source, start, length)
    const pathEnd = authority === 0 ? -1 : findPathEnd(source.bytes, authority, end)
    if (pathEnd < 0) return this.ofText(textOf(source, start, end))
    const isQuery = source.bytes[pathEnd] === QUESTION_MARK && pathEnd < end
    const queryEnd = isQuery ? findQueryEnd(source.bytes, pathEnd + 1, end) : pathEnd
    if (queryEnd < 0) return this.ofText(textOf(source, start, end))
    const page = this.#findPage(source, authority, pathEnd)
    if (page === 'invalid') return undefined
    const campaign = isQuery ? this.#findCampaign(source, pathEnd + 1, queryEnd) : NO_CAMPAIGN
    return { page, campaign }
  }

  #findPage(source: TextBytes, start: number, end: number): PageFacts | 'invalid' {
    const known = this.#pages.find(source.view, start, end - start)
    if (known !== undefined) return known
    const parts = scanUrl(`https://${textOf(source, start, end)}`)
    const page = parts ? this.#pageOf(parts) : 'invalid'
    this.#pages.add(source, start, end - start, page)
    return page
  }

  #findCampaign(source: TextBytes, start: number, end: number): CampaignFacts {
    const known = this.#queries.find(source.view, start, end - start)
    if (known !== undefined) return known
    const campaign = this.#readCampaign(textOf(source, start, end))
    this.#queries.add(source, start, end - start, campaign)
    return campaign
  }

  #readCampaign(query: string): CampaignFacts {
    const values = query === '' ? undefined : QUERY.read(query)
    if (values === undefined) return NO_CAMPAIGN
    const utm: (readonly [number, StockText])[] = []
    for (const [at, [, index]] of UTM.entries()) {
      const value = values[at]
      if (value !== undefined) utm.push([index, this.#stock(cutText(value))])
    }
    return { utm, click: readClick(values) }
  }

  #stock(value: string): StockText {
    const known = this.#values.get(value)
    if (known !== undefined) return known
    const stock = stockText(value)
    this.#values.set(value, stock)
    return stock
  }

  #pageOf({ hostname, pathname }: { readonly hostname: string; readonly pathname: string }): PageFacts {
    // Percent-encoding can make the path longer than the limit.
    const path = stockText(cutText(pathname))
    return { hostname: stockText(hostname), pathname: path, site: this.#readSite(hostname) }
  }
}

const QUESTION_MARK = 0x3f

function readClick(values: readonly (string | undefined)[]): ClickFacts | undefined {
  const network = CLICKS.find((_, index) => values[UTM.length + index] !== undefined)?.[1]
  if (network === undefined) return undefined
  if (network === 'display') return { medium: { isPaid: true, form: 'display' }, kind: undefined }
  return { medium: { isPaid: true }, kind: network }
}
