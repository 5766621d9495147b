import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Prng } from '../../../src/kernel/prng.ts'
import type { Ending } from '../ledger.ts'
import { readNumbers } from './read-numbers.ts'

/** How a request ended for the service: `acknowledged` although the client may never see the answer. */
export interface Exchanged {
  readonly numbers: readonly number[]
  readonly ending: Ending
  /** Whether the connection of the client broke before it got a byte. */
  readonly isReset: boolean
}

/** A proxy between SDKs and a service. */
export interface FaultyProxy {
  readonly url: string
  /** Requests by their fate. */
  readonly fates: ReadonlyMap<string, number>
  stop(): Promise<void>
}

/** Options of a proxy. */
export interface FaultyProxyOptions {
  readonly target: string
  readonly prng: Prng
  observe(exchanged: Exchanged): void
}

/** Probability that the answer to a request is lost. */
const LOST = 0.1

/** Without an answer by then, the proxy gives up, as those before real services do. */
const ANSWER_MS_MAX = 15_000

interface Received {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/**
 * Starts a proxy that delivers every request, and loses answers: before their first byte, or in the middle. While the service is
 * down it breaks the connection, as the system of the service would, or answers 502, as another proxy would.
 */
export async function startFaultyProxy(options: FaultyProxyOptions): Promise<FaultyProxy> {
  const fates = new Map<string, number>()
  const agent = new Agent({ keepAlive: true })
  const server = createServer((incoming, response) => {
    relay(incoming, response, options, agent).then(
      (fate) => fates.set(fate, (fates.get(fate) ?? 0) + 1),
      () => incoming.socket.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fates,
    stop: async () => {
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function relay(
  incoming: IncomingMessage,
  response: ServerResponse,
  { target, prng, observe }: FaultyProxyOptions,
  agent: Agent,
): Promise<string> {
  const body = await readAll(incoming)
  const numbers = readNumbers(incoming.url ?? '', body)
  const received = await forward(incoming, body, { target, agent }).catch(() => undefined)
  const isLost = numbers.length > 0 && prng.chance(LOST)
  const isGentle = prng.chance(0.5)
  if (received === undefined) {
    observe({ numbers, ending: 'unknown', isReset: !isGentle })
    if (isGentle) response.writeHead(502, readableBy(incoming)).end('bad gateway')
    else incoming.socket.destroy()
    return isGentle ? 'answered 502' : 'connection broken'
  }
  const isTaken = received.status >= 200 && received.status < 300
  observe({ numbers, ending: isTaken ? 'acknowledged' : 'refused', isReset: isLost && !isGentle })
  if (!isLost) {
    response.writeHead(received.status, received.headers).end(received.body)
    return `answered ${received.status}`
  }
  if (!isGentle) {
    incoming.socket.destroy()
    return 'answer lost'
  }
  response.writeHead(received.status, { ...received.headers, 'content-length': received.body.length + 1 })
  response.write(received.body, () => incoming.socket.destroy())
  return 'answer cut'
}

/** What a browser needs to let the page of an SDK read an answer. */
function readableBy({ headers: { origin } }: IncomingMessage): Readonly<Record<string, string>> {
  const type = { 'content-type': 'text/plain' }
  if (origin === undefined) return type
  return {
    ...type,
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
  }
}

async function forward(
  incoming: IncomingMessage,
  body: Buffer,
  { target, agent }: { readonly target: string; readonly agent: Agent },
): Promise<Received> {
  const { method, headers, url = '' } = incoming
  const outgoing = request(new URL(url, target), { method, headers, agent, timeout: ANSWER_MS_MAX })
  outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')))
  outgoing.end(body)
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  const whole = await readAll(answer)
  if (!answer.complete) throw new Error('the answer is cut')
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...kept } = answer.headers
  return { status: answer.statusCode ?? 0, headers: kept, body: whole }
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks)
}
