import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ForwardingEdge, type ForwardingEdgeOptions } from '../../../test/harness/forwarding-edge.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import { RawConnection, request } from '../../../test/protocols/raw-connection.ts'

type Answer = (response: ServerResponse, asked: IncomingMessage) => void

const ASK = request('POST /x.v1.XService/Ask', { 'content-type': 'application/json' }, '{}')
/** Long enough for a busy machine to answer in time, short enough to wait for. */
const SOON_MS = 500
const answerWhole: Answer = (response) => response.end('{}')

let upstream: Server
/** The upstream's behaviour for each call in order; the last entry applies to all that follow. */
let answers: Answer[]
/** Sockets on which the calls came. */
let cameOn: IncomingMessage['socket'][]
let edge: ForwardingEdge

beforeEach(async () => {
  answers = []
  cameOn = []
  upstream = createServer((asked, response) => {
    cameOn.push(asked.socket)
    asked.resume().once('end', () => {
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      answer?.(response, asked)
    })
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
})

afterEach(() => {
  edge.close()
  upstream.close()
  upstream.closeAllConnections()
})

async function openEdge(
  idleTimeoutMs: number,
  extra: Pick<ForwardingEdgeOptions, 'isSilent'> = {},
): Promise<void> {
  const { port } = upstream.address() as AddressInfo
  edge = await ForwardingEdge.open({ target: `http://127.0.0.1:${port}`, idleTimeoutMs, ...extra })
}

/** Sends one call, so that the next one uses a kept connection. */
async function askFirst(connection: RawConnection): Promise<void> {
  await connection.write(ASK)
  expect(await connection.answer()).toMatchObject({ status: 200, body: '{}' })
}

async function askSecond(
  connection: RawConnection,
): Promise<{ readonly status: number; readonly body: string }> {
  await connection.write(ASK)
  const [, second] = await connection.answers(2)
  return { status: second?.status ?? 0, body: second?.body ?? '' }
}

async function checkNothingRuns(): Promise<void> {
  await waitFor('no request to be under way', () => (edge.count.running === 0 ? true : undefined))
}

test('a call that took too long over a kept connection is refused, and runs once', async () => {
  await openEdge(SOON_MS)
  answers = [answerWhole, () => undefined]
  const connection = await RawConnection.open(edge.http1Url)
  await askFirst(connection)
  const { status, body } = await askSecond(connection)
  expect(status).toBe(503)
  expect(JSON.parse(body)).toMatchObject({ code: 'unavailable' })
  expect(cameOn).toHaveLength(2)
  expect(cameOn[1]).toBe(cameOn[0])
  connection.close()
})

const BROKEN_OFF: readonly (readonly [string, Answer])[] = [
  ['stands still too long', (response) => response.write('{"half":')],
  ['breaks off', (response, asked) => void response.write('{"half":', () => asked.socket.destroy())],
  [
    'turns into what is no HTTP',
    (response, asked) => void response.write('{"half":', () => asked.socket.write('zz\r\n')),
  ],
]

test.each(BROKEN_OFF)('an answer that %s is cut off at that point', async (_, answer) => {
  await openEdge(SOON_MS)
  answers = [answer]
  const connection = await RawConnection.open(edge.http1Url)
  await connection.write(ASK)
  await connection.untilEnded()
  // What comes together with the end may be lost with it.
  const [head = '', body = ''] = connection.received.toString().split('\r\n\r\n')
  expect(head).toMatch(/^$|^HTTP\/1\.1 200 OK\r\n/)
  expect(['', '8\r\n{"half":']).toContain(body)
  await checkNothingRuns()
})

test.each(BROKEN_OFF)('a call over a kept connection whose answer %s runs once', async (_, answer) => {
  await openEdge(SOON_MS)
  answers = [answerWhole, answer, answerWhole]
  const connection = await RawConnection.open(edge.http1Url)
  await askFirst(connection)
  await connection.write(ASK)
  await connection.untilEnded()
  const next = await RawConnection.open(edge.http1Url)
  await askFirst(next)
  expect(cameOn).toHaveLength(3)
  expect(cameOn[1]).toBe(cameOn[0])
  next.close()
})

test.each([
  ['GET', { status: 200, calls: 3 }],
  ['POST', { status: 503, calls: 2 }],
])('a %s without a response on a reused connection is retried if that is safe', async (method, expected) => {
  await openEdge(10_000)
  answers = [answerWhole, (_, asked) => asked.socket.destroy(), answerWhole]
  const connection = await RawConnection.open(edge.http1Url)
  await askFirst(connection)
  await connection.write(request(`${method} /x.v1.XService/Ask`, { 'content-type': 'application/json' }))
  const [, second] = await connection.answers(2)
  expect({ status: second?.status, calls: cameOn.length }).toEqual(expected)
  expect(cameOn[1]).toBe(cameOn[0])
  connection.close()
})

test('a call that a kept-alive connection answers with invalid HTTP fails, and runs once', async () => {
  await openEdge(10_000)
  answers = [answerWhole, (_, asked) => asked.socket.end('nonsense\r\n\r\n')]
  const connection = await RawConnection.open(edge.http1Url)
  await askFirst(connection)
  expect((await askSecond(connection)).status).toBe(503)
  expect(cameOn).toHaveLength(2)
  connection.close()
})

test('when the query process hangs, a call is refused before its time is over', async () => {
  await openEdge(60_000, { isSilent: async () => true })
  answers = [() => undefined]
  const connection = await RawConnection.open(edge.http1Url)
  await connection.write(ASK)
  const { status, body } = await connection.answer()
  expect({ status, body: JSON.parse(body) }).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  await checkNothingRuns()
  connection.close()
})
