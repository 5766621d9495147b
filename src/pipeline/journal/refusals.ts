import { ServiceError } from '../../contract/service-error.ts'
import { refusedBlocks } from './journal-metrics.ts'

/** Seconds after which there may be room: an INSERT and a freed segment away. */
const RETRY_AFTER_SECONDS = 1

/** Why a block found no room. */
export type FullReason = 'journal_full' | 'disk_full' | 'queue_full' | 'disk_stalled' | 'no_descriptor'

/** The block is not in the journal and was not acknowledged; the same request may succeed later. */
export function noRoom(reason: FullReason, cause?: unknown): ServiceError {
  refusedBlocks.inc({ reason })
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'OVERLOADED',
    message: 'the service cannot take more events now; send the request again later',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  })
}

/** The journal takes no more blocks: it failed, or it is closed. Whether a block that waited is in it is not known. */
export function journalStopped(cause: Error): ServiceError {
  refusedBlocks.inc({ reason: 'stopped' })
  return new ServiceError({
    code: 'unavailable',
    reason: 'STORE_UNAVAILABLE',
    message: 'the service is restarting; send the request again',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  })
}

/** The disk does not answer. Whether a block that waited for it will be in the journal is not known. */
export function journalStalled(): ServiceError {
  refusedBlocks.inc({ reason: 'disk_stalled' })
  return new ServiceError({
    code: 'unavailable',
    reason: 'STORE_UNAVAILABLE',
    message: 'the disk of the service does not answer; send the request again',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
