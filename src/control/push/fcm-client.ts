import { type BackoffBounds, delayAfter } from '../../kernel/backoff.ts'
import { type Clock, sleep } from '../../kernel/clock.ts'
import { requestFixedHost } from '../../kernel/outbound/outbound-http.ts'
import type { FcmAccount } from '../projects/fcm-account.ts'
import { type FcmTokens, PushRefusedError, PushUnavailableError } from './fcm-tokens.ts'
import { type GoogleAnswer, type GooglePost, postToGoogle } from './google-answer.ts'

/** The outcome of one message. */
export type SendOutcome =
  /** The push service accepted the message. */
  | { readonly kind: 'sent' }
  /** The token is no longer registered. */
  | { readonly kind: 'unregistered' }
  /** The push service rejected the message permanently. */
  | { readonly kind: 'refused' }
  /** The push service did not accept the message; a later attempt may succeed. */
  | { readonly kind: 'later'; readonly retryAfterMs: number }

/** Sends one message with the credentials of a project. */
export type SendMessage = (message: object, signal: AbortSignal) => Promise<SendOutcome>

/** Dependencies of the client. */
export interface FcmClientParts {
  /** Base URL of the HTTP v1 API. */
  readonly url: string
  readonly tokens: FcmTokens
  readonly clock: Clock
  /** Delays between attempts at one message. */
  readonly retry: BackoffBounds
}

/** Attempts at one message before it is postponed. */
const ATTEMPTS_MAX = 4

/** Longer delays postpone the message instead. */
const DELAY_MS_MAX = 60_000

/** Creates a sender for a service account. Throws when the account gets no token. */
export async function openFcmClient(
  parts: FcmClientParts,
  account: FcmAccount,
  signal: AbortSignal,
): Promise<SendMessage> {
  const token = await parts.tokens.read(account, signal)
  const url = `${parts.url}/v1/projects/${encodeURIComponent(account.projectId)}/messages:send`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sendOnce: SendMessage = async (message, sendSignal) => {
    const answer = await post({ url, headers, body: JSON.stringify(message) }, parts.clock, sendSignal)
    if (answer?.status === 401) parts.tokens.forget(account)
    return readOutcome(answer)
  }
  return async (message, sendSignal) =>
    await sendWithRetries(parts.retry, () => sendOnce(message, sendSignal), sendSignal)
}

async function sendWithRetries(
  retry: BackoffBounds,
  send: () => Promise<SendOutcome>,
  signal: AbortSignal,
): Promise<SendOutcome> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await send()
    if (outcome.kind !== 'later' || attempt === ATTEMPTS_MAX) return outcome
    const delayMs = Math.max(outcome.retryAfterMs, delayAfter(retry, attempt))
    if (delayMs > DELAY_MS_MAX) return outcome
    // Jitter, so that messages are not retried all at once.
    await sleep(delayMs * (1 + Math.random() / 4), signal)
  }
}

/** A message without an answer may have been accepted; its retry replaces it on the device. */
async function post(
  request: GooglePost,
  clock: Clock,
  signal: AbortSignal,
): Promise<GoogleAnswer | undefined> {
  try {
    return await postToGoogle({ send: requestFixedHost, post: request }, clock, signal)
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

const TOO_MANY_REQUESTS = 429
const SERVER_ERROR_MIN = 500

function readOutcome(answer: GoogleAnswer | undefined): SendOutcome {
  if (!answer) return { kind: 'later', retryAfterMs: 0 }
  const { status, retryAfterMs } = answer
  const { code, form } = readError(answer)
  if (status === 200) return { kind: 'sent' }
  if (status === TOO_MANY_REQUESTS || status >= SERVER_ERROR_MIN) return { kind: 'later', retryAfterMs }
  if (status === 401) throw new PushUnavailableError('the push service rejected the access token')
  if (status === 404 && form === 'google') return { kind: 'unregistered' }
  if (status === 400 || code === 'SENDER_ID_MISMATCH') return { kind: 'refused' }
  throw new PushRefusedError(`the push service rejected the project (status ${status})`)
}

/** The error code in the push service's details; `form` is whether the answer has the form of Google's errors at all. */
function readError({ body }: GoogleAnswer): { readonly code: string; readonly form: 'google' | 'other' } {
  const { error } = body
  if (typeof error !== 'object' || error === null) return { code: '', form: 'other' }
  const { details } = error as { readonly details?: unknown }
  const codes = (Array.isArray(details) ? details : []).map((detail) => detail?.errorCode)
  return { code: codes.find((code) => typeof code === 'string') ?? '', form: 'google' }
}
