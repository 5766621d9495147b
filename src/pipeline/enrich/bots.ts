import type { EnrichedRow } from './enriched-row.ts'
import type { HeaderReader } from './geo/cdn-headers.ts'

/** What the CDN thinks of the client, each part only when it said so. Plain data: it travels between threads. */
export interface BotFacts {
  /** 1 is surely a bot, 99 surely a person. */
  readonly score?: number
  /** A bot that the CDN knows to be what it says it is. */
  readonly isVerified?: boolean
}

/** The headers that {@link readBotHeaders} reads. */
export const BOT_HEADERS = ['cf-bot-score', 'cf-verified-bot'] as const

const [SCORE_HEADER, VERIFIED_HEADER] = BOT_HEADERS
const TRUTH: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

/** Reads Cloudflare's bot headers; undefined when neither says anything. */
export function readBotHeaders(header: HeaderReader): BotFacts | undefined {
  const rawScore = header(SCORE_HEADER)?.trim() ?? ''
  const score = /^\d{1,2}$/.test(rawScore) ? Number(rawScore) : undefined
  const isVerified = TRUTH.get(header(VERIFIED_HEADER)?.trim().toLowerCase() ?? '')
  if (score === undefined && isVerified === undefined) return undefined
  return { ...(score !== undefined && { score }), ...(isVerified !== undefined && { isVerified }) }
}

/** Sets the bot properties. A client's own values never get this far: decoding drops them. */
export function applyBots(row: EnrichedRow, facts: BotFacts | undefined): void {
  if (facts?.score !== undefined) row.setInt('$bot_score', BigInt(facts.score))
  if (facts?.isVerified !== undefined) row.setBool('$verified_bot', facts.isVerified)
}
