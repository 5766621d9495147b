import { connect } from 'node:http2'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ForwardingEdge } from '../harness/forwarding-edge.ts'
import { waitFor } from '../harness/wait.ts'
import { decodeFrames, encodeFrame, encodeHeaders, FLAG, FRAME, OPENING } from '../protocols/http2-frames.ts'
import { RawConnection } from '../protocols/raw-connection.ts'

/** The error code of the library when all resets arrive at once. */
const INTERNAL_ERROR = 2
const ENHANCE_YOUR_CALM = 11
const CANCEL = Buffer.from([0, 0, 0, 8])
const LIST = '/shared.profiles.v1.ProfilesService/List'

let edge: ForwardingEdge
let connection: RawConnection

beforeEach(async () => {
  edge = await ForwardingEdge.open({ target: 'http://127.0.0.1:1' })
  connection = await RawConnection.open(edge.frontUrl)
})

afterEach(() => {
  connection.close()
  edge.close()
})

function call(index: number): Buffer {
  const payload = encodeHeaders({ ':method': 'POST', ':scheme': 'http', ':path': LIST, ':authority': 'x' })
  return encodeFrame({ type: FRAME.headers, flags: FLAG.endHeaders, stream: 2 * index + 1, payload })
}

function reset(index: number): Buffer {
  return encodeFrame({ type: FRAME.rstStream, flags: 0, stream: 2 * index + 1, payload: CANCEL })
}

async function closedWith(): Promise<number | undefined> {
  await connection.untilEnded()
  const goodbye = decodeFrames(connection.received).findLast(({ type }) => type === FRAME.goAway)
  return goodbye?.payload.readUInt32BE(4)
}

test('closes a connection that resets calls as soon as they begin, and keeps no running call', async () => {
  const frames = Array.from({ length: 2000 }, (_, index) => [call(index), reset(index)]).flat()
  await connection.write(Buffer.concat([OPENING, ...frames]))
  expect([INTERNAL_ERROR, ENHANCE_YOUR_CALM]).toContain(await closedWith())
  expect(edge.count.running).toBe(0)
})

test('closes a connection that resets running calls', async () => {
  await connection.write(OPENING)
  for (let round = 0; round < 10 && !connection.isEnded; round++) {
    const calls = Array.from({ length: 50 }, (_, index) => 50 * round + index)
    await connection.write(Buffer.concat(calls.map(call)))
    await waitFor('the calls', () => (edge.count.running === 50 || connection.isEnded ? true : undefined))
    await connection.write(Buffer.concat(calls.map(reset)))
    await waitFor('their end', () => (edge.count.running === 0 ? true : undefined))
  }
  expect(await closedWith()).toBe(ENHANCE_YOUR_CALM)
})

test('a client that cancels 80 calls keeps its connection', async () => {
  const session = connect(edge.frontUrl)
  const given = Array.from({ length: 80 }, () => {
    const stream = session.request({ ':method': 'POST', ':path': LIST }, { endStream: false })
    stream.on('error', () => undefined)
    return stream
  })
  await waitFor('the calls', () => (edge.count.running === 80 ? true : undefined))
  for (const stream of given) stream.close(8)
  await waitFor('their end', () => (edge.count.running === 0 ? true : undefined))
  const stream = session.request({ ':method': 'GET', ':path': '/healthz' })
  const status = await new Promise((resolve) => stream.once('response', (head) => resolve(head[':status'])))
  expect(status).toBe(200)
  session.destroy()
})
