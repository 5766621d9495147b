import { createTransport } from 'nodemailer'
import { encodeWord } from 'nodemailer/lib/mime-funcs'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import { isMailAddress } from '../../settings/mailbox.ts'
import type { SmtpServer } from '../../settings/smtp-server.ts'
import {
  MailError,
  type MailMessage,
  type MailPicture,
  type MailTransport,
  SEND_TIMEOUT_MS,
  unsubscribeHeaders,
} from './mail-transport.ts'
import { toMailError } from './smtp-failure.ts'

/** Replies of mail servers are a few lines. */
const REPLY_BYTES_MAX = 64 * 1024

/**
 * Sends through a mail server, one connection per mail. `outbound` opens it when a user entered the server; without it,
 * nodemailer connects to the server of the operator's settings.
 */
export function createSmtpTransport(server: SmtpServer, outbound?: Outbound): MailTransport {
  return async (message, signal) => {
    if (!isMailAddress(message.to))
      throw new MailError('the recipient is not a valid mail address', { retry: 'never' })
    const timeout = AbortSignal.timeout(SEND_TIMEOUT_MS)
    const until = AbortSignal.any([signal, timeout])
    try {
      const transport = createTransport({ ...optionsOf(server), ...dialWith({ server, outbound, until }) })
      await transport.sendMail({ ...toNodemailer(message), signal: until })
    } catch (error) {
      signal.throwIfAborted()
      throw toMailError(error, timeout)
    }
  }
}

function optionsOf({ host, port, username, password, protection }: SmtpServer) {
  return {
    host,
    port,
    secure: protection === 'tls',
    requireTLS: protection === 'starttls',
    // If the server offers STARTTLS and the handshake fails, do not fall back to plain text.
    opportunisticTLS: false,
    tls: { rejectUnauthorized: protection !== 'opportunistic' },
    ...(username === '' ? {} : { auth: { user: username, pass: password } }),
    connectionTimeout: SEND_TIMEOUT_MS,
    greetingTimeout: SEND_TIMEOUT_MS,
    socketTimeout: SEND_TIMEOUT_MS,
    dnsTimeout: SEND_TIMEOUT_MS,
    maxResponseSize: REPLY_BYTES_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

type Dialled = (error: Error | null, opened: { readonly connection?: unknown }) => void

/** Passes nodemailer an open connection, so that it resolves no name. It still negotiates TLS itself. */
function dialWith(of: {
  readonly server: SmtpServer
  readonly outbound: Outbound | undefined
  readonly until: AbortSignal
}) {
  const { server, outbound, until } = of
  if (!outbound) return {}
  return {
    getSocket: (_options: object, done: Dialled) => {
      outbound.dial({ host: server.host, port: server.port }, until).then(
        (connection) => done(null, { connection }),
        (error: Error) => done(error, {}),
      )
    },
  }
}

function toNodemailer(message: MailMessage) {
  const { id, from, replyTo, to, subject, text, html, pictures = [] } = message
  return {
    messageId: `<${id}@${from.address.split('@')[1]}>`,
    from,
    to: { name: '', address: to },
    ...(replyTo === '' ? {} : { replyTo: { name: '', address: replyTo } }),
    text,
    html,
    ...(pictures.length === 0 ? {} : { attachments: pictures.map(toAttachment) }),
    headers: {
      ...unsubscribeHeaders(message),
      // Prevents out-of-office replies.
      'Auto-Submitted': 'auto-generated',
      Subject: toSubject(subject),
    },
  }
}

function toAttachment({ cid, png }: MailPicture) {
  return {
    cid,
    filename: `${cid.split('@', 1)[0]}.png`,
    content: png,
    contentType: 'image/png',
    contentDisposition: 'inline' as const,
  }
}

/** Characters of an encoded word: a header line has 76, including its name. */
const ENCODED_WORD_CHARACTERS = 52

/**
 * The subject header. A text in the form of an encoded word (RFC 2047) is encoded, because mail programs would otherwise
 * display its decoded form instead of the text.
 */
function toSubject(subject: string) {
  const line = subject.replaceAll(/\p{Cc}+/gu, ' ').trim()
  if (!line.includes('=?')) return line
  return { prepared: true, foldLines: true, value: encodeWord(line, 'Q', ENCODED_WORD_CHARACTERS) }
}
