import type { EditableRow } from '../event/event-row.ts'
import { type HeaderReader, pickCdnHeaders } from './geo/cdn-headers.ts'

/**
 * The headers of a request that enrichment reads, by lower-case name. Plain data: the main thread only picks them, a worker
 * parses them.
 */
export type EnrichmentHeaders = Readonly<Record<string, string>>

/** Cloudflare's bot headers. */
const BOT_HEADERS = ['cf-bot-score', 'cf-verified-bot'] as const

const [SCORE_HEADER, VERIFIED_HEADER] = BOT_HEADERS
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

/**
 * Picks the headers that a CDN adds; `undefined` when there are none, as in most requests. Call it for trusted peers only, since
 * any client can send such headers. `header` takes lower-case names.
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

/** The CDN's assessment of the client; absent parts are unknown. Plain data: it is sent between threads. */
export interface BotFacts {
  /** From 1 (a bot) to 99 (a human). */
  readonly score?: number
  /** Whether the CDN has verified the identity of the bot. */
  readonly isVerified?: boolean
}

/** Parses Cloudflare's bot headers; `undefined` when neither has a valid value. */
export function readBotHeaders(header: HeaderReader): BotFacts | undefined {
  const rawScore = header(SCORE_HEADER)?.trim() ?? ''
  const score = /^\d{1,2}$/.test(rawScore) ? Number(rawScore) : undefined
  const isVerified = BOOLEANS.get(header(VERIFIED_HEADER)?.trim().toLowerCase() ?? '')
  if (score === undefined && isVerified === undefined) return undefined
  return { ...(score !== undefined && { score }), ...(isVerified !== undefined && { isVerified }) }
}

/** Below this score Cloudflare calls a client likely automated; 0 is a request that was not scored. */
const HUMAN_SCORE_MIN = 30

/** Whether the CDN takes the client for a bot. */
export function isBotByCdn(facts: BotFacts | undefined): boolean {
  const { score = 0, isVerified = false } = facts ?? {}
  return isVerified || (score > 0 && score < HUMAN_SCORE_MIN)
}

/** Sets the CDN's properties. Values from clients are dropped by decoding. */
export function applyBots(row: EditableRow, facts: BotFacts | undefined): void {
  if (facts?.score !== undefined) row.setInt('$bot_score', BigInt(facts.score))
  if (facts?.isVerified !== undefined) row.setBool('$verified_bot', facts.isVerified)
}
