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

/** What a request says about all of its events. Plain data. */
export interface RequestFacts {
  readonly geo: GeoFacts | undefined
  readonly bot: BotFacts | undefined
  readonly userAgent: UserAgentFacts | undefined
}

/** What enrichment reads of a request. Plain data: it travels from the thread that has the request to a worker. */
export interface EnrichmentRequest {
  /** What `readEnrichmentHeaders` answered, for a trusted peer only. */
  readonly headers: EnrichmentHeaders | undefined
  readonly userAgent: string | undefined
  /** Canonical text of the client's address, without a zone. */
  readonly clientAddress: string | undefined
}

/** Adds to events what their request, their URL and their referrer say. */
export interface Enricher {
  /** Reads a request, once for all of its events. */
  forRequest(request: EnrichmentRequest): RequestFacts
  /** Enriches one event. */
  enrich(row: EditableRow, facts: RequestFacts): void
  /** Stops following the GeoIP database. */
  close(): void
}

/** How an enricher is made. */
export interface EnricherOptions {
  /** Path of an MMDB file. */
  readonly geoipPath?: string | undefined
  /** Hears that the MMDB file, or a new version of it, could not be loaded, or that the loaded one is damaged. */
  readonly onGeoipError?: (error: Error) => void
}

/** A few thousand user agents are nearly all of a day's traffic; an entry is below 1 KiB. */
const USER_AGENTS_MAX = 4096
/** Requests of one client come close together; an entry is below 0.5 KiB. */
const ADDRESSES_MAX = 16_384
/** Most visitors come from few hosts; an entry is below 0.5 KiB. */
const REFERRER_HOSTS_MAX = 2048

/**
 * Creates an enricher; one for each worker thread. Takes about a quarter of a second, because the patterns of user agents
 * are read and compiled.
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
  const known = new LRUCache<string, UserAgentFacts>({ max: USER_AGENTS_MAX })
  // A text that no pattern matches makes the engine compile all of them now, and not in the first request.
  parseUserAgent(patterns, 'unknown')
  return (text) => {
    const key = text.slice(0, USER_AGENT_LENGTH_MAX)
    const remembered = known.get(key)
    if (remembered !== undefined) return remembered
    const facts = parseUserAgent(patterns, key)
    known.set(key, facts)
    return facts
  }
}
