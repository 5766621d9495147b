import { printMailbox } from '../../settings/mailbox.ts'
import { MailError, type MailMessage, type MailTransport, SEND_TIMEOUT_MS } from './mail-transport.ts'

/** Where Resend's HTTP API is. */
export const RESEND_URL = 'https://api.resend.com'

const UNREACHABLE = 'Resend cannot be reached; try again later'

/** What a refusal is called, by its status: none of Resend's own words, which may repeat the mail. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'Resend refused the mail; check sender and recipient',
  401: 'Resend refused the API key; check it',
  403: 'Resend refused the sender; verify its domain at Resend, and check the API key',
  413: 'Resend refused the mail: it is too long',
  422: 'Resend refused the mail; check sender and recipient',
  429: 'Resend takes no more mails for now; try again later',
}
/** An invisible character that keeps a subject from having the form of an encoded word: Resend does not document what it does with one. */
const WORD_JOINER = '\u2060'

/** Statuses of requests that would fail in the same way again. */
const PERMANENT_STATUSES: ReadonlySet<number> = new Set([400, 413, 422])

/** Sends through Resend. */
export function createResendTransport(options: {
  readonly apiKey: string
  /** {@link RESEND_URL}, but in tests. */
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
      const failure = timeout.aborted ? 'Resend did not answer in time; try again later' : UNREACHABLE
      throw new MailError(failure, { attempt: 'may-work-later' })
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
  throw new MailError(REFUSALS[status] ?? 'Resend did not take the mail; try again later', {
    cause: new Error(`status ${status}`),
    attempt: PERMANENT_STATUSES.has(status) ? 'never-works' : 'may-work-later',
  })
}
