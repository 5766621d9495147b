import { fromJsonString, toBinary } from '@bufbuild/protobuf'
import { BatchCreateRequestSchema } from '../../src/contract/gen/sdk/events/v1/events_service_pb.js'
import { encodeEnvelope } from '../../src/rpc/envelope.ts'
import type { BenchCase, MeasureRound } from '../case.ts'
import { batchBodies } from '../corpus/fixtures.ts'
import { sendGrpcLoad } from '../rig/grpc-load.ts'
import { batchCreate, sendLoad } from '../rig/load.ts'
import { type BenchService, startService } from '../rig/service.ts'
import type { Teardown } from '../teardown.ts'

const BATCH = 100
const CALLS = 64 * 20
const EVENTS = CALLS * BATCH

/** BatchCreate over gRPC and HTTP/2 against the same batches over Connect JSON and HTTP/1.1: CPU of the edge. */
export const grpcCases: readonly BenchCase[] = [
  {
    name: `ingest/grpc-batch-${BATCH}`,
    unit: 'µs CPU/event',
    baseline: 'Connect JSON on HTTP/1.1',
    rounds: 5,
    prepare,
  },
]

async function prepare(teardown: Teardown): Promise<MeasureRound> {
  const service = await startService(teardown)
  const json = batchBodies(BATCH)
  const grpc = json.map((body) => {
    const message = fromJsonString(BatchCreateRequestSchema, body.toString('utf8'))
    return encodeEnvelope(0, toBinary(BatchCreateRequestSchema, message))
  })
  const connection = { url: service.url, apiKey: service.publicKey }
  let turn = 0
  return async () => ({
    cost: await edgeCost(service, async () => {
      await sendGrpcLoad({ ...connection, sessions: 8, streams: 8, calls: CALLS, bodies: grpc })
    }),
    baseline: await edgeCost(service, async () => {
      const nextBody = (): Buffer => json[turn++ % json.length] ?? Buffer.alloc(0)
      await sendLoad({
        url: service.url,
        target: batchCreate(service.publicKey),
        connections: 64,
        requests: CALLS,
        nextBody,
      })
    }),
  })
}

async function edgeCost(service: BenchService, send: () => Promise<void>): Promise<number> {
  const before = service.cpuSeconds().get('edge') ?? 0
  await send()
  return (((service.cpuSeconds().get('edge') ?? 0) - before) * 1e6) / EVENTS
}
