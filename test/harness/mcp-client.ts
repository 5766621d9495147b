import { type ClientHttp2Session, connect } from 'node:http2'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { PRIVATE_KEY, type TestService } from './service.ts'

/** Where the endpoint is. */
export const MCP_PATH = '/mcp'

/** How a client talks. */
export interface McpWire {
  readonly http: '1.1' | '2'
  /** Revisions before 2026-07-28 begin with a handshake. */
  readonly revision: '2025-11-25' | '2026-07-28'
}

/** Every way to talk to the endpoint. */
export const MCP_WIRES: readonly McpWire[] = [
  { http: '1.1', revision: '2025-11-25' },
  { http: '1.1', revision: '2026-07-28' },
  { http: '2', revision: '2025-11-25' },
  { http: '2', revision: '2026-07-28' },
]

/** A connected client, and how to be rid of it. */
export interface OpenMcpClient {
  readonly client: Client
  readonly close: () => Promise<void>
}

/** Connects a client of the protocol, which checks each answer against the schema of its tool. */
export async function openMcpClient(
  service: TestService,
  { http, revision }: McpWire,
  headers: Readonly<Record<string, string>> = { 'x-api-key': PRIVATE_KEY },
): Promise<OpenMcpClient> {
  const isNew = revision === '2026-07-28'
  const options = isNew ? { versionNegotiation: { mode: { pin: revision } } } : {}
  const client = new Client({ name: 'test', version: '1' }, options)
  const session = http === '2' ? connect(service.url) : undefined
  const transport = new StreamableHTTPClientTransport(new URL(MCP_PATH, service.url), {
    requestInit: { headers },
    ...(session ? { fetch: async (url, init) => await fetchOver(session, new Request(url, init)) } : {}),
  })
  await client.connect(transport)
  await client.listTools()
  return {
    client,
    close: async () => {
      await client.close()
      session?.close()
    },
  }
}

/** `fetch` over a connection of HTTP/2. */
export async function fetchOver(session: ClientHttp2Session, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const body = Buffer.from(await request.arrayBuffer())
  return await new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': request.method,
      ':path': pathname,
      ...Object.fromEntries(request.headers),
    })
    const chunks: Buffer[] = []
    let status = 0
    const headers = new Headers()
    stream.on('response', (received) => {
      status = Number(received[':status'])
      for (const [name, value] of Object.entries(received))
        if (!name.startsWith(':')) headers.set(name, String(value))
    })
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      if (status === 0) return reject(new Error('the stream ended without an answer'))
      const isEmpty = chunks.length === 0
      resolve(new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers }))
    })
    stream.on('error', reject)
    request.signal.addEventListener('abort', () => {
      stream.close()
      reject(request.signal.reason)
    })
    stream.end(body)
  })
}
