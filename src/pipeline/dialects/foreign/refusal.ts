import type { ServiceError } from '../../../contract/service-error.ts'
import type { Answer } from '../../../rpc/answer.ts'
import { HTTP_STATUS } from '../../../rpc/connect-error-wire.ts'

/** The beginning of public keys: private ones are refused in every place that a page contains. */
const PUBLIC_PREFIX = 'pub_'

/** The first public key among texts that may be one; empty without one. */
export function findPublicKey(...texts: readonly (string | null | undefined)[]): string {
  return texts.find((text) => text?.startsWith(PUBLIC_PREFIX)) ?? ''
}

/** The HTTP status of a refused request. */
export function statusOfRefusal({ code, reason }: ServiceError): number {
  if (reason === 'BODY_TOO_LARGE') return 413
  if (reason === 'UNSUPPORTED_ENCODING') return 415
  return HTTP_STATUS[code]
}

/** Adds the time after which a request may be sent again, where the refusal names one. */
export function withRetryAfter(answer: Answer, { retryAfterSeconds }: ServiceError): Answer {
  if (retryAfterSeconds === undefined) return answer
  return { ...answer, headers: [...answer.headers, ['retry-after', String(retryAfterSeconds)]] }
}
