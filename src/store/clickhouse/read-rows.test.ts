import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ClickHouseError } from '@clickhouse/client'
import { afterEach, describe, expect, test } from 'vitest'
import { type ClickHouse, openClickHouse } from './client.ts'
import type { ReadAnswer, ReadStatement } from './read-rows.ts'

type Serve = (request: IncomingMessage, response: ServerResponse) => void

const open: { readonly server: Server; readonly clickhouse: ClickHouse }[] = []

afterEach(async () => {
  for (const { server, clickhouse } of open.splice(0)) {
    await clickhouse.close()
    server.closeAllConnections()
    server.close()
  }
})

/** A server that stands for ClickHouse, and its client. */
async function serve(
  answer: Serve,
  requestTimeoutMs = 10_000,
): Promise<(read?: Partial<ReadStatement>) => Promise<ReadAnswer>> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const endpoint = {
    url: `http://127.0.0.1:${port}`,
    database: 'events',
    username: 'reader',
    password: 'pass',
  }
  const options = { application: 'test', connectionsMax: 1, requestTimeoutMs, settings: { max_threads: 1 } }
  const clickhouse = openClickHouse(endpoint, options)
  open.push({ server, clickhouse })
  const { signal } = new AbortController()
  return async (read) =>
    await clickhouse.readRows({ query: 'SELECT 1', params: {}, settings: {}, signal, ...read })
}

const TAG = { 'x-clickhouse-exception-tag': 'abcdefgh' }

/** How ClickHouse ends an answer after an error. */
function writeError(message: string): string {
  return `\r\n__exception__\r\nabcdefgh\r\n${message}\n${message.length + 1} abcdefgh\r\n__exception__\r\n`
}

const TOO_SLOW = 'Code: 159. DB::Exception: Timeout exceeded. (TIMEOUT_EXCEEDED) (version 26.7)'

describe('reading rows', () => {
  test('sends the statement as the body, and settings and values in the address', async () => {
    const seen = Promise.withResolvers<{ readonly head: IncomingMessage; readonly body: string }>()
    const read = await serve(async (head, response) => {
      const chunks = await head.toArray()
      seen.resolve({ head, body: Buffer.concat(chunks).toString() })
      response.end('[1]\n')
    })
    await read({ params: { p0: "it's" }, settings: { readonly: '2' } })
    const { head, body } = await seen.promise
    const sent = new URL(head.url ?? '', 'http://host').searchParams
    expect(Object.fromEntries(sent)).toEqual({
      default_format: 'JSONCompactEachRow',
      database: 'events',
      max_threads: '1',
      readonly: '2',
      param_p0: "it\\'s",
    })
    expect(body).toBe('SELECT 1')
    expect(head.headers.authorization).toBe(`Basic ${btoa('reader:pass')}`)
  })

  test('puts rows together that arrive in pieces', async () => {
    const read = await serve(async (_, response) => {
      const bytes = Buffer.from('["é",1]\n["b\\n",2]\n')
      response.setHeader('x-clickhouse-summary', '{"read_rows":"2"}')
      for (const byte of bytes) {
        response.write(Buffer.of(byte))
        await new Promise(setImmediate)
      }
      response.end()
    })
    expect(await read()).toEqual({
      rows: [
        ['é', 1],
        ['b\n', 2],
      ],
      summary: '{"read_rows":"2"}',
    })
  })

  test('keeps its connection for the next statement', async () => {
    const ports: unknown[] = []
    const read = await serve((request, response) => {
      ports.push(request.socket.remotePort)
      response.end('[1]\n')
    })
    await read()
    await read()
    expect(new Set(ports).size).toBe(1)
    expect(ports).toHaveLength(2)
  })

  test('an error before the first row has its code', async () => {
    const read = await serve((_, response) => response.writeHead(500).end(TOO_SLOW))
    await expect(read()).rejects.toMatchObject({ code: '159', type: 'TIMEOUT_EXCEEDED' })
  })

  test('an error after some rows has its code', async () => {
    const read = await serve((_, response) =>
      response.writeHead(200, TAG).end(`[1]\n${writeError(TOO_SLOW)}`),
    )
    await expect(read()).rejects.toBeInstanceOf(ClickHouseError)
  })

  test('an error after some rows has its code when the connection breaks off', async () => {
    const read = await serve((_, response) => {
      response.writeHead(200, TAG).write(`[1]\n${writeError(TOO_SLOW)}`, () => response.destroy())
    })
    await expect(read()).rejects.toMatchObject({ code: '159' })
  })

  test('rows that end too early are no answer', async () => {
    const read = await serve((_, response) => {
      response.writeHead(200, TAG).write('[1]\n', () => response.destroy())
    })
    await expect(read()).rejects.toThrow('aborted')
  })

  test('half a row is no answer', async () => {
    const read = await serve((_, response) => response.end('[1]\n[2'))
    await expect(read()).rejects.toThrow('ends in the middle of a row')
  })

  test('a server that does not answer is given up', async () => {
    const read = await serve(() => undefined, 50)
    await expect(read()).rejects.toThrow('ClickHouse did not answer in time')
  })

  test('closes the connection of a statement that is no longer wanted', async () => {
    const asked = Promise.withResolvers<IncomingMessage>()
    const read = await serve((request) => asked.resolve(request))
    const abort = new AbortController()
    const answer = read({ signal: abort.signal })
    const closed = once((await asked.promise).socket, 'close')
    abort.abort()
    await expect(answer).rejects.toThrow()
    await closed
  })
})
