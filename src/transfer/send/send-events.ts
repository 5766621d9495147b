import { LIMITS } from '../../kernel/limits.ts'
import type { ServiceClient } from './service-client.ts'

/** An event to send. */
export interface OutgoingEvent {
  /** JSON text of an event. */
  readonly text: string
}

/** Called for an event that the service refuses for good. */
export type OnRefused<E> = (event: E, reason: string) => void

const BATCH_CREATE = 'sdk.events.v1.EventsService/BatchCreate'

/** A quarter of what a service takes when nothing else is set. */
const BODY_BYTES_MAX = 2 * 1024 * 1024

/** Cuts events into batches that the service takes. */
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
 * Sends a batch until the service has every event of it or has said why not. A batch is refused as a whole: what it names is
 * taken out, and where it names nothing, halves are tried. Throws `SendError`. Answers how many were taken.
 */
export async function sendBatch<E extends OutgoingEvent>(
  client: ServiceClient,
  batch: readonly E[],
  onRefused: OnRefused<E>,
): Promise<number> {
  let events = batch
  while (events.length > 0) {
    const body = `{"events":[${events.map(({ text }) => text).join(',')}]}`
    const refusal = await client.call(BATCH_CREATE, body)
    if (refusal === undefined) return events.length
    const [field = ''] = refusal.fields
    const named = events[Number(/^events\[(\d+)\]/.exec(field)?.[1] ?? Number.NaN)]
    const refused = events.length === 1 ? events[0] : named
    if (refused === undefined) {
      const middle = events.length >> 1
      const first = await sendBatch(client, events.slice(0, middle), onRefused)
      return first + (await sendBatch(client, events.slice(middle), onRefused))
    }
    onRefused(refused, refusal.message.replace(/^events\[\d+\]\.?/, ''))
    events = events.filter((event) => event !== refused)
  }
  return 0
}
