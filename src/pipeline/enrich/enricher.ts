import { LRUCache } from 'lru-cache'
import type { EditableRow } from '../event/event-row.ts'
import { applyAttribution } from './attribution/apply-attribution.ts'
import { createReferrerReader } from './attribution/referrer.ts'
import { createUrlReader } from './attribution/url-facts.ts'
import type { EnrichmentHeaders } from './enrichment-headers.ts'
import { applyBots, type BotFacts, readBotHeaders } from './enrichment-headers.ts'
import { readCdnGeo } from './geo/cdn-headers.ts'
import { createAddressReader, openGeoDatabase } from './geo/geo-database.ts'
import type { GeoFacts } from './geo/geo-facts.ts'
import { applyGeo } from './geo/geo-facts.ts'
import {
  applyUserAgent,
  parseUserAgent,
  USER_AGENT_LENGTH_MAX,
  type UserAgentFacts,
} from './user-agent/parse-user-agent.ts'
import { type PatternLists, readPatternLists } from './user-agent/pattern-list.ts'

/** Facts that all events of a request share. Plain data. */
export interface RequestFacts {
  readonly geo: GeoFacts | undefined
  readonly bot: BotFacts | undefined
  readonly userAgent: UserAgentFacts | undefined
}

/** The parts of a request that enrichment reads. Plain data: it is sent to a worker. */
export interface EnrichmentRequest {
  /** The result of `readEnrichmentHeaders`, for trusted peers only. */
  readonly headers: EnrichmentHeaders | undefined
  readonly userAgent: string | undefined
  /** Canonical text of the client's address, without a zone. */
  readonly clientAddress: string | undefined
}

/** Adds properties to events from their request, URL and referrer. */
export interface Enricher {
  /** Derives the facts of a request, once for all of its events. */
  forRequest(request: EnrichmentRequest): RequestFacts
  /** Enriches one event. */
  enrich(row: EditableRow, facts: RequestFacts): void
  /** Stops watching the GeoIP database. */
  close(): void
}

/** Options of an enricher. */
export interface EnricherOptions {
  /** Path of an MMDB file. */
  readonly geoipPath?: string | undefined
  /** Called when the MMDB file, or a new version of it, cannot be loaded, or when the loaded one is damaged. */
  readonly onGeoipError?: (error: Error) => void
}

/** Cached user agents: a few thousand cover nearly all traffic of a day; an entry is below 1 KiB. */
const USER_AGENTS_MAX = 4096
/** Cached addresses: requests of one client arrive close together; an entry is below 0.5 KiB. */
const ADDRESSES_MAX = 16_384
/** Cached referrer hosts: most visitors come from few hosts; an entry is below 0.5 KiB. */
const REFERRER_HOSTS_MAX = 2048

/**
 * Creates the enricher of a worker thread. Takes about a quarter of a second, because it reads and compiles the patterns of user
 * agents.
 */
export function createEnricher(options: EnricherOptions = {}): Enricher {
  const { geoipPath, onGeoipError = () => {} } = options
  const database = geoipPath === undefined ? undefined : openGeoDatabase(geoipPath, onGeoipError)
  const findAddress = database && createAddressReader(database, ADDRESSES_MAX)
  const readUserAgent = createUserAgentReader(readPatternLists())
  const readers = { readUrl: createUrlReader(), readReferrer: createReferrerReader(REFERRER_HOSTS_MAX) }
  return {
    forRequest({ headers, userAgent, clientAddress }) {
      const header = headers && ((name: string) => headers[name])
      const geo = header && readCdnGeo(header)
      return {
        geo: geo ?? (clientAddress === undefined ? undefined : findAddress?.(clientAddress)),
        bot: header && readBotHeaders(header),
        userAgent: userAgent === undefined ? undefined : readUserAgent(userAgent),
      }
    },
    enrich(row, facts) {
      applyGeo(row, facts.geo)
      applyBots(row, facts.bot)
      applyUserAgent(row, facts.userAgent)
      applyAttribution(row, readers)
    },
    close: () => database?.close(),
  }
}

function createUserAgentReader(patterns: PatternLists): (text: string) => UserAgentFacts {
  const cache = new LRUCache<string, UserAgentFacts>({ max: USER_AGENTS_MAX })
  // A text without a match makes the engine compile all patterns now instead of in the first request.
  parseUserAgent(patterns, 'unknown')
  return (text) => {
    const key = text.slice(0, USER_AGENT_LENGTH_MAX)
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const facts = parseUserAgent(patterns, key)
    cache.set(key, facts)
    return facts
  }
}
