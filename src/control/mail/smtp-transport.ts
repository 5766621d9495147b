import { createTransport } from 'nodemailer'
import { isMailAddress } from '../../kernel/mailbox.ts'
import type { SmtpServer } from '../../kernel/smtp-server.ts'
import { MailError, type MailMessage, type MailTransport, SEND_TIMEOUT_MS } from './mail-transport.ts'

/** Sends through a mail server; each mail has a connection of its own. */
export function createSmtpTransport(server: SmtpServer): MailTransport {
  const { host, port, username, password, protection } = server
  const transport = createTransport({
    host,
    port,
    secure: protection === 'tls',
    requireTLS: protection === 'starttls',
    tls: { rejectUnauthorized: protection !== 'opportunistic' },
    ...(username === '' ? {} : { auth: { user: username, pass: password } }),
    connectionTimeout: SEND_TIMEOUT_MS,
    greetingTimeout: SEND_TIMEOUT_MS,
    socketTimeout: SEND_TIMEOUT_MS,
    dnsTimeout: SEND_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async (message, signal) => {
    if (!isMailAddress(message.to))
      throw new MailError('the recipient is no mail address', { attempt: 'never-works' })
    const timeout = AbortSignal.timeout(SEND_TIMEOUT_MS)
    try {
      await transport.sendMail({ ...toNodemailer(message), signal: AbortSignal.any([signal, timeout]) })
    } catch (error) {
      signal.throwIfAborted()
      throw toMailError(error, timeout)
    }
  }
}

function toNodemailer({ id, from, replyTo, to, subject, text, html }: MailMessage) {
  return {
    messageId: `<${id}@${from.address.split('@')[1]}>`,
    from,
    to: { name: '', address: to },
    ...(replyTo === '' ? {} : { replyTo: { name: '', address: replyTo } }),
    subject,
    text,
    html,
    // No out-of-office answers.
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/** What a failure is called: by nodemailer's code, else by Node's. */
const FAILURES: Readonly<Record<string, string>> = {
  EDNS: 'the mail server has no address',
  ECONNECTION: 'the mail server closed the connection',
  ETIMEDOUT: 'the mail server did not answer in time',
  ESOCKET: 'the mail server cannot be reached',
  ETLS: 'the mail server offers no good TLS',
  EAUTH: 'the mail server refused the credentials',
  ENOAUTH: 'the mail server asks for credentials',
  EENVELOPE: 'the mail server refused the sender or the recipient',
  EMESSAGE: 'the mail server refused the message',
  EPROTOCOL: 'this is no mail server',
}

const REFUSALS: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE'])
const PERMANENT_REPLY_MIN = 500

function toMailError(error: unknown, timeout: AbortSignal): MailError {
  if (timeout.aborted)
    return new MailError('the mail server did not answer in time', { attempt: 'may-work-later' })
  const {
    code = '',
    responseCode = 0,
    message = '',
  } = error as {
    readonly code?: string
    readonly responseCode?: number
    readonly message?: string
  }
  const failure = FAILURES[code] ?? 'the mail could not be sent'
  const reply = responseCode === 0 ? '' : ` (reply ${responseCode})`
  const isRefused = REFUSALS.has(code) && responseCode >= PERMANENT_REPLY_MIN
  return new MailError(`${failure}${reply}`, {
    detail: message,
    attempt: isRefused ? 'never-works' : 'may-work-later',
  })
}
