import { OutboundError, type OutboundFailure } from '../../kernel/outbound/outbound-error.ts'
import { MailError } from './mail-transport.ts'

const TIMEOUT = 'the mail server did not answer in time; check host and port'
const UNREACHABLE = 'the mail server cannot be reached; check host and port'
const NO_TLS =
  'the mail server offers no TLS with a good certificate; check the port, the host name and the certificate'

/** What a failure is called: by nodemailer's code. Nothing that the server wrote is in it. */
const SENTENCES: Readonly<Record<string, string>> = {
  EDNS: 'the mail server has no address; check the host name',
  ECONNECTION: 'the mail server closed the connection; try again later',
  ETIMEDOUT: TIMEOUT,
  ESOCKET: UNREACHABLE,
  ETLS: NO_TLS,
  EAUTH: 'the mail server refused the credentials; check user name and password',
  ENOAUTH: 'the mail server asks for credentials; set user name and password',
  EENVELOPE: 'the mail server refused the sender or the recipient; check both addresses',
  EMESSAGE: 'the mail server refused the message; its log has the reason',
  EPROTOCOL: 'the host does not answer like a mail server; check host and port',
}

const OUTBOUND_SENTENCES = {
  'bad-url': UNREACHABLE,
  'no-address': 'the mail server has no address; check the host name',
  'refused-address':
    'the mail server has no public address; use another host, or ask the operator to allow it in SERVICE_OUTBOUND_ALLOW',
  'too-large': UNREACHABLE,
  timeout: TIMEOUT,
  tls: NO_TLS,
  unreachable: UNREACHABLE,
} as const satisfies Record<OutboundFailure, string>

const REFUSALS: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE'])
const REPLY_MIN = 200
const REPLY_MAX = 599
const PERMANENT_REPLY_MIN = 500

/** Failures of a handshake, as OpenSSL and Node.js name them. */
const TLS_CODE = /^(CERT_|DEPTH_ZERO_|ERR_SSL_|ERR_TLS_|SELF_SIGNED_|UNABLE_TO_|EPROTO$)/

/** What of an error of nodemailer is not the server's words. */
interface NodemailerError {
  readonly code?: string
  /** Node's code, where nodemailer put its own in its place. */
  readonly originalCode?: string
  readonly responseCode?: number
}

/** What came of a mail that was not sent; `timeout` is the deadline of all of it. */
export function toMailError(error: unknown, timeout: AbortSignal): MailError {
  if (timeout.aborted) return new MailError(TIMEOUT, { attempt: 'may-work-later' })
  if (error instanceof OutboundError)
    return new MailError(OUTBOUND_SENTENCES[error.failure], { cause: error, attempt: 'may-work-later' })
  const { code = '', originalCode = '', responseCode = 0 } = error as NodemailerError
  const sentence = TLS_CODE.test(originalCode) ? NO_TLS : SENTENCES[code]
  const isReply = responseCode >= REPLY_MIN && responseCode <= REPLY_MAX
  const isRefused = REFUSALS.has(code) && isReply && responseCode >= PERMANENT_REPLY_MIN
  return new MailError(sentence ?? 'the mail could not be sent; try again later', {
    cause: new Error([code, originalCode, isReply ? `reply ${responseCode}` : ''].filter(Boolean).join(', ')),
    attempt: isRefused ? 'never-works' : 'may-work-later',
  })
}
