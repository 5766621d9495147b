import type { ServiceError } from '../../contract/service-error.ts'
import type { ForeignEventsRoute } from '../../pipeline/dialects/foreign/dialect.ts'
import type { ForeignResult } from '../../pipeline/dialects/foreign/foreign-batch.ts'
import type { Answer, HeaderField } from '../../rpc/answer.ts'
import { REQUEST_ID_HEADER } from '../../rpc/request-id.ts'
import type { OpenCall } from '../ingestion-call.ts'

/** Chromium caches a preflight for two hours at most. */
const PREFLIGHT_SECONDS = 7200

/** The syntax of an origin; other text is not echoed. */
const ORIGIN = /^(null|[a-z][a-z0-9+.-]*:\/\/[\x21-\x7e]{1,255})$/

/** Names of headers, as a browser lists them. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~, -]{1,1000}$/

const NO_HEADERS: readonly HeaderField[] = []

/**
 * The CORS headers of an answer to another vendor's SDK: every origin by its name and with credentials, which some SDKs always send. The
 * public key is the only authority and no cookie is read, so that a page learns only what it could send anyway.
 */
export function dialectCors(origin: string): readonly HeaderField[] {
  if (!ORIGIN.test(origin)) return NO_HEADERS
  return [
    ['access-control-allow-origin', origin],
    ['access-control-allow-credentials', 'true'],
    ['access-control-expose-headers', `retry-after, ${REQUEST_ID_HEADER}`],
    ['vary', 'Origin'],
  ]
}

/** The answer to a preflight: the requested headers are allowed as they are. */
export function dialectPreflight(origin: string, requestedHeaders: string): Answer {
  const allowed: readonly HeaderField[] = HEADER_NAMES.test(requestedHeaders)
    ? [['access-control-allow-headers', requestedHeaders]]
    : NO_HEADERS
  const headers: readonly HeaderField[] = [
    ['allow', 'GET, POST, OPTIONS'],
    ['access-control-allow-methods', 'GET, POST, OPTIONS'],
    ['access-control-max-age', String(PREFLIGHT_SECONDS)],
  ]
  return { status: 204, headers: [...headers, ...allowed, ...dialectCors(origin)], body: '' }
}

/** An open request of another vendor's SDK. SDKs send no deadline. */
export class ForeignCall implements OpenCall {
  readonly timeoutMs = undefined
  readonly requestId: string
  readonly route: ForeignEventsRoute
  readonly cors: readonly HeaderField[]
  /** What became of each event, where the answer lists them. */
  results: readonly ForeignResult[] = []

  constructor(route: ForeignEventsRoute, requestId: string, cors: readonly HeaderField[]) {
    this.route = route
    this.requestId = requestId
    this.cors = cors
  }

  succeed(): Answer {
    return this.#finish(this.route.accept({ results: this.results }))
  }

  fail(error: ServiceError): Answer {
    return this.#finish(this.route.refuse(error))
  }

  #finish(answer: Answer): Answer {
    return { ...answer, headers: [...answer.headers, [REQUEST_ID_HEADER, this.requestId], ...this.cors] }
  }
}
