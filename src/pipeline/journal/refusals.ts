import { ServiceError } from '../../contract/service-error.ts'
import { refusedBlocks } from './journal-metrics.ts'

/** Seconds until a retry may succeed: about one INSERT. */
const RETRY_AFTER_SECONDS = 1

/** The reason why a block was rejected for lack of space. */
export type FullReason = 'journal_full' | 'disk_full' | 'queue_full' | 'disk_stalled' | 'no_descriptor'

/** The block is not in the journal; the same request may succeed later. */
export function noRoom(reason: FullReason, cause?: unknown): ServiceError {
  refusedBlocks.inc({ reason })
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'OVERLOADED',
    message: 'the service accepts no more events for now; retry later',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  })
}

/** The journal failed or is closed. A queued block may or may not be in it. */
export function journalStopped(cause: Error): ServiceError {
  refusedBlocks.inc({ reason: 'stopped' })
  return new ServiceError({
    code: 'unavailable',
    reason: 'STORE_UNAVAILABLE',
    message: 'the service is restarting; retry the request',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  })
}

/** The disk stalls. A block of the running commit may or may not be in the journal later. */
export function journalStalled(): ServiceError {
  refusedBlocks.inc({ reason: 'disk_stalled' })
  return new ServiceError({
    code: 'unavailable',
    reason: 'STORE_UNAVAILABLE',
    message: 'the disk of the service is stalled; retry the request',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
