import { Prng } from '../../src/kernel/prng.ts'
import { decodeBatchJsonSlow } from '../../src/pipeline/decode/json-slow.ts'
import type { Event } from '../../src/pipeline/event/event.ts'
import { generateEvents, type JsonEvent } from './events.ts'

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
