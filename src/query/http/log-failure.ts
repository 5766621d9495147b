import type { ServiceError } from '../../contract/service-error.ts'
import type { Logger } from '../../kernel/log.ts'

/** Logs an error that is the service's fault, with its cause; all others are the caller's affair. */
export function logFailure(log: Logger, requestId: string, error: ServiceError): void {
  if (error.code !== 'internal' && error.code !== 'unavailable') return
  log.error({ requestId, err: error.cause }, error.message)
}
