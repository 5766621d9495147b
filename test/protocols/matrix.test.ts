import { create, type Message, toJson } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BatchCreateRequest,
  BatchCreateRequestSchema,
  BatchCreateResponseSchema,
  EventsService,
} from '../../src/contract/gen/sdk/events/v1/events_service_pb.js'
import {
  ActivityService,
  GetEventExplorerRequestSchema,
  GetEventExplorerResponseSchema,
} from '../../src/contract/gen/shared/activity/v1/activity_service_pb.js'
import { Granularity, InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  InsightsService,
  QueryRequestSchema,
  QueryResponseSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import {
  ListRequestSchema,
  ListResponseSchema,
  ProfilesService,
} from '../../src/contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { BATCH_CREATE, makeEvent } from '../harness/events.ts'
import { PRIVATE_KEY, PUBLIC_KEY, TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import type { Reply } from './reply.ts'
import { SLOW_FILTER, StoreBackdoor } from './slow-traits.ts'
import { type Call, CODING_HEADERS, WIRES, type Wire, type WireClient, type WireCoding } from './wires.ts'

const BODY_BYTES_MAX = 512 * 1024
const REQUEST_ID = 'matrix-1'
const SEEDED_COUNT = 20
const DAY = { from: '2026-05-01T00:00:00Z', to: '2026-05-02T00:00:00Z' }

let service: TestService
let store: StoreBackdoor

beforeAll(async () => {
  service = await TestService.start({ SERVICE_MAX_BODY_BYTES: String(BODY_BYTES_MAX) })
  store = new StoreBackdoor(service)
  const events = Array.from({ length: SEEDED_COUNT }, () =>
    makeEvent({ distinctId: 'anon-seeded', kind: 'seeded', occurTime: '2026-05-01T12:00:00Z' }),
  )
  expect((await service.call(BATCH_CREATE, { events })).status).toBe(200)
  await waitFor('the seeded events', async () => {
    const { body } = await service.call('shared.activity.v1.ActivityService/GetEventExplorer', {
      distinctId: 'anon-seeded',
    })
    return (body.events as unknown[] | undefined)?.length === SEEDED_COUNT ? true : undefined
  })
})

afterAll(async () => {
  await service.destroy()
})

const header = (key: string): Record<string, string> => ({ 'x-api-key': key, 'x-request-id': REQUEST_ID })

function batch(count: number, kind = 'page_view', distinctId = 'anon-matrix'): BatchCreateRequest {
  const events = Array.from({ length: count }, () => ({
    eventId: crypto.randomUUID(),
    sessionId: crypto.randomUUID(),
    occurTime: timestampFromMs(Date.UTC(2026, 0, 1)),
    kind,
    distinctId,
  }))
  return create(BatchCreateRequestSchema, { events })
}

function ingest(request: BatchCreateRequest, key = PUBLIC_KEY): Call {
  return { method: EventsService.method.batchCreate, request, header: header(key) }
}

function explore(distinctId: string, key = PRIVATE_KEY): Call {
  const request = create(GetEventExplorerRequestSchema, { distinctId })
  return { method: ActivityService.method.getEventExplorer, request, header: header(key) }
}

function exploreSlowly(): Call {
  const request = create(GetEventExplorerRequestSchema, { propertyFilters: [SLOW_FILTER] })
  return { method: ActivityService.method.getEventExplorer, request, header: header(PRIVATE_KEY) }
}

function ask(spec: { readonly insightType: InsightType } | undefined): Call {
  const request = create(QueryRequestSchema, {
    ...(spec ? { spec } : {}),
    timeRange: {
      from: timestampFromMs(Date.parse(DAY.from)),
      to: timestampFromMs(Date.parse(DAY.to)),
    },
    granularity: Granularity.DAY,
  })
  return { method: InsightsService.method.query, request, header: header(PRIVATE_KEY) }
}

function listProfiles(pageToken: string): Call {
  const request = create(ListRequestSchema, { pageToken })
  return { method: ProfilesService.method.list, request, header: header(PRIVATE_KEY) }
}

/** The only message of a reply as proto JSON. */
function asJson(reply: Reply, schema: Parameters<typeof toJson>[0]): unknown {
  expect(reply).toMatchObject({ code: 'ok', message: '' })
  expect(reply.messages).toHaveLength(1)
  return toJson(schema, reply.messages[0] as Message)
}

interface Failure {
  readonly code: string
  readonly reason: string
  readonly fields?: readonly string[]
}

function checkFailure(reply: Reply, { code, reason, fields = [] }: Failure): void {
  expect(reply).toMatchObject({
    code,
    reason,
    domain: 'service',
    requestId: REQUEST_ID,
    fields,
    messages: [],
  })
  expect(reply.message).not.toBe('')
}

/** One thing that a client may do, and what must come of it in every protocol. */
interface Scenario {
  readonly title: string
  readonly call: () => Call
  /** `coding` is `undefined` when the client does not show the one of the answer. */
  readonly check: (reply: Reply, coding: WireCoding | undefined) => void
}

const SCENARIOS: readonly Scenario[] = [
  {
    title: 'BatchCreate answers how many events it took',
    call: () => ingest(batch(3)),
    check: (reply) => expect(asJson(reply, BatchCreateResponseSchema)).toEqual({ accepted: 3 }),
  },
  {
    title: 'GetEventExplorer answers a page, in the coding of the client',
    call: () => explore('anon-seeded'),
    check: (reply, coding) => {
      const page = asJson(reply, GetEventExplorerResponseSchema) as { readonly events: readonly unknown[] }
      expect(page.events).toHaveLength(SEEDED_COUNT)
      const named = CODING_HEADERS.map((name) => reply.headers[name]).find((value) => value !== undefined)
      expect(named ?? 'identity').toBe(coding ?? 'identity')
    },
  },
  {
    title: 'InsightsService.Query answers the count of the day',
    call: () => ask({ insightType: InsightType.TRENDS }),
    check: (reply) =>
      expect(asJson(reply, QueryResponseSchema)).toEqual({
        trends: { series: [{ points: [{ time: DAY.from, value: SEEDED_COUNT }] }] },
      }),
  },
  {
    title: 'an event that breaks a rule is refused with ErrorInfo, RequestInfo and BadRequest',
    call: () => ingest(batch(1, 'service.reserved')),
    check: (reply) =>
      checkFailure(reply, {
        code: 'invalid_argument',
        reason: 'INVALID_EVENT_BATCH',
        fields: ['events[0].kind'],
      }),
  },
  {
    title: 'a query without a spec is refused with ErrorInfo, RequestInfo and BadRequest',
    call: () => ask(undefined),
    check: (reply) =>
      checkFailure(reply, { code: 'invalid_argument', reason: 'INVALID_INSIGHT_QUERY', fields: ['spec'] }),
  },
  {
    title: 'an unknown key is unauthenticated at the edge',
    call: () => ingest(batch(1), `pub_${'x'.repeat(24)}`),
    check: (reply) => checkFailure(reply, { code: 'unauthenticated', reason: 'INVALID_API_KEY' }),
  },
  {
    title: 'a public key is refused by the query process',
    call: () => explore('anon-seeded', PUBLIC_KEY),
    check: (reply) => checkFailure(reply, { code: 'permission_denied', reason: 'PUBLIC_KEY_NOT_ALLOWED' }),
  },
  {
    title: 'a server stream brings its messages',
    call: () => listProfiles(''),
    check: (reply) =>
      expect(asJson(reply, ListResponseSchema)).toMatchObject({
        profiles: expect.arrayContaining([expect.objectContaining({ id: 'anon-seeded' })]),
      }),
  },
  {
    title: 'a server stream ends with the error of its method',
    call: () => listProfiles('no token'),
    check: (reply) =>
      checkFailure(reply, { code: 'invalid_argument', reason: 'INVALID_PAGE_TOKEN', fields: ['pageToken'] }),
  },
  {
    title: 'a batch over the limit of a body is refused',
    call: () => ingest(batch(1, 'page_view', 'x'.repeat(BODY_BYTES_MAX + 1))),
    check: (reply) => checkFailure(reply, { code: 'resource_exhausted', reason: 'BODY_TOO_LARGE' }),
  },
  {
    title: 'a query over the limit of a body is refused',
    call: () => explore('x'.repeat(BODY_BYTES_MAX + 1)),
    check: (reply) => checkFailure(reply, { code: 'resource_exhausted', reason: 'BODY_TOO_LARGE' }),
  },
  {
    title: 'a batch that takes longer than its deadline is deadline_exceeded',
    call: () => ingest(batch(1000)),
    check: (reply) => checkFailure(reply, { code: 'deadline_exceeded', reason: 'DEADLINE_EXCEEDED' }),
  },
]

const NAMED_WIRES = WIRES.map((wire) => [wire.title, wire] as const)

const DEADLINE_SCENARIO = SCENARIOS.at(-1)

async function withClient<T>(
  wire: Wire,
  coding: WireCoding,
  use: (client: WireClient) => Promise<T>,
): Promise<T> {
  const client = wire.open(service.url, coding)
  try {
    return await use(client)
  } finally {
    client.close()
  }
}

/** The server's own deadline: the client sends the header and waits for as long as it takes. */
function bounded(wire: Wire, call: Call, timeoutMs: number): Call {
  return { ...call, header: { ...call.header, ...wire.timeoutHeader(timeoutMs) } }
}

const TRIES_MAX = 25

/** A busy service may notice a deadline of a millisecond only after a worker has decoded the batch, which is then accepted. */
async function untilTooLate(send: () => Promise<Reply>): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const reply = await send()
    if (reply.code !== 'ok' || tries === TRIES_MAX) return reply
  }
}

