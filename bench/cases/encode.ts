import { strictEqual } from 'node:assert'
import { asProjectId } from '../../src/contract/ids.ts'
import { decodeBatchJsonSlow } from '../../src/pipeline/decode/json-slow.ts'
import { EventColumns } from '../../src/pipeline/encode/event-columns.ts'
import type { BenchCase } from '../case.ts'
import { BATCH_SIZES, FIXTURE_EVENTS } from '../corpus/fixtures.ts'
import { inProcessCase } from './in-process.ts'

const CONTEXT = { projectId: asProjectId(1), requestIndex: 0 }

/** Encoding events that were decoded the slow way to a Native block a batch. */
export const encodeCases: readonly BenchCase[] = BATCH_SIZES.map((size) =>
  inProcessCase({
    name: `encode/batch-${size}`,
    size,
    prepare: async (bodies) => {
      const batches = bodies.map((body) => decodeBatchJsonSlow(body))
      const columns = new EventColumns()
      const encodeAll = (): number => {
        let rowCount = 0
        for (const batch of batches) {
          for (const event of batch) columns.addEvent(event, CONTEXT)
          rowCount += columns.finish().rowCount
        }
        return rowCount
      }
      strictEqual(encodeAll(), FIXTURE_EVENTS)
      return encodeAll
    },
  }),
)
