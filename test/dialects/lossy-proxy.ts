import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as an SDK has sent it. */
export interface ReceivedRequest {
  readonly url: URL
  readonly body: Buffer
  /** Whether the page that sent it cannot read the answer, as for `navigator.sendBeacon`. */
  readonly isBeacon: boolean
}

/** A proxy that delivers every request, and cuts the connection before the answer to the first one at each path. */
export interface LossyProxy {
  readonly url: string
  /** What was sent, in the order of arrival. */
  readonly received: readonly ReceivedRequest[]
  /** Paths whose answers were lost. */
  readonly lost: ReadonlySet<string>
  /** Answers 503 to everything instead of delivering it; resolves when an SDK has sent something. */
  refuseAll(): Promise<void>
  /** Delivers again. */
  takeAll(): void
  stop(): Promise<void>
}

/** Starts a proxy before a service; only answers to paths that `mayLose` accepts are lost. */
export async function startLossyProxy(
  target: string,
  mayLose: (path: string) => boolean,
): Promise<LossyProxy> {
  const lost = new Set<string>()
  const received: ReceivedRequest[] = []
  let refused: PromiseWithResolvers<void> | undefined
  const server = createServer(async (request, response) => {
    if (refused !== undefined) return refuse(request, response, refused.resolve)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const url = new URL(request.url ?? '', target)
    const body = Buffer.concat(chunks)
    received.push({ url, body, isBeacon: request.headers['sec-fetch-mode'] === 'no-cors' })
    const answer = await forward(url, request, body)
    const path = url.pathname
    if (request.method === 'POST' && mayLose(path) && !lost.has(path)) {
      lost.add(path)
      request.socket.destroy()
      return
    }
    const headers = [...answer.headers].filter(([name]) => !/^(content-length|content-encoding)$/.test(name))
    response.writeHead(answer.status, Object.fromEntries(headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    lost,
    refuseAll: async () => {
      refused = Promise.withResolvers<void>()
      await refused.promise
    },
    takeAll: () => {
      refused = undefined
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** As a proxy of the customer answers while the service is away; browsers let scripts read it. */
function refuse(request: IncomingMessage, response: ServerResponse, report: () => void): void {
  request.resume()
  const isPreflight = request.method === 'OPTIONS'
  response.writeHead(isPreflight ? 204 : 503, {
    'access-control-allow-origin': request.headers.origin ?? '*',
    'access-control-allow-credentials': 'true',
    'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '',
  })
  response.end()
  if (!isPreflight) report()
}

async function forward(url: URL, request: IncomingMessage, body: Buffer): Promise<Response> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string' && !/^(host|connection|content-length|transfer-encoding)$/.test(name))
      headers.set(name, value)
  headers.set('x-forwarded-host', request.headers.host ?? '')
  const { method = 'GET' } = request
  return await fetch(url, {
    method,
    headers,
    ...(method === 'POST' ? { body: new Uint8Array(body) } : {}),
  })
}
