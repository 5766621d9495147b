/** The reason why a user-configured outgoing connection failed. */
export type OutboundFailure =
  /** The URL is not an HTTP URL, or contains credentials. */
  | 'bad-url'
  /** All addresses of the host are blocked. */
  | 'refused-address'
  /** The host has no address. */
  | 'no-address'
  /** The connection could not be established. */
  | 'unreachable'
  /** The peer closed the connection before its response was complete. */
  | 'no-answer'
  /** The response is not HTTP. */
  | 'bad-answer'
  /** No trusted TLS session could be established. */
  | 'tls'
  /** The deadline passed. */
  | 'timeout'
  /** The response exceeds the caller's limit. */
  | 'too-large'

/** A failed outgoing connection. Its message contains nothing from the peer; `code` is a Node.js error code. */
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
