import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ForwardingEdge } from '../../../test/harness/forwarding-edge.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import { RawConnection, request } from '../../../test/protocols/raw-connection.ts'

const ASK = 'POST /x.v1.XService/Ask'
const JSON_TYPE = { 'content-type': 'application/json' }
const MIB = 1024 * 1024

let upstream: Server
let answer: (response: ServerResponse, asked: IncomingMessage) => void
let edge: ForwardingEdge

beforeEach(async () => {
  upstream = createServer((asked, response) => {
    asked.resume().once('end', () => answer(response, asked))
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  edge = await ForwardingEdge.open({
    target: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
    ingestion: new Map([['/x.v1.XService/Own', { serve: (_, exchange) => exchange.answer(OWN_ANSWER) }]]),
  })
})

afterEach(() => {
  edge.close()
  upstream.close()
  upstream.closeAllConnections()
})

const OWN_ANSWER = { status: 200, headers: [], body: 'own '.repeat(MIB) }

async function ask(
  url: string,
  line = ASK,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawConnection> {
  const connection = await RawConnection.open(url)
  await connection.write(request(line, { ...JSON_TYPE, ...headers }, '{}'))
  return connection
}

async function checkNothingRuns(): Promise<void> {
  await waitFor('no request to be under way', () => (edge.count.running === 0 ? true : undefined))
}

describe.each(['http1Url', 'frontUrl'] as const)('at %s', (place) => {
  test.each([MIB, 8 * MIB])(
    'a stream that stands still after %i bytes has brought all of them',
    async (size) => {
      let ended: () => void = () => undefined
      answer = (response) => {
        response.write(Buffer.alloc(size, 'x'))
        ended = () => response.end('y')
      }
      const connection = await ask(edge[place])
      await waitFor('the bytes before the pause', () =>
        connection.received.length > size ? true : undefined,
      )
      ended()
      expect((await connection.answer()).body.length).toBe(size + 1)
      connection.close()
    },
  )

  test.each([0, 1, 20_000, MIB])(
    'an answer of %i bytes after which the connection closes is whole',
    async (size) => {
      answer = (response) => response.setHeader('content-length', size).end(Buffer.alloc(size, 'x'))
      const connection = await ask(edge[place], ASK, { connection: 'close' })
      const [only, ...more] = await connection.untilClosed()
      expect(more).toEqual([])
      expect(only?.body.length).toBe(size)
      await checkNothingRuns()
    },
  )

  test('the answer to HEAD has the length of the omitted body', async () => {
    answer = (response, { method }) => {
      response.setHeader('content-length', 12_345)
      response.end(method === 'HEAD' ? '' : Buffer.alloc(12_345))
    }
    const connection = await ask(edge[place], 'HEAD /sdk.js')
    await waitFor('the head', () => (connection.received.includes('\r\n\r\n') ? true : undefined))
    expect(connection.received.toString()).toMatch(
      /^HTTP\/1\.1 200 OK\r\n(.+\r\n)*content-length: 12345\r\n(.+\r\n)*\r\n$/i,
    )
    await checkNothingRuns()
    await connection.write(request('GET /healthz', {}))
    await waitFor('the next answer', () => (connection.received.includes('"ok"') ? true : undefined))
    connection.close()
  })

  test.each([204, 304])('an answer with status %i ends with its head', async (status) => {
    answer = (response) => response.writeHead(status).end()
    const connection = await ask(edge[place])
    await waitFor('the head', () => (connection.received.includes('\r\n\r\n') ? true : undefined))
    await checkNothingRuns()
    expect(connection.received.toString()).not.toMatch(/content-length|transfer-encoding/i)
    await connection.write(request('GET /healthz', {}))
    await waitFor('the next answer', () => (connection.received.includes('"ok"') ? true : undefined))
    connection.close()
  })

  test('a client that leaves in the middle leaves nothing behind', async () => {
    let isLeft = false
    answer = (response) => {
      response.once('close', () => {
        isLeft = true
      })
      response.writeHead(200, { 'content-length': 64 * MIB }).write(Buffer.alloc(32 * MIB))
    }
    const connection = await ask(edge[place])
    await waitFor('the first bytes', () => (connection.received.length > 0 ? true : undefined))
    connection.close()
    await checkNothingRuns()
    await waitFor('the query process to be left too', () => (isLeft ? true : undefined))
  })

  test('a long answer of the edge itself is whole, and so is the next', async () => {
    const connection = await ask(edge[place], 'POST /x.v1.XService/Own')
    expect((await connection.answer()).body).toBe(OWN_ANSWER.body)
    await connection.write(request('GET /healthz', {}))
    expect(await connection.answers(2)).toMatchObject([{ status: 200 }, { body: '{"status":"ok"}' }])
    connection.close()
  })

  test('a head longer than the buffer of the listener arrives whole', async () => {
    const fields = Array.from({ length: 6 }, (_, index) => [`x-field-${index}`, 'v'.repeat(2500)] as const)
    answer = (response) => response.writeHead(200, Object.fromEntries(fields)).end(Buffer.alloc(MIB, 'x'))
    const connection = await ask(edge[place])
    const { headers, body } = await connection.answer()
    expect(headers).toMatchObject(Object.fromEntries(fields))
    expect(body.length).toBe(MIB)
    connection.close()
  })
})
