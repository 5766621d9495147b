import { randomUUID } from 'node:crypto'

/** An event in proto JSON. */
export type JsonEvent = Record<string, unknown>

/** The path of the RPC that ingests. */
export const BATCH_CREATE = 'sdk.events.v1.EventsService/BatchCreate'

/** A valid event that occurred now; `fields` replace or add. */
export function makeEvent(fields: JsonEvent = {}): JsonEvent {
  return {
    eventId: randomUUID(),
    kind: 'page_view',
    occurTime: new Date().toISOString(),
    distinctId: 'anon-1',
    sessionId: randomUUID(),
    ...fields,
  }
}
