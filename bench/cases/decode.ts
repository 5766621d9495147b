import { strictEqual } from 'node:assert'
import { decodeBatchJson } from '../../src/pipeline/decode/json.ts'
import type { BenchCase } from '../case.ts'
import { BATCH_SIZES, FIXTURE_EVENTS } from '../corpus/fixtures.ts'
import { inProcessCase } from './in-process.ts'

/** Decoding and validating BatchCreate bodies. */
export const decodeCases: readonly BenchCase[] = BATCH_SIZES.map((size) =>
  inProcessCase({
    name: `decode/json-batch-${size}`,
    size,
    prepare: async (bodies) => {
      const count = bodies.reduce((sum, body) => sum + decodeBatchJson(body).length, 0)
      strictEqual(count, FIXTURE_EVENTS)
      return () => {
        for (const body of bodies) decodeBatchJson(body)
      }
    },
  }),
)
