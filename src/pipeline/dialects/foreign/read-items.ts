import type { ServiceError } from '../../../contract/service-error.ts'
import { err, ok, type Result } from '../../../kernel/result.ts'
import { batchTooLarge } from '../../../rpc/protocol-errors.ts'
import type { ForeignItem } from './foreign-batch.ts'

/**
 * Events of one request: what the APIs of Mixpanel and Amplitude take. SDKs send a few hundred at most, unless they are told otherwise;
 * those of Mixpanel, Amplitude and PostHog halve a batch that is refused for its size.
 */
export const EVENTS_MAX = 2000

/** Reads the events of a request one by one, or refuses a request that would keep a worker from others for too long. */
export function readItems(
  records: readonly unknown[],
  read: (record: unknown, index: number) => ForeignItem,
): Result<readonly ForeignItem[], ServiceError> {
  if (records.length > EVENTS_MAX) {
    return err(batchTooLarge(`a request must have at most ${EVENTS_MAX} events: send them in several`))
  }
  return ok(records.map(read))
}
