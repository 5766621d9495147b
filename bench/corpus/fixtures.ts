import { fromJson, type JsonObject, toBinary } from '@bufbuild/protobuf'
import { BatchCreateRequestSchema } from '../../src/contract/gen/sdk/events/v1/events_service_pb.js'
import { Prng } from '../../src/kernel/prng.ts'
import { decodeBatchJsonSlow } from '../../src/pipeline/decode/json-slow.ts'
import type { Event } from '../../src/pipeline/event/event.ts'
import { generateEvents, type JsonEvent } from './events.ts'
import { OWN_FORMS, type OwnForm } from './own-forms.ts'
import { generateVisits, type VisitEvent } from './visits.ts'

/** The sizes of BatchCreate requests that cases measure, in events. */
export const BATCH_SIZES = [1, 10, 100, 1000] as const

/** One of {@link BATCH_SIZES}. */
export type BatchSize = (typeof BATCH_SIZES)[number]

/** All events of one fixture, for batches of every size: different texts, and still in the processor's cache. */
export const FIXTURE_EVENTS = 2000

/** The range of time of everything that is ingested: an hour of one day, as live traffic has it. */
export const INGEST_RANGE = { fromMs: Date.UTC(2026, 0, 20, 12), toMs: Date.UTC(2026, 0, 20, 13) } as const

const SEED = 20260120

/** Bodies of BatchCreate requests with the given number of events each, {@link FIXTURE_EVENTS} in all. */
export function batchBodies(size: BatchSize): Buffer[] {
  return chunk(ingestEvents(FIXTURE_EVENTS), size).map((events) => Buffer.from(JSON.stringify({ events })))
}

/** `count` events of {@link INGEST_RANGE} as they are sent; the same ones at every call. */
export function ingestEvents(count: number): JsonEvent[] {
  return generateEvents(new Prng(SEED), { count, ...INGEST_RANGE })
}

/** Events of a corpus of visits: enough for most of its users, and more than the caches of a processor hold. */
export const VISIT_EVENTS = 20_000

/** `count` events of visits in {@link INGEST_RANGE}; the same ones at every call. */
export function visitEvents(count: number): VisitEvent[] {
  return generateVisits(new Prng(SEED), { count, ...INGEST_RANGE })
}

/** Bodies of BatchCreate requests with {@link VISIT_EVENTS} as an SDK of this service sends them. */
export function visitBodies(form: OwnForm, size: number, protocol: 'json' | 'binary' = 'json'): Buffer[] {
  const events = visitEvents(VISIT_EVENTS).map(OWN_FORMS[form])
  return chunk(events, size).map((part) => writeBatch(part, protocol))
}

/** The body of a BatchCreate request. */
export function writeBatch(events: readonly object[], protocol: 'json' | 'binary'): Buffer {
  if (protocol === 'json') return Buffer.from(JSON.stringify({ events }))
  const message = fromJson(BatchCreateRequestSchema, { events } as unknown as JsonObject)
  return Buffer.from(toBinary(BatchCreateRequestSchema, message))
}

/** Events as the real decoder gives them to the encoder. */
export function decodeEvents(events: readonly JsonEvent[]): Event[] {
  return chunk(events, 1000).flatMap((part) =>
    decodeBatchJsonSlow(Buffer.from(JSON.stringify({ events: part }))),
  )
}

/** Items in groups of `size`, in order; the last may be smaller. */
export function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
