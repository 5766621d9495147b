/** Why a connection on behalf of a user came to nothing. */
export type OutboundFailure =
  /** The address is no URL of HTTP, or has a user in it. */
  | 'bad-url'
  /** Each address of the host is one that the service does not connect to. */
  | 'refused-address'
  /** The host has no address. */
  | 'no-address'
  /** There is no connection, or it broke. */
  | 'unreachable'
  /** No trustworthy TLS session. */
  | 'tls'
  /** The time was up. */
  | 'timeout'
  /** The answer is longer than the caller takes. */
  | 'too-large'

/** A connection that came to nothing. Its message has nothing of the other side in it; `code` is one of Node.js. */
export class OutboundError extends Error {
  readonly failure: OutboundFailure
  readonly code: string | undefined

  constructor(failure: OutboundFailure, code?: string) {
    super(`outgoing connection: ${failure}${code === undefined ? '' : ` (${code})`}`)
    this.name = 'OutboundError'
    this.failure = failure
    this.code = code
  }
}
