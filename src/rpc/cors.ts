import type { Answer, HeaderField } from './answer.ts'

/** Request headers that pages of other origins may send: those of Connect, gRPC-Web and of this interface. */
const ALLOWED_HEADERS = [
  'authorization',
  'connect-accept-encoding',
  'connect-content-encoding',
  'connect-protocol-version',
  'connect-timeout-ms',
  'content-encoding',
  'content-type',
  'grpc-accept-encoding',
  'grpc-encoding',
  'grpc-timeout',
  'x-api-key',
  'x-grpc-web',
  'x-project-id',
  'x-request-id',
  'x-user-agent',
]

/** Response headers that pages of other origins may read. */
const EXPOSED_HEADERS = [
  'connect-content-encoding',
  'content-encoding',
  'grpc-message',
  'grpc-status',
  'grpc-status-details-bin',
  'ratelimit',
  'ratelimit-limit',
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'x-request-id',
  'x-time-zone',
]

/** Chromium keeps a preflight for two hours at most, the others for longer. */
const MAX_AGE_SECONDS = 7200

// Credentials travel in headers that a page must set itself, never in cookies, so any origin is `*`.
const ANY_ORIGIN: readonly HeaderField[] = [
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', EXPOSED_HEADERS.join(', ')],
]

const ANY_ORIGIN_PREFLIGHT: readonly HeaderField[] = [
  ['access-control-allow-origin', '*'],
  ['access-control-allow-methods', 'POST'],
  ['access-control-allow-headers', ALLOWED_HEADERS.join(', ')],
  ['access-control-max-age', String(MAX_AGE_SECONDS)],
]

const NO_HEADERS: readonly HeaderField[] = []

/**
 * What an answer says to a page of another origin: any origin may read `sdk.*` and `public.*`, none `shared.*` and
 * `dashboard.*`. `origin` is the request's header, empty when there is none.
 */
export function corsHeaders(path: string, origin: string): readonly HeaderField[] {
  return origin !== '' && isOpen(path) ? ANY_ORIGIN : NO_HEADERS
}

/** The answer to an OPTIONS request; a browser reads the absence of CORS headers as a refusal. */
export function preflightAnswer(path: string, origin: string): Answer {
  const cors = origin !== '' && isOpen(path) ? ANY_ORIGIN_PREFLIGHT : NO_HEADERS
  return { status: 204, headers: [['allow', 'POST, OPTIONS'], ...cors], body: '' }
}

function isOpen(path: string): boolean {
  return path.startsWith('/sdk.') || path.startsWith('/public.')
}
