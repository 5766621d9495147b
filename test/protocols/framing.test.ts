import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PUBLIC_KEY, TestService } from '../harness/service.ts'
import { freePort } from '../harness/wait.ts'
import { chunked, request, send } from './raw-connection.ts'

const INGEST = 'POST /sdk.events.v1.EventsService/BatchCreate'
const PUBLIC = { 'content-type': 'application/json', 'x-api-key': PUBLIC_KEY }
const CHUNKED = { ...PUBLIC, 'transfer-encoding': 'chunked' }
const HEAD = `${INGEST} HTTP/1.1\r\nhost: h\r\ncontent-type: application/json\r\nx-api-key: ${PUBLIC_KEY}\r\n`
const EVENT = JSON.stringify({
  events: [
    {
      eventId: randomUUID(),
      sessionId: randomUUID(),
      occurTime: new Date().toISOString(),
      kind: 'framed',
      distinctId: 'd',
    },
  ],
})
const SIZE = EVENT.length.toString(16)

/** Requests in which two servers could find the end in different positions. */
const DOUBTFUL: readonly (readonly [string, string])[] = [
  ['two lengths', `${HEAD}content-length: ${EVENT.length}\r\ncontent-length: 5\r\n\r\n${EVENT}`],
  [
    'two equal lengths',
    `${HEAD}content-length: ${EVENT.length}\r\ncontent-length: ${EVENT.length}\r\n\r\n${EVENT}`,
  ],
  [
    'a length and chunks',
    `${HEAD}content-length: ${EVENT.length}\r\ntransfer-encoding: chunked\r\n\r\n${chunked(EVENT)}`,
  ],
  ['two codings', `${HEAD}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n${chunked(EVENT)}`],
  [
    'an empty coding before another',
    `${HEAD}transfer-encoding:\r\ntransfer-encoding: chunked\r\n\r\n${chunked(EVENT)}`,
  ],
  ...['identity', 'gzip, chunked', 'chunked, identity', 'xchunked', 'Chunked'].map(
    (coding) =>
      [`the coding ${coding}`, `${HEAD}transfer-encoding: ${coding}\r\n\r\n${chunked(EVENT)}`] as const,
  ),
]

/** Chunks that uWebSockets.js takes, and reads in its own way. */
const LENIENT: readonly (readonly [string, string])[] = [
  ['an extension', `${SIZE};a=b\r\n${EVENT}\r\n0\r\n\r\n`],
  ['words behind the size', `${SIZE} b\r\n${EVENT}\r\n0\r\n\r\n`],
  ['a bare LF behind the size', `${SIZE}\n${EVENT}\r\n0\r\n\r\n`],
  ['other bytes behind a chunk', `${SIZE}\r\n${EVENT}xx0\r\n\r\n`],
  ['no size at the end', `${SIZE}\r\n${EVENT}\r\n\r\n\r\n`],
  ['other bytes behind the last chunk', `${SIZE}\r\n${EVENT}\r\n0\r\nxx`],
  ['a trailer', `${SIZE}\r\n${EVENT}\r\n0\r\na: b\r\n\r\n`],
]

describe.each(['on', 'off', 'a port'])('with SERVICE_HTTP2=%s', (mode) => {
  let service: TestService

  beforeAll(async () => {
    service = await TestService.start({ SERVICE_HTTP2: mode === 'a port' ? String(await freePort()) : mode })
  })

  afterAll(async () => {
    await service.destroy()
  })

  async function statuses(bytes: string | Buffer): Promise<readonly number[]> {
    const connection = await send(service.url, bytes)
    return (await connection.untilClosed()).map(({ status }) => status)
  }

  test('a chunked body is accepted', async () => {
    const connection = await send(service.url, request(INGEST, CHUNKED, chunked(EVENT)))
    expect(await connection.answer()).toMatchObject({ status: 200, body: '{"accepted":1}' })
    connection.close()
  })

  test.concurrent.each(DOUBTFUL)('%s are refused, and the connection closed', async (_, text) => {
    expect(await statuses(text)).toEqual([400])
  })

  test('behind a body in chunks no request is read in the same breath', async () => {
    const two = [EVENT, EVENT].map((body) => request(INGEST, CHUNKED, chunked(body)))
    const connection = await send(service.url, Buffer.concat(two))
    connection.endWriting()
    expect((await connection.untilClosed()).length).toBeLessThan(2)
  })

  if (mode === 'on') {
    test.concurrent.each(LENIENT)(
      'chunks with %s are refused, and the connection closed',
      async (_, body) => {
        expect(await statuses(request(INGEST, CHUNKED, body))).toEqual([400])
      },
    )
  } else {
    test.concurrent.each(LENIENT)(
      'chunks with %s are the last that is read from a connection',
      async (_, body) => {
        const smuggled = request('GET /healthz', {})
        const connection = await send(service.url, request(INGEST, CHUNKED, body))
        await connection.write(smuggled)
        const answers = await connection.untilClosed()
        expect(answers.length).toBeLessThan(2)
        expect(answers.map(({ body: text }) => text)).not.toContain('{"status":"ok"}')
      },
    )
  }
})
