import { randomInt } from 'node:crypto'
import { fromJson, type JsonObject, toBinary } from '@bufbuild/protobuf'
import { BatchCreateRequestSchema } from '../../src/contract/gen/sdk/events/v1/events_service_pb.js'
import { chunk, FIXTURE_EVENTS, ingestEvents } from '../corpus/fixtures.ts'
import { createFreshBodies } from '../rig/fresh-bodies.ts'
import type { LoadShape } from './load-command.ts'

/** Ids of a run begin anywhere: a second run must not send the events of the first again. */
const FIRST_COUNT_MAX = 2 ** 39

/** Bodies of BatchCreate requests, each with event ids that no other one has. The buffer is valid until the next call. */
export function createLoadBodies({ batch, protocol }: Pick<LoadShape, 'batch' | 'protocol'>): () => Buffer {
  const batches = chunk(ingestEvents(FIXTURE_EVENTS), batch).filter(({ length }) => length === batch)
  const requests = batches.map((events) => ({ events }) as unknown as JsonObject)
  const bodies = requests.map((request) =>
    protocol === 'json'
      ? Buffer.from(JSON.stringify(request))
      : Buffer.from(toBinary(BatchCreateRequestSchema, fromJson(BatchCreateRequestSchema, request))),
  )
  return createFreshBodies(bodies, { protocol, firstCount: randomInt(FIRST_COUNT_MAX) })
}
