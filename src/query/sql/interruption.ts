import { Code, ConnectError } from '@connectrpc/connect'
import { ServiceError } from '../../contract/service-error.ts'

/** The client left, or a time limit is over, the client's own or the question's; the reason tells which. */
export function toInterruption(reason: unknown, cause: unknown): ServiceError {
  if (reason instanceof ConnectError && reason.code === Code.DeadlineExceeded) {
    const message = 'the call took longer than its timeout'
    return new ServiceError({ code: 'deadline_exceeded', reason: 'DEADLINE_EXCEEDED', message, cause })
  }
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    const message = 'the question took longer than it may; ask for less'
    return new ServiceError({ code: 'deadline_exceeded', reason: 'QUERY_TIMEOUT', message, cause })
  }
  return new ServiceError({ code: 'canceled', reason: 'CANCELED', message: 'the call was cancelled', cause })
}
