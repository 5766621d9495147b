import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as an SDK has sent it. */
export interface ReceivedRequest {
  readonly url: URL
  readonly body: Buffer
}

/** A proxy that delivers every request, and cuts the connection before the answer to the first one at each path. */
export interface LossyProxy {
  readonly url: string
  /** What was sent, in the order of arrival. */
  readonly received: readonly ReceivedRequest[]
  /** Paths whose answers were lost. */
  readonly lost: ReadonlySet<string>
  stop(): Promise<void>
}

/** Starts a proxy before a service; only answers to paths that `mayLose` accepts are lost. */
export async function startLossyProxy(
  target: string,
  mayLose: (path: string) => boolean,
): Promise<LossyProxy> {
  const lost = new Set<string>()
  const received: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const url = new URL(request.url ?? '', target)
    const body = Buffer.concat(chunks)
    received.push({ url, body })
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
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
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
