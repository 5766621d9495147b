import type { Clock } from '../../kernel/clock.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import { requestOutbound } from '../../kernel/outbound/outbound-http.ts'

/** An answer of one of Google's HTTP interfaces. */
export interface GoogleAnswer {
  readonly status: number
  /** The answer's JSON; empty when it is none. */
  readonly body: Readonly<Record<string, unknown>>
  /** Milliseconds after which to come again; 0 when the answer does not say. */
  readonly retryAfterMs: number
}

const ANSWER_TIMEOUT_MS = 10_000

/** Far more than any answer has. */
const ANSWER_BYTES_MAX = 256 * 1024

/** What is sent where. */
export interface GooglePost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends a request to where the operator's settings say, and reads its answer. Rejects when there is none in time. */
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

/** The same for an address that came with a project's service account. */
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

/** Seconds, or a date. */
function parseRetryAfter(text: string, clock: Clock): number {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const dateMs = Date.parse(text)
  return Number.isNaN(dateMs) ? 0 : Math.max(0, dateMs - clock.nowMs())
}
