import { once } from 'node:events'
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as startRequest,
} from 'node:http'
import type { Outbound } from './outbound.ts'
import { OutboundError } from './outbound-error.ts'

/** A request to a user-supplied address. */
export interface OutboundRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Deadline for everything: lookup, connection, TLS, request, response. */
  readonly timeoutMs: number
  readonly answerBytesMax: number
}

/** The response. */
export interface OutboundAnswer {
  /** Redirects are returned as they are, never followed. */
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const INTERIM_ANSWERS_MAX = 8

const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/**
 * Sends a request on a dedicated connection and reads the response. Throws {@link OutboundError}, or the signal's
 * reason.
 */
export async function requestOutbound(
  outbound: Outbound,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(request.timeoutMs)])
  try {
    return await exchange(outbound, request, deadline)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof OutboundError) throw error
    if (deadline.aborted) throw new OutboundError('timeout')
    const { code } = error as { readonly code?: string }
    throw new OutboundError('unreachable', code)
  }
}

async function exchange(
  outbound: Outbound,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const url = parseUrl(request.url)
  const target = {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (PORTS[url.protocol] ?? 0) : Number(url.port),
  }
  const socket =
    url.protocol === 'https:' ? await outbound.dialTls(target, signal) : await outbound.dial(target, signal)
  try {
    const outgoing = startRequest({
      createConnection: () => socket,
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...request.headers, host: url.host, connection: 'close' },
      signal,
    })
    boundInterimAnswers(outgoing)
    outgoing.end(request.body)
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const body = await readBody(incoming, request.answerBytesMax)
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, body }
  } finally {
    socket.destroy()
  }
}

/** A server may send any number of informational responses, and each one costs work. */
function boundInterimAnswers(outgoing: ClientRequest): void {
  let count = 0
  const take = () => {
    if (++count > INTERIM_ANSWERS_MAX) outgoing.destroy(new OutboundError('too-large'))
  }
  outgoing.on('information', take).on('continue', take)
}

function parseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url && url.protocol in PORTS && url.username === '' && url.password === '') return url
  throw new OutboundError('bad-url')
}

async function readBody(incoming: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let byteCount = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    byteCount += chunk.length
    if (byteCount > bytesMax) throw new OutboundError('too-large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
