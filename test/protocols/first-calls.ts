import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  BatchCreateRequestSchema,
  EventsService,
} from '../../src/contract/gen/sdk/events/v1/events_service_pb.js'
import {
  ActivityService,
  GetEventExplorerRequestSchema,
} from '../../src/contract/gen/shared/activity/v1/activity_service_pb.js'
import {
  ListRequestSchema,
  ProfilesService,
} from '../../src/contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { PRIVATE_KEY, PUBLIC_KEY } from '../harness/service.ts'
import { type Call, wireOf } from './wires.ts'

/** A batch of one event. */
export function ingestOne(): Call {
  const event = {
    eventId: crypto.randomUUID(),
    sessionId: crypto.randomUUID(),
    occurTime: timestampFromMs(Date.UTC(2026, 0, 1)),
    kind: 'page_view',
    distinctId: 'anon-1',
  }
  const request = create(BatchCreateRequestSchema, { events: [event] })
  return { method: EventsService.method.batchCreate, request, header: { 'x-api-key': PUBLIC_KEY } }
}

/** One page of events, from the query process. */
export function exploreAll(): Call {
  const request = create(GetEventExplorerRequestSchema, { pageSize: 1 })
  return { method: ActivityService.method.getEventExplorer, request, header: { 'x-api-key': PRIVATE_KEY } }
}

/** A server stream. */
export function listProfiles(): Call {
  const request = create(ListRequestSchema)
  return { method: ProfilesService.method.list, request, header: { 'x-api-key': PRIVATE_KEY } }
}

/** The results of a batch, a query and a stream over a wire. */
export async function callAll(title: string, url: string, trusted?: string): Promise<readonly string[]> {
  const client = wireOf(title).open(url, 'gzip', trusted)
  try {
    const replies = [
      await client.call(ingestOne()),
      await client.call(exploreAll()),
      await client.call(listProfiles()),
    ]
    return replies.map(({ code, message }) => (code === 'ok' ? code : `${code} ${message}`))
  } finally {
    client.close()
  }
}

/** The outcomes of {@link callAll} without a failure. */
export const ALL_WELL: readonly string[] = ['ok', 'ok', 'ok']
