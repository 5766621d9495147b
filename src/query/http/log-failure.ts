import type { ServiceError } from '../../contract/service-error.ts'
import type { Logger } from '../../kernel/log.ts'

/** Logs an error of the service with its cause; errors of the caller are not logged. */
export function logFailure(log: Logger, requestId: string, error: ServiceError): void {
  if (error.code !== 'internal' && error.code !== 'unavailable') return
  log.error({ requestId, err: error.cause }, error.message)
}
