import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { type CollectedSpan, decodeSpans } from './otlp-spans.ts'

/** A collector of traces on a free port of this machine. */
export interface TraceCollector {
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  /** Headers of the requests that came in. */
  readonly headers: readonly IncomingHttpHeaders[]
  stop(): Promise<void>
}

/** Starts a collector that takes traces by OTLP over HTTP. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    if (request.url !== '/v1/traces') return response.writeHead(404).end()
    headers.push(request.headers)
    spans.push(...decodeSpans(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body))
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('a TCP server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    headers,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
