import type { ServiceError } from '../contract/service-error.ts'
import { type ErrorContext, encodeConnectError, HTTP_STATUS } from './connect-error-wire.ts'
import { REQUEST_ID_HEADER } from './request-id.ts'

/** One header or trailer field; the name is in lower case. */
export type HeaderField = readonly [name: string, value: string]

/** A whole HTTP answer, whatever the transport. */
export interface Answer {
  readonly status: number
  readonly headers: readonly HeaderField[]
  readonly body: string | Buffer
  /** HTTP trailers after the body: gRPC only. */
  readonly trailers?: readonly HeaderField[]
}

/** An answer in JSON. */
export function jsonAnswer(status: number, value: unknown, requestId?: string): Answer {
  const headers: [string, string][] = [['content-type', 'application/json']]
  if (requestId !== undefined) headers.push([REQUEST_ID_HEADER, requestId])
  return { status, headers, body: JSON.stringify(value) }
}

/** An error as a unary Connect answer. `status` replaces the code's own status where HTTP has a more specific one. */
export function errorAnswer(error: ServiceError, context: ErrorContext, status?: number): Answer {
  const headers: [string, string][] = [
    ['content-type', 'application/json'],
    [REQUEST_ID_HEADER, context.requestId],
  ]
  if (error.retryAfterSeconds !== undefined) headers.push(['retry-after', String(error.retryAfterSeconds)])
  return { status: status ?? HTTP_STATUS[error.code], headers, body: encodeConnectError(error, context) }
}

/** Whether a caller refuses cached answers: `cache-control: no-cache`. */
export function wantsFreshAnswer(headers: Headers): boolean {
  return /\bno-cache\b/.test(headers.get('cache-control') ?? '')
}
