import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'

/** A request that came in. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The answer; none when it is `undefined`. */
export type DoubleAnswer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  | undefined

/** A double of an external server, on a free port of this machine. */
export interface HttpDouble {
  readonly url: string
  readonly requests: readonly SeenRequest[]
  stop(): Promise<void>
}

/** Starts a server that answers with JSON; what `answer` promises may take its time. */
export async function startHttpDouble(
  answer: (request: SeenRequest) => DoubleAnswer | Promise<DoubleAnswer>,
): Promise<HttpDouble> {
  const requests: SeenRequest[] = []
  const server = createServer(async (incoming, response) => {
    incoming.setEncoding('utf8')
    let body = ''
    for await (const chunk of incoming) body += chunk
    const { method = '', url = '', headers } = incoming
    const request = { method, path: url, headers, body }
    requests.push(request)
    const answered = await answer(request)
    if (!answered) return
    response.writeHead(answered.status, { 'content-type': 'application/json', ...answered.headers })
    response.end(JSON.stringify(answered.body ?? {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('a TCP server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
