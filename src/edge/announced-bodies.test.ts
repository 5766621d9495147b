import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ForwardingEdge } from '../../test/harness/forwarding-edge.ts'
import { waitFor } from '../../test/harness/wait.ts'
import { RawConnection, request } from '../../test/protocols/raw-connection.ts'
import { jsonAnswer } from '../rpc/answer.ts'
import type { EdgeMethod } from './exchange.ts'

const FORWARDED = '/x.v1.XService/Ask'
const INGESTED = '/x.v1.XService/Take'
const TEN_GIB = 10 * 1024 ** 3

const ingested: EdgeMethod = {
  serve: (_, exchange) => exchange.readBody(100, (outcome) => exchange.answer(jsonAnswer(413, outcome))),
}

let upstream: Server
let isAsked: boolean
let edge: ForwardingEdge

beforeEach(async () => {
  isAsked = false
  upstream = createServer(() => {
    isAsked = true
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const { port } = upstream.address() as AddressInfo
  edge = await ForwardingEdge.open({
    target: `http://127.0.0.1:${port}`,
    ingestion: new Map([[INGESTED, ingested]]),
  })
})

afterEach(() => {
  edge.close()
  upstream.close()
})

const REFUSED = {
  [FORWARDED]: /"code":"resource_exhausted".*"message":"/,
  [INGESTED]: /"refused":"too_large"/,
} as const

const paths = [FORWARDED, INGESTED] as const

async function checkNothingRuns(): Promise<void> {
  await waitFor('no request to be under way', () => (edge.count.running === 0 ? true : undefined))
  expect(isAsked).toBe(false)
}

describe.each(paths)('a body for %s that is announced too long is refused by its head', (path) => {
  test.each([
    ['http1Url', {}],
    ['http1Url', { connection: 'close' }],
    ['frontUrl', {}],
    ['frontUrl', { connection: 'close' }],
  ] as const)('over HTTP/1.1 at %s with %j', async (place, headers) => {
    const connection = await RawConnection.open(edge[place])
    const head = { ...headers, 'content-type': 'application/json', 'content-length': String(TEN_GIB) }
    await connection.write(request(`POST ${path}`, head, '{'))
    expect((await connection.answer()).body).toMatch(REFUSED[path])
    await checkNothingRuns()
    connection.close()
  })

  test('over HTTP/2', async () => {
    const session = connect(edge.frontUrl)
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/json',
      'content-length': TEN_GIB,
    })
    stream.on('error', () => undefined)
    stream.write('{')
    expect(await text(stream)).toMatch(REFUSED[path])
    session.destroy()
    await checkNothingRuns()
  })
})

test.each(['http1Url', 'frontUrl'] as const)(
  'behind a body that was refused by its head and came whole, the next request of a connection at %s is answered',
  async (place) => {
    const connection = await RawConnection.open(edge[place])
    await connection.write(request(`POST ${INGESTED}`, {}, 'x'.repeat(100_000)))
    await connection.write(request('GET /healthz', {}))
    expect(await connection.answers(2)).toMatchObject([{ status: 413 }, { body: '{"status":"ok"}' }])
    connection.close()
  },
)
