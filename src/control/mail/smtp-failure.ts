import { OutboundError, type OutboundFailure } from '../../kernel/outbound/outbound-error.ts'
import { MailError } from './mail-transport.ts'

const TIMEOUT = 'the mail server did not respond in time; check host and port'
const UNREACHABLE = 'the mail server cannot be reached; check host and port'
const NO_TLS =
  'the mail server offers no TLS with a valid certificate; check the port, the host name and the certificate'

/** Messages by nodemailer's error code. They contain nothing of the server's reply. */
const MESSAGES: Readonly<Record<string, string>> = {
  EDNS: 'the mail server has no address; check the host name',
  ECONNECTION: 'the mail server closed the connection; try again later',
  ETIMEDOUT: TIMEOUT,
  ESOCKET: UNREACHABLE,
  ETLS: NO_TLS,
  EAUTH: 'the mail server rejected the credentials; check user name and password',
  ENOAUTH: 'the mail server requires credentials; set user name and password',
  EENVELOPE: 'the mail server rejected the sender or the recipient; check both addresses',
  EMESSAGE: 'the mail server rejected the message; see its log for the reason',
  EPROTOCOL: 'the host is not a mail server; check host and port',
}

const OUTBOUND_MESSAGES = {
  'bad-url': UNREACHABLE,
  'no-address': 'the mail server has no address; check the host name',
  'refused-address':
    'the mail server has no public address; use another host, or ask the operator to allow it in SERVICE_OUTBOUND_ALLOW',
  'too-large': UNREACHABLE,
  timeout: TIMEOUT,
  tls: NO_TLS,
  unreachable: UNREACHABLE,
  'no-answer': UNREACHABLE,
  'bad-answer': UNREACHABLE,
} as const satisfies Record<OutboundFailure, string>

const REJECTION_CODES: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE'])
const REPLY_MIN = 200
const REPLY_MAX = 599
const PERMANENT_REPLY_MIN = 500

/** Error codes of a failed TLS handshake, of OpenSSL and Node.js. */
const TLS_CODE = /^(CERT_|DEPTH_ZERO_|ERR_SSL_|ERR_TLS_|SELF_SIGNED_|UNABLE_TO_|EPROTO$)/

/** The fields of a nodemailer error that contain no text from the server. */
interface NodemailerError {
  readonly code?: string
  /** Node's code, where nodemailer replaced it with its own. */
  readonly originalCode?: string
  readonly responseCode?: number
}

/** Converts a failed send to a {@link MailError}; `timeout` is the deadline of the whole send. */
export function toMailError(error: unknown, timeout: AbortSignal): MailError {
  if (timeout.aborted) return new MailError(TIMEOUT, { retry: 'later' })
  if (error instanceof OutboundError)
    return new MailError(OUTBOUND_MESSAGES[error.failure], { cause: error, retry: 'later' })
  const { code = '', originalCode = '', responseCode = 0 } = error as NodemailerError
  const message = TLS_CODE.test(originalCode) ? NO_TLS : MESSAGES[code]
  const isReply = responseCode >= REPLY_MIN && responseCode <= REPLY_MAX
  const isRejected = REJECTION_CODES.has(code) && isReply && responseCode >= PERMANENT_REPLY_MIN
  return new MailError(message ?? 'the mail could not be sent; try again later', {
    cause: new Error([code, originalCode, isReply ? `reply ${responseCode}` : ''].filter(Boolean).join(', ')),
    retry: isRejected ? 'never' : 'later',
  })
}
