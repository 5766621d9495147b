import { Code, ConnectError } from '@connectrpc/connect'
import { ServiceError } from '../../contract/service-error.ts'

/** The client left, or its own time limit is over: the library aborts for both, and the reason tells which. */
export function toInterruption(reason: unknown, cause: unknown): ServiceError {
  if (reason instanceof ConnectError && reason.code === Code.DeadlineExceeded) {
    const message = 'the call took longer than its timeout'
    return new ServiceError({ code: 'deadline_exceeded', reason: 'DEADLINE_EXCEEDED', message, cause })
  }
  return new ServiceError({ code: 'canceled', reason: 'CANCELED', message: 'the call was cancelled', cause })
}
