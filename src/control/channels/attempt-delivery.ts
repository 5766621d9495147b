import type { Clock } from '../../kernel/clock.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import { OutboundError, type OutboundFailure } from '../../kernel/outbound/outbound-error.ts'
import { type OutboundAnswer, requestOutbound } from '../../kernel/outbound/outbound-http.ts'
import type { MailSender } from '../mail/choose-sender.ts'
import { MailError } from '../mail/mail-transport.ts'
import type { Channel, ChannelConfig } from './channel.ts'
import { composeMail, composeSlack, composeWebhook, type Notification } from './notification.ts'
import { signWebhook } from './sign-webhook.ts'

/** The outcome of one attempt. The error contains nothing of the remote host's response. */
export type AttemptOutcome =
  | { readonly kind: 'delivered'; readonly status: number }
  /** A later attempt may succeed, but none before `retryAfterMs`. */
  | { readonly kind: 'retry'; readonly status: number; readonly error: string; readonly retryAfterMs: number }
  /** The destination rejects this delivery permanently. */
  | { readonly kind: 'refused'; readonly status: number; readonly error: string }
  /** The destination no longer exists. */
  | { readonly kind: 'gone'; readonly status: number; readonly error: string }

/** One delivery of a notification. */
export interface Attempt {
  readonly deliveryId: string
  readonly channel: Pick<Channel, 'config' | 'projectId'>
  /** Mail address; empty for a webhook. */
  readonly recipient: string
  readonly notification: Notification
}

/** Dependencies of attempts. */
export interface AttemptPorts {
  readonly clock: Clock
  readonly outbound: Outbound
  /** Chooses the sender of a project's mails. */
  readonly chooseSender: (projectId: Channel['projectId']) => Promise<MailSender>
}

const TIMEOUT_MS = 10_000

/** The content of answers is not used. */
const ANSWER_BYTES_MAX = 64 * 1024

const RETRY_AFTER_MS_MAX = 3_600_000

const GONE = 410

const FAILURES = {
  'bad-url': 'the URL is not valid',
  'no-address': 'the host has no address; check the URL',
  'refused-address':
    'the host has no public address; use another one, or ask the operator to allow it in SERVICE_OUTBOUND_ALLOW',
  unreachable: 'the host cannot be reached',
  'no-answer': 'the host closed the connection before its response was complete; check its log',
  'bad-answer': 'the response is not HTTP; check the URL',
  tls: 'the host offers no TLS with a valid certificate',
  timeout: 'the host did not respond in time',
  'too-large': 'the response is too large',
} as const satisfies Record<OutboundFailure, string>

/** Attempts a delivery once. Rejects only with the signal's reason. */
export async function attemptDelivery(
  ports: AttemptPorts,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { config } = attempt.channel
  return config.kind === 'mail'
    ? await sendMail(ports, attempt, signal)
    : await postWebhook(ports, { config, notification: attempt.notification }, signal)
}

async function sendMail(
  { chooseSender }: AttemptPorts,
  { deliveryId, channel, recipient, notification }: Attempt,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  try {
    const { transport, from, replyTo } = await chooseSender(channel.projectId)
    await transport({ id: deliveryId, from, replyTo, to: recipient, ...composeMail(notification) }, signal)
    return { kind: 'delivered', status: 0 }
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    const failure = { status: 0, error: error.message }
    return error.isPermanent
      ? { kind: 'refused', ...failure }
      : { kind: 'retry', retryAfterMs: 0, ...failure }
  }
}

async function postWebhook(
  { clock, outbound }: AttemptPorts,
  post: {
    readonly config: Exclude<ChannelConfig, { readonly kind: 'mail' }>
    readonly notification: Notification
  },
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { config, notification } = post
  const body = config.kind === 'slack' ? composeSlack(notification) : composeWebhook(notification)
  const timeMs = clock.nowMs()
  const signed =
    config.kind === 'slack'
      ? {}
      : signWebhook({ id: notification.id, timeMs, body }, secretsOf(config, timeMs))
  const headers = { 'content-type': 'application/json', 'user-agent': 'Millrace', ...signed }
  const bounds = { timeoutMs: TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX }
  try {
    const request = { url: config.url, method: 'POST', headers, body, ...bounds } as const
    return readAnswer(await requestOutbound(outbound, request, signal))
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { kind: 'retry', status: 0, error: FAILURES[error.failure], retryAfterMs: 0 }
  }
}

function secretsOf(
  { secret, previous }: Extract<ChannelConfig, { readonly kind: 'webhook' }>,
  nowMs: number,
): readonly string[] {
  return previous && previous.untilMs > nowMs ? [secret, previous.secret] : [secret]
}

function readAnswer({ status, headers }: OutboundAnswer): AttemptOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', status }
  const error = `the webhook answered with status ${status}`
  if (status === GONE) return { kind: 'gone', status, error }
  if (status >= 300 && status < 400)
    return { kind: 'retry', status, error: `${error}; redirects are not followed`, retryAfterMs: 0 }
  const seconds = /^\d{1,9}$/.exec(headers['retry-after'] ?? '')?.[0] ?? '0'
  return { kind: 'retry', status, error, retryAfterMs: Math.min(RETRY_AFTER_MS_MAX, Number(seconds) * 1000) }
}
