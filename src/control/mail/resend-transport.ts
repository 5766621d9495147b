import { printMailbox } from '../../settings/mailbox.ts'
import { MailError, type MailMessage, type MailTransport, SEND_TIMEOUT_MS } from './mail-transport.ts'

/** Base URL of Resend's HTTP API. */
export const RESEND_URL = 'https://api.resend.com'

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
    const timeout = AbortSignal.timeout(SEND_TIMEOUT_MS)
    try {
      const response = await fetch(`${options.url}/emails`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${options.apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': message.id,
        },
        body: JSON.stringify(toResend(message)),
        redirect: 'error',
        signal: AbortSignal.any([signal, timeout]),
      })
      await response.body?.cancel()
      checkStatus(response)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof MailError) throw error
      const failure = timeout.aborted ? 'Resend did not respond in time; try again later' : UNREACHABLE
      throw new MailError(failure, { retry: 'later' })
    }
  }
}

function toResend({ from, replyTo, to, subject, text, html }: MailMessage): object {
  return {
    from: printMailbox(from),
    to: [to],
    ...(replyTo === '' ? {} : { reply_to: replyTo }),
    subject: subject.replaceAll('=?', `=${WORD_JOINER}?`),
    text,
    html,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

function checkStatus({ ok, status }: Response): void {
  if (ok) return
  throw new MailError(REFUSALS[status] ?? 'Resend did not accept the mail; try again later', {
    cause: new Error(`status ${status}`),
    retry: PERMANENT_STATUSES.has(status) ? 'never' : 'later',
  })
}
