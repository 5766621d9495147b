import { BOT_HEADERS } from './bots.ts'
import { type HeaderReader, pickCdnHeaders } from './geo/cdn-headers.ts'

/**
 * The headers of a request that enrichment reads, by lower-case name. Plain data, not looked into: the thread that has
 * the request only picks them, a worker reads them.
 */
export type EnrichmentHeaders = Readonly<Record<string, string>>

/**
 * Picks the headers that a CDN adds. Only for requests from a trusted peer: anybody can send such headers. `header` takes
 * lower-case names. Most requests have none of them: undefined.
 */
export function readEnrichmentHeaders(header: HeaderReader): EnrichmentHeaders | undefined {
  const picked: Record<string, string> = {}
  pickCdnHeaders(header, picked)
  for (const name of BOT_HEADERS) {
    const value = header(name)
    if (value) picked[name] = value
  }
  return Object.keys(picked).length === 0 ? undefined : picked
}
