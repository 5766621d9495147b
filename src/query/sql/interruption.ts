import { Code, ConnectError } from '@connectrpc/connect'
import { ServiceError } from '../../contract/service-error.ts'

/** The error of a call whose signal aborted: the client left, or its own deadline or that of the query has passed. */
export function toInterruption(reason: unknown, cause: unknown): ServiceError {
  if (reason instanceof ConnectError && reason.code === Code.DeadlineExceeded) {
    const message = 'the call took longer than its timeout'
    return new ServiceError({ code: 'deadline_exceeded', reason: 'DEADLINE_EXCEEDED', message, cause })
  }
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    const message = 'the query exceeded its deadline; narrow the query'
    return new ServiceError({ code: 'deadline_exceeded', reason: 'QUERY_TIMEOUT', message, cause })
  }
  return new ServiceError({ code: 'canceled', reason: 'CANCELED', message: 'the call was cancelled', cause })
}
