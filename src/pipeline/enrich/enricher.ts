import { LRUCache } from 'lru-cache'
import type { EditableRow } from '../event/event-row.ts'
import { type StockText, stockText } from '../event/stock-text.ts'
import { applyAttribution } from './attribution/apply-attribution.ts'
import { CampaignReader } from './attribution/campaign.ts'
import { ReferrerReader } from './attribution/referrer.ts'
import { UrlReader } from './attribution/url-facts.ts'
import { isBotAgent } from './bots/bot-agent.ts'
import { readDomainFile, readNetworkFile } from './bots/list-files.ts'
import type { NetworkList } from './bots/network-list.ts'
import type { EnrichmentHeaders } from './enrichment-headers.ts'
import { applyBots, type BotFacts, isBotByCdn, readBotHeaders } from './enrichment-headers.ts'
import { readCdnGeo } from './geo/cdn-headers.ts'
import { createAddressReader, openGeoDatabase } from './geo/geo-database.ts'
import { applyGeo, type GeoProperties, geoProperties } from './geo/geo-facts.ts'
import {
  applyUserAgent,
  parseUserAgent,
  USER_AGENT_LENGTH_MAX,
  type UserAgentProperties,
  userAgentProperties,
} from './user-agent/parse-user-agent.ts'
import { type PatternLists, readPatternLists } from './user-agent/pattern-list.ts'

/** Facts that all events of a request share. Plain data. */
export interface RequestFacts {
  readonly geo: GeoProperties | undefined
  readonly bot: BotFacts | undefined
  readonly userAgent: UserAgentProperties | undefined
  readonly botMark: BotMark
  /** The own domains of the project. */
  readonly domains: readonly string[]
}

/**
 * The treatment of `$bot`: set for requests of bots. Otherwise it is removed from requests with a public key, which anyone can
 * read, and kept in those with a private key, such as an import.
 */
export type BotMark = 'set' | 'removed' | 'kept'

/** The parts of a request that enrichment reads. Plain data: it is sent to a worker. */
export interface EnrichmentRequest {
  /** The result of `readEnrichmentHeaders`, for trusted peers only. */
  readonly headers: EnrichmentHeaders | undefined
  readonly userAgent: string | undefined
  /** Canonical text of the client's address, without a zone. */
  readonly clientAddress: string | undefined
  /** Whether the request has a public key, as those of browsers and apps have. */
  readonly isPublicKey: boolean
  /** The own domains of the project. */
  readonly domains: readonly string[]
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
  /** Path of a file of address ranges of bots. */
  readonly botNetworksPath?: string | undefined
  /** Path of a file of domains that send referrer spam. */
  readonly referrerSpamPath?: string | undefined
  /** Called when one of these files cannot be read any more; ingestion continues without it. */
  readonly onListError?: (error: Error) => void
}

/** Cached user agents: a few thousand cover nearly all traffic of a day; an entry is below 1 KiB. */
const USER_AGENTS_MAX = 4096
/** Cached addresses: requests of one client arrive close together; an entry is below 0.5 KiB. */
const ADDRESSES_MAX = 16_384
/** Kept names of places: most visitors of a site come from few; an entry is below 0.5 KiB. */
const PLACES_MAX = 4096
/** Cached hosts of pages, and of referrers: most visitors come from few hosts; an entry is below 0.5 KiB. */
const HOSTS_MAX = 2048

/**
 * Creates the enricher of a worker thread. Takes about a quarter of a second, because it reads and compiles the patterns of user
 * agents.
 */
export function createEnricher(options: EnricherOptions = {}): Enricher {
  const { geoipPath, onGeoipError = () => {} } = options
  const database = geoipPath === undefined ? undefined : openGeoDatabase(geoipPath, onGeoipError)
  const findAddress = database && createAddressReader(database, ADDRESSES_MAX)
  const readUserAgent = createUserAgentReader(readPatternLists())
  const isBotAddress = cacheAddresses(readList(options.botNetworksPath, readNetworkFile, options))
  const encodePlace = createTextEncoder(PLACES_MAX)
  const isSpammer = readList(options.referrerSpamPath, readDomainFile, options)
  const readers = {
    urls: new UrlReader(HOSTS_MAX),
    referrers: new ReferrerReader(HOSTS_MAX, isSpammer),
    campaigns: new CampaignReader(),
  }
  return {
    forRequest({ headers, userAgent, clientAddress, isPublicKey, domains }) {
      const header = headers && ((name: string) => headers[name])
      const geo =
        (header && readCdnGeo(header)) ??
        (clientAddress === undefined ? undefined : findAddress?.(clientAddress))
      const bot = header && readBotHeaders(header)
      const agent = userAgent === undefined ? undefined : readUserAgent(userAgent)
      const isBot = isBotByCdn(bot) || (isPublicKey && (agent?.isBot === true || isBotAddress(clientAddress)))
      return {
        geo: geo && geoProperties(geo, encodePlace),
        bot,
        userAgent: agent?.facts,
        botMark: isBot ? 'set' : isPublicKey ? 'removed' : 'kept',
        domains,
      }
    },
    enrich(row, facts) {
      applyGeo(row, facts.geo)
      applyBots(row, facts.bot)
      applyBotMark(row, facts.botMark)
      applyUserAgent(row, facts.userAgent)
      applyAttribution(row, readers, facts.domains)
    },
    close: () => database?.close(),
  }
}

/** Before attribution, which marks referrer spam. */
function applyBotMark(row: EditableRow, mark: BotMark): void {
  if (mark === 'set') row.setBool('$bot', true)
  else if (mark === 'removed' && row.has('$bot')) row.remove('$bot')
}

function createTextEncoder(textsMax: number): (text: string) => StockText {
  const cache = new LRUCache<string, StockText>({ max: textsMax })
  return (text) => {
    const cached = cache.get(text)
    if (cached !== undefined) return cached
    const encoded = stockText(text)
    cache.set(text, encoded)
    return encoded
  }
}

/** The facts of a user agent. */
interface Agent {
  readonly facts: UserAgentProperties
  readonly isBot: boolean
}

function createUserAgentReader(patterns: PatternLists): (text: string) => Agent {
  const cache = new LRUCache<string, Agent>({ max: USER_AGENTS_MAX })
  // A text without a match makes the engine compile all patterns now instead of in the first request.
  parseUserAgent(patterns, 'unknown')
  isBotAgent('unknown')
  return (text) => {
    const key = text.slice(0, USER_AGENT_LENGTH_MAX)
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const agent = { facts: userAgentProperties(parseUserAgent(patterns, key)), isBot: isBotAgent(key) }
    cache.set(key, agent)
    return agent
  }
}

/** Reads the file of a setting; the start of the service has checked it. */
function readList<List>(
  path: string | undefined,
  read: (path: string) => List,
  { onListError = () => {} }: EnricherOptions,
): List | undefined {
  try {
    return path === undefined ? undefined : read(path)
  } catch (error) {
    onListError(error instanceof Error ? error : new Error(String(error)))
    return undefined
  }
}

/** Without a list, no address is that of a bot. */
function cacheAddresses(networks: NetworkList | undefined): (address: string | undefined) => boolean {
  if (networks === undefined) return () => false
  const cache = new LRUCache<string, boolean>({ max: ADDRESSES_MAX })
  return (address) => {
    if (address === undefined) return false
    const cached = cache.get(address)
    if (cached !== undefined) return cached
    const isBot = networks.includes(address)
    cache.set(address, isBot)
    return isBot
  }
}
