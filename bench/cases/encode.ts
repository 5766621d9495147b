import { strictEqual } from 'node:assert'
import { asProjectId } from '../../src/contract/ids.ts'
import { decodeBatchJson } from '../../src/pipeline/decode/json.ts'
import { type EventsBlock, EventsBlockBuilder } from '../../src/pipeline/encode/events-block.ts'
import type { Event } from '../../src/pipeline/event.ts'
import type { BenchCase } from '../case.ts'
import { BATCH_SIZES, FIXTURE_EVENTS } from '../corpus/fixtures.ts'
import { inProcessCase } from './in-process.ts'

const PROJECT = asProjectId(1)

/** Encoding decoded events to a Native block a batch. */
export const encodeCases: readonly BenchCase[] = BATCH_SIZES.map((size) =>
  inProcessCase({
    name: `encode/batch-${size}`,
    size,
    prepare: async (bodies) => {
      const batches = bodies.map((body) => decodeBatchJson(body))
      strictEqual(
        batches.reduce((sum, batch) => sum + encode(batch).rowCount, 0),
        FIXTURE_EVENTS,
      )
      return () => {
        for (const batch of batches) encode(batch)
      }
    },
  }),
)

function encode(events: readonly Event[]): EventsBlock {
  const builder = new EventsBlockBuilder()
  for (const event of events) builder.add(PROJECT, event)
  return builder.finish()
}
