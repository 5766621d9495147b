import { LIMITS } from '../../kernel/limits.ts'
import type { ServiceClient } from './service-client.ts'

/** An event to send. */
export interface OutgoingEvent {
  /** JSON text of an event. */
  readonly text: string
}

/** Called for an event that the service rejects permanently. */
export type OnRejected<E> = (event: E, reason: string) => void

const BATCH_CREATE = 'sdk.events.v1.EventsService/BatchCreate'

/** A quarter of the service's default body limit. */
const BODY_BYTES_MAX = 2 * 1024 * 1024

/** Splits events into batches within the service's limits. */
export function toBatches<E extends OutgoingEvent>(events: readonly E[]): E[][] {
  const batches: E[][] = []
  let bytes = 0
  for (const event of events) {
    const last = batches.at(-1)
    bytes += event.text.length
    if (last === undefined || last.length === LIMITS.batchEventsMax || bytes > BODY_BYTES_MAX) {
      batches.push([event])
      bytes = event.text.length
    } else last.push(event)
  }
  return batches
}

/**
 * Sends a batch until the service has accepted or permanently rejected each event, and returns the number accepted. The
 * service rejects a batch as a whole: the event that its error names is removed; without a name, each half is sent alone.
 * Throws `SendError`.
 */
export async function sendBatch<E extends OutgoingEvent>(
  client: ServiceClient,
  batch: readonly E[],
  onRejected: OnRejected<E>,
): Promise<number> {
  let events = batch
  while (events.length > 0) {
    const body = `{"events":[${events.map(({ text }) => text).join(',')}]}`
    const refusal = await client.call(BATCH_CREATE, body)
    if (refusal === undefined) return events.length
    const [field = ''] = refusal.fields
    const named = events[Number(/^events\[(\d+)\]/.exec(field)?.[1] ?? Number.NaN)]
    const rejected = events.length === 1 ? events[0] : named
    if (rejected === undefined) {
      const middle = events.length >> 1
      const first = await sendBatch(client, events.slice(0, middle), onRejected)
      return first + (await sendBatch(client, events.slice(middle), onRejected))
    }
    onRejected(rejected, refusal.message.replace(/^events\[\d+\]\.?/, ''))
    events = events.filter((event) => event !== rejected)
  }
  return 0
}
