import { fromJson, type JsonObject } from '@bufbuild/protobuf'
import { type Client, ConnectError, createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BadRequestSchema } from '../src/contract/gen/google/rpc/error_details_pb.js'
import {
  InsightsService,
  type QueryRequest,
  QueryRequestSchema,
} from '../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { findRefusal, prepareRules } from '../src/domain/insights/find-refusal.ts'
import { invalidRequests, VALID_REQUESTS } from './differential/invalid-requests.ts'
import { PRIVATE_KEY, TestService } from './harness/service.ts'

/** A refusal: its message, and the violation of each field. */
interface Said {
  readonly message: string
  readonly fields: readonly (readonly [field: string, description: string])[]
}

let service: TestService
let client: Client<typeof InsightsService>

beforeAll(async () => {
  service = await TestService.start()
  client = createClient(
    InsightsService,
    createConnectTransport({
      baseUrl: service.url,
      httpVersion: '1.1',
      useBinaryFormat: true,
      interceptors: [
        (next) => async (request) => {
          request.header.set('x-api-key', PRIVATE_KEY)
          return await next(request)
        },
      ],
    }),
  )
})

afterAll(async () => await service?.destroy())

/** The refusal of the service; `undefined` when it answers the query. */
async function askService(request: QueryRequest): Promise<Said | undefined> {
  try {
    await client.query(request)
    return undefined
  } catch (thrown) {
    const error = ConnectError.from(thrown)
    const violations = error.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations)
    const fields = violations.map(({ field, description }) => [field, description] as const)
    return { message: error.rawMessage, fields }
  }
}

/** The refusal without a request. */
function tell(request: QueryRequest): Said | undefined {
  const refusal = findRefusal(request, 'UTC')
  if (!refusal) return undefined
  const fields = refusal.violations.map(({ field, description }) => [field, description] as const)
  return { message: refusal.message, fields }
}

function read(json: JsonObject): QueryRequest {
  return fromJson(QueryRequestSchema, json)
}

/** Requests that are messages, however wrong. */
const REFUSED = invalidRequests()
  .filter(({ method }) => method === 'Query')
  .flatMap(({ name, request }) => {
    try {
      return [{ name, request: read(request) }]
    } catch {
      return []
    }
  })

test('a query that the service answers is not refused early', async () => {
  const request = read(VALID_REQUESTS.Query)
  expect([tell(request), await askService(request)]).toEqual([undefined, undefined])
})

test('rules are loaded in parts, so that a page stays responsive', async () => {
  let pauses = 0
  await prepareRules(async () => {
    pauses += 1
  })
  expect(pauses).toBeGreaterThan(4)
  expect(tell(read(VALID_REQUESTS.Query))).toBeUndefined()
})

test('most invalid queries are refused without a request', () => {
  expect(REFUSED.length).toBeGreaterThan(250)
})

test.each(REFUSED)('is refused early as by the service: $name', async ({ request }) => {
  const told = tell(request)
  expect(told?.message).toEqual(expect.any(String))
  expect(told).toEqual(await askService(request))
})
