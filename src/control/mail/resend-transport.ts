import { printMailbox } from '../../kernel/mailbox.ts'
import { MailError, type MailMessage, type MailTransport, SEND_TIMEOUT_MS } from './mail-transport.ts'

/** Where Resend's HTTP API is. */
export const RESEND_URL = 'https://api.resend.com'

/** An answer says one line; whoever sends more is not Resend. */
const ANSWER_BYTES_MAX = 64 * 1024

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
      await checkAnswer(response)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof MailError) throw error
      const failure = timeout.aborted ? 'Resend did not answer in time' : 'Resend cannot be reached'
      throw new MailError(failure, { attempt: 'may-work-later' })
    }
  }
}

function toResend({ from, replyTo, to, subject, text, html }: MailMessage): object {
  return {
    from: printMailbox(from),
    to: [to],
    ...(replyTo === '' ? {} : { reply_to: replyTo }),
    subject,
    text,
    html,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

async function checkAnswer(response: Response): Promise<void> {
  const text = await readStart(response)
  if (response.ok) return
  throw new MailError(`Resend refused the mail (status ${response.status})`, {
    detail: messageOf(text),
    attempt: PERMANENT_STATUSES.has(response.status) ? 'never-works' : 'may-work-later',
  })
}

async function readStart({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let byteCount = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    byteCount += chunk.length
    if (byteCount > ANSWER_BYTES_MAX) break
  }
  return Buffer.concat(chunks).toString()
}

/** The words of an error, if it is in Resend's form. */
function messageOf(text: string): string {
  try {
    const { message } = JSON.parse(text)
    return typeof message === 'string' ? message : ''
  } catch {
    return ''
  }
}