async function check(wire: Wire, coding: WireCoding, scenario: Scenario): Promise<void> {
  const send = async (call: Call) => await withClient(wire, coding, async (client) => await client.call(call))
  const reply =
    scenario === DEADLINE_SCENARIO
      ? await untilTooLate(async () => await send(bounded(wire, scenario.call(), 1)))
      : await send(scenario.call())
  scenario.check(reply, wire.showsCoding ? coding : undefined)
}

describe.each(NAMED_WIRES)('%s', (_, wire) => {
  const cases = wire.codings.flatMap((coding) =>
    SCENARIOS.map((scenario) => [`${coding}: ${scenario.title}`, coding, scenario] as const),
  )

  test.each(cases)('%s', async (_title, coding, scenario) => {
    await check(wire, coding, scenario)
  })

  test('a cancelled batch fails at the client, and the service stays ready', async () => {
    const replies = await Promise.all(
      wire.codings.map((coding) =>
        withClient(wire, coding, async (client) => {
          const { signal, abort } = abortable()
          const reply = client.call({ ...ingest(batch(1000)), signal })
          setImmediate(abort)
          return (await reply).code
        }),
      ),
    )
    expect(replies).toEqual(wire.codings.map(() => 'canceled'))
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  })
})

describe('while reads of traits are slow', () => {
  beforeAll(async () => {
    await store.makeTraitsSlow()
  })

  afterAll(async () => {
    await store.makeTraitsFast()
  })

  test.each(NAMED_WIRES)(
    '%s: a query over its deadline is deadline_exceeded in every coding, and ClickHouse stops it',
    async (_, wire) => {
      const replies = await Promise.all(
        wire.codings.map((coding) =>
          withClient(wire, coding, async (client) => client.call(bounded(wire, exploreSlowly(), 150))),
        ),
      )
      expect(replies).toHaveLength(wire.codings.length)
      for (const reply of replies) {
        checkFailure(reply, { code: 'deadline_exceeded', reason: 'DEADLINE_EXCEEDED' })
      }
      await store.untilQueries(0)
    },
  )

  test.each(NAMED_WIRES)(
    '%s: ClickHouse stops a query whose client cancels it, in every coding',
    async (_, wire) => {
      const clients = wire.codings.map((coding) => wire.open(service.url, coding))
      const { signal, abort } = abortable()
      const replies = Promise.all(
        clients.map(async (client) => await client.call({ ...exploreSlowly(), signal })),
      )
      await store.untilQueries(clients.length)
      abort()
      expect((await replies).map(({ code }) => code)).toEqual(clients.map(() => 'canceled'))
      await store.untilQueries(0)
      for (const client of clients) client.close()
    },
  )
})

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
