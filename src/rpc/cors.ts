import { familyOfPath } from '../contract/service-traits.ts'
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

/** Chromium caches a preflight for two hours at most, other browsers for longer. */
const MAX_AGE_SECONDS = 7200

/** The path of a request and the origin of its page. */
export interface Crossing {
  readonly path: string
  /** The header `origin`; empty when there is none. */
  readonly origin: string
}

/** Origins whose pages may call more than ingestion: `SERVICE_CORS_ORIGINS`. */
export type AllowedOrigins = ReadonlySet<string>

/** Allows no other origin. */
const NO_ORIGINS: AllowedOrigins = new Set()

const NO_HEADERS: readonly HeaderField[] = []

/** The syntax of an origin; other text is not echoed. */
const ORIGIN = /^(null|[a-z][a-z0-9+.-]*:\/\/[\x21-\x7e]{1,255})$/

/**
 * The CORS headers of an answer. Ingestion methods allow every origin, by its name and with credentials: a beacon always
 * sends them, and its answer must then name the origin. All other services allow the configured origins only.
 */
export function corsHeaders(
  crossing: Crossing,
  allowed: AllowedOrigins = NO_ORIGINS,
): readonly HeaderField[] {
  if (crossing.origin === '') return NO_HEADERS
  const origin = originHeaders(crossing, allowed)
  return origin === NO_HEADERS ? origin : [...origin, EXPOSED]
}

/** The answer to an OPTIONS request; a browser reads the absence of CORS headers as a refusal. */
export function preflightAnswer(crossing: Crossing, allowed: AllowedOrigins = NO_ORIGINS): Answer {
  const origin = originHeaders(crossing, allowed)
  const cors = origin === NO_HEADERS ? [VARY] : [...origin, ...PREFLIGHT]
  return { status: 204, headers: [['allow', 'POST, OPTIONS'], ...cors], body: '' }
}

const VARY: HeaderField = ['vary', 'Origin']
const EXPOSED: HeaderField = ['access-control-expose-headers', EXPOSED_HEADERS.join(', ')]
const PREFLIGHT: readonly HeaderField[] = [
  ['access-control-allow-methods', 'POST'],
  ['access-control-allow-headers', ALLOWED_HEADERS.join(', ')],
  ['access-control-max-age', String(MAX_AGE_SECONDS)],
]

function originHeaders({ path, origin }: Crossing, allowed: AllowedOrigins): readonly HeaderField[] {
  const origins = familyOfPath(path)?.origins ?? 'none'
  if (origins === 'every' && ORIGIN.test(origin)) {
    return [['access-control-allow-origin', origin], ['access-control-allow-credentials', 'true'], VARY]
  }
  if (origins !== 'configured' || !allowed.has(origin)) return NO_HEADERS
  return [['access-control-allow-origin', origin], VARY]
}
