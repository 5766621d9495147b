import type { Clock } from '../../kernel/clock.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import { requestOutbound } from '../../kernel/outbound/outbound-http.ts'

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

/** Sends a request to a URL of the operator's settings. Rejects without a response in time. */
export async function postToGoogle(
  post: GooglePost,
  clock: Clock,
  signal: AbortSignal,
): Promise<GoogleAnswer> {
  const response = await fetch(post.url, {
    method: 'POST',
    headers: post.headers,
    body: post.body,
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
  })
  return {
    status: response.status,
    body: parseObject(await readText(response)),
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after') ?? '', clock),
  }
}

/** Sends a request to a URL of a project's service account, which is checked as every user-entered address. */
export async function postToEntered(
  of: { readonly outbound: Outbound; readonly post: GooglePost },
  clock: Clock,
  signal: AbortSignal,
): Promise<GoogleAnswer> {
  const bounds = { timeoutMs: ANSWER_TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX }
  const answer = await requestOutbound(of.outbound, { ...of.post, method: 'POST', ...bounds }, signal)
  return {
    status: answer.status,
    body: parseObject(answer.body.toString()),
    retryAfterMs: parseRetryAfter(answer.headers['retry-after'] ?? '', clock),
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let byteCount = 0
  for await (const chunk of body ?? []) {
    byteCount += chunk.length
    if (byteCount > ANSWER_BYTES_MAX) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
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
