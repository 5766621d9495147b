import type { Clock } from '../../kernel/clock.ts'
import type { SendRequest } from '../../kernel/outbound/outbound-http.ts'

/** A response of one of Google's HTTP APIs. */
export interface GoogleAnswer {
  readonly status: number
  /** The JSON body; empty for other content. */
  readonly body: Readonly<Record<string, unknown>>
  /** The `retry-after` header in milliseconds; 0 without one. */
  readonly retryAfterMs: number
}

const ANSWER_TIMEOUT_MS = 10_000

/** Far more than any response has. */
const ANSWER_BYTES_MAX = 256 * 1024

/** A request. */
export interface GooglePost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends a request through a client for fixed or for entered hosts. Throws `OutboundError`, or the signal's reason. */
export async function postToGoogle(
  of: { readonly send: SendRequest; readonly post: GooglePost },
  clock: Clock,
  signal: AbortSignal,
): Promise<GoogleAnswer> {
  const bounds = { timeoutMs: ANSWER_TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX }
  const answer = await of.send({ ...of.post, method: 'POST', ...bounds }, signal)
  return {
    status: answer.status,
    body: parseObject(answer.body.toString()),
    retryAfterMs: parseRetryAfter(answer.headers['retry-after'] ?? '', clock),
  }
}

function parseObject(text: string): GoogleAnswer['body'] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Parses seconds or a date. */
function parseRetryAfter(text: string, clock: Clock): number {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const dateMs = Date.parse(text)
  return Number.isNaN(dateMs) ? 0 : Math.max(0, dateMs - clock.nowMs())
}
