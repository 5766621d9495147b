import { strictEqual } from 'node:assert'
import { fromJsonString, toBinary } from '@bufbuild/protobuf'
import { BatchCreateRequestSchema } from '../../src/contract/gen/sdk/events/v1/events_service_pb.js'
import { asProjectId } from '../../src/contract/ids.ts'
import { decodeBinary, decodeJson } from '../../src/pipeline/decode/decode-batch.ts'
import { EventColumns } from '../../src/pipeline/encode/event-columns.ts'
import type { BenchCase } from '../case.ts'
import { BATCH_SIZES, type BatchSize, FIXTURE_EVENTS } from '../corpus/fixtures.ts'
import { inProcessCase } from './in-process.ts'

const CONTEXT = { projectId: asProjectId(1), requestIndex: 0 }

/** Small requests share a block, as those of a task do. */
const BLOCK_EVENTS = 100

/** Decoding and validating BatchCreate bodies, and encoding their events to Native blocks. */
export const decodeCases: readonly BenchCase[] = [
  ...BATCH_SIZES.map((size) => decodeCase('json', size)),
  ...BATCH_SIZES.map((size) => decodeCase('binary', size)),
]

function decodeCase(codec: 'json' | 'binary', size: BatchSize): BenchCase {
  const decode = codec === 'json' ? decodeJson : decodeBinary
  return inProcessCase({
    name: `decode/${codec}-batch-${size}`,
    size,
    prepare: async (jsonBodies) => {
      const bodies = codec === 'json' ? jsonBodies : jsonBodies.map(toBinaryBody)
      const columns = new EventColumns()
      const decodeAll = (): number => {
        let rowCount = 0
        for (const body of bodies) {
          decode(body, columns, CONTEXT)
          if (columns.rowCount >= BLOCK_EVENTS) rowCount += columns.finish().rowCount
        }
        return rowCount
      }
      strictEqual(decodeAll(), FIXTURE_EVENTS)
      return decodeAll
    },
  })
}

function toBinaryBody(json: Buffer): Uint8Array {
  const request = fromJsonString(BatchCreateRequestSchema, json.toString('utf8'))
  return toBinary(BatchCreateRequestSchema, request)
}
