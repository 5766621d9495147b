import { OutboundError } from '../../kernel/outbound/outbound-error.ts'
import { type OutboundAnswer, requestFixedHost } from '../../kernel/outbound/outbound-http.ts'
import { printMailbox } from '../../settings/mailbox.ts'
import {
  MailError,
  type MailMessage,
  type MailTransport,
  SEND_TIMEOUT_MS,
  unsubscribeHeaders,
} from './mail-transport.ts'

/** Base URL of Resend's HTTP API. */
export const RESEND_URL = 'https://api.resend.com'

/** Far more than any answer has. */
const ANSWER_BYTES_MAX = 64 * 1024

const TIMEOUT = 'Resend did not respond in time; try again later'
const UNREACHABLE = 'Resend cannot be reached; try again later'

/** Messages by status. Resend's own message is not used, because it may quote the mail. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'Resend rejected the mail; check sender and recipient',
  401: 'Resend rejected the API key; check it',
  403: 'Resend rejected the sender; verify its domain at Resend, and check the API key',
  413: 'Resend rejected the mail: it is too large',
  422: 'Resend rejected the mail; check sender and recipient',
  429: 'Resend limits the rate of mails; try again later',
}
/** An invisible character that breaks the form of an encoded word in a subject: Resend does not document how it treats one. */
const WORD_JOINER = '\u2060'

/** Statuses after which a retry is pointless. */
const PERMANENT_STATUSES: ReadonlySet<number> = new Set([400, 413, 422])

/** Sends through Resend. */
export function createResendTransport(options: {
  readonly apiKey: string
  /** {@link RESEND_URL}, except in tests. */
  readonly url: string
}): MailTransport {
  return async (message, signal) => {
    const request = {
      url: `${options.url}/emails`,
      method: 'POST',
      headers: {
        authorization: `Bearer ${options.apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': message.id,
      },
      body: JSON.stringify(toResend(message)),
      timeoutMs: SEND_TIMEOUT_MS,
      answerBytesMax: ANSWER_BYTES_MAX,
    } as const
    try {
      checkStatus(await requestFixedHost(request, signal))
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      const failure = error.failure === 'timeout' ? TIMEOUT : UNREACHABLE
      throw new MailError(failure, { cause: error, retry: 'later' })
    }
  }
}

function toResend(message: MailMessage): object {
  const { from, replyTo, to, subject, text, html, pictures = [] } = message
  const attachments = pictures.map(({ cid, png }) => ({
    filename: `${cid.split('@', 1)[0]}.png`,
    content: png.toString('base64'),
    content_type: 'image/png',
    content_id: cid,
  }))
  return {
    from: printMailbox(from),
    to: [to],
    ...(replyTo === '' ? {} : { reply_to: replyTo }),
    subject: subject.replaceAll('=?', `=${WORD_JOINER}?`),
    text,
    html,
    ...(attachments.length === 0 ? {} : { attachments }),
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(message) },
  }
}

function checkStatus({ status }: OutboundAnswer): void {
  if (status >= 200 && status < 300) return
  const isRedirect = status < 400
  throw new MailError(
    isRedirect ? UNREACHABLE : (REFUSALS[status] ?? 'Resend did not accept the mail; try again later'),
    {
      cause: new Error(`status ${status}`),
      retry: PERMANENT_STATUSES.has(status) ? 'never' : 'later',
    },
  )
}
