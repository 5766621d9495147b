import { type BackoffBounds, delayAfter } from '../../kernel/backoff.ts'
import { type Clock, sleep } from '../../kernel/clock.ts'
import type { FcmAccount } from '../projects/fcm-account.ts'
import type { FcmTokens } from './fcm-tokens.ts'
import { type GoogleAnswer, postToGoogle } from './google-answer.ts'
import { PushRefusedError, PushUnavailableError } from './push-error.ts'

/** What came of one message. */
export type SendOutcome =
  /** The push service took it. */
  | { readonly kind: 'sent' }
  /** The token is no longer one. */
  | { readonly kind: 'unregistered' }
  /** It would be refused again. */
  | { readonly kind: 'refused' }
  /** Nobody took it; the same may work after a while. */
  | { readonly kind: 'later'; readonly retryAfterMs: number }

/** Sends one message with the credentials of a project. */
export type SendMessage = (message: object, signal: AbortSignal) => Promise<SendOutcome>

/** How messages are sent. */
export interface FcmClientParts {
  /** Where the HTTP v1 interface is. */
  readonly url: string
  readonly tokens: FcmTokens
  readonly clock: Clock
  /** Pauses between tries of one message. */
  readonly retry: BackoffBounds
}

/** Tries of one message before it is left for later. */
const TRIES_MAX = 4

/** A longer pause is not waited for here. */
const PAUSE_MS_MAX = 60_000

/** Creates what sends messages as an account. Throws when there is no token for it. */
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
    await sendPatiently(parts.retry, () => sendOnce(message, sendSignal), sendSignal)
}

async function sendPatiently(
  retry: BackoffBounds,
  send: () => Promise<SendOutcome>,
  signal: AbortSignal,
): Promise<SendOutcome> {
  for (let tries = 1; ; tries++) {
    const outcome = await send()
    if (outcome.kind !== 'later' || tries === TRIES_MAX) return outcome
    const pauseMs = Math.max(outcome.retryAfterMs, delayAfter(retry, tries))
    if (pauseMs > PAUSE_MS_MAX) return outcome
    // Not all at once again.
    await sleep(pauseMs * (1 + Math.random() / 4), signal)
  }
}

/** Without an answer it may have been taken; then it is sent again, and replaces itself on the device. */
async function post(
  request: Parameters<typeof postToGoogle>[0],
  clock: Clock,
  signal: AbortSignal,
): Promise<GoogleAnswer | undefined> {
  try {
    return await postToGoogle(request, clock, signal)
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
  if (status === 401) throw new PushUnavailableError('the push service wants another token')
  if (status === 404 && form === 'google') return { kind: 'unregistered' }
  if (status === 400 || code === 'SENDER_ID_MISMATCH') return { kind: 'refused' }
  throw new PushRefusedError(`the push service refused the project (status ${status})`)
}

/** The code in the detail that the push service adds; `form` tells whether it was Google that answered at all. */
function readError({ body }: GoogleAnswer): { readonly code: string; readonly form: 'google' | 'other' } {
  const { error } = body
  if (typeof error !== 'object' || error === null) return { code: '', form: 'other' }
  const { details } = error as { readonly details?: unknown }
  const codes = (Array.isArray(details) ? details : []).map((detail) => detail?.errorCode)
  return { code: codes.find((code) => typeof code === 'string') ?? '', form: 'google' }
}
