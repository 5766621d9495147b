import type { EditableRow } from '../event/event-row.ts'
import { type HeaderReader, pickCdnHeaders } from './geo/cdn-headers.ts'

/**
 * The headers of a request that enrichment reads, by lower-case name. Plain data, not looked into: the thread that has
 * the request only picks them, a worker reads them.
 */
export type EnrichmentHeaders = Readonly<Record<string, string>>

/** Cloudflare's bot headers. */
const BOT_HEADERS = ['cf-bot-score', 'cf-verified-bot'] as const

const [SCORE_HEADER, VERIFIED_HEADER] = BOT_HEADERS
const TRUTH: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

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

/** What the CDN thinks of the client, each part only when it said so. Plain data: it travels between threads. */
export interface BotFacts {
  /** 1 is surely a bot, 99 surely a person. */
  readonly score?: number
  /** A bot that the CDN knows to be what it says it is. */
  readonly isVerified?: boolean
}

/** Reads Cloudflare's bot headers; undefined when neither says anything. */
export function readBotHeaders(header: HeaderReader): BotFacts | undefined {
  const rawScore = header(SCORE_HEADER)?.trim() ?? ''
  const score = /^\d{1,2}$/.test(rawScore) ? Number(rawScore) : undefined
  const isVerified = TRUTH.get(header(VERIFIED_HEADER)?.trim().toLowerCase() ?? '')
  if (score === undefined && isVerified === undefined) return undefined
  return { ...(score !== undefined && { score }), ...(isVerified !== undefined && { isVerified }) }
}

/** Sets the bot properties. A client's own values never get this far: decoding drops them. */
export function applyBots(row: EditableRow, facts: BotFacts | undefined): void {
  if (facts?.score !== undefined) row.setInt('$bot_score', BigInt(facts.score))
  if (facts?.isVerified !== undefined) row.setBool('$verified_bot', facts.isVerified)
}
