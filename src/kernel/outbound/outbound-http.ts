import { once } from 'node:events'
import {
  Agent,
  type ClientRequest,
  type ClientRequestArgs,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request as startRequest,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Outbound, type OutboundTarget } from './outbound.ts'
import { OutboundError } from './outbound-error.ts'

/** A request. */
export interface OutboundRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Deadline for everything: lookup, connection, TLS, request, response. */
  readonly timeoutMs: number
  /** Deadline for lookup, connection and TLS; {@link CONNECT_TIMEOUT_MS} when absent. */
  readonly connectTimeoutMs?: number
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

/** A host that answers at all completes a TLS handshake within this time. */
const CONNECT_TIMEOUT_MS = 5000

const PORTS = { 'http:': 80, 'https:': 443 } as const
type Protocol = keyof typeof PORTS

/**
 * Sends a request to a host that a user entered, on a dedicated connection, and reads the response. Throws
 * {@link OutboundError}, or the signal's reason.
 */
export async function requestOutbound(
  outbound: Outbound,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  return await withinDeadline(request, signal, async (url, deadline) => {
    const { connectTimeoutMs = CONNECT_TIMEOUT_MS } = request
    const untilConnected = AbortSignal.any([deadline, AbortSignal.timeout(connectTimeoutMs)])
    const socket = await dialUrl(outbound, url, untilConnected)
    try {
      const headers = { ...request.headers, connection: 'close' }
      return await exchange({ ...request, headers }, { createConnection: () => socket }, deadline)
    } finally {
      socket.destroy()
    }
  })
}

/** Sends a request and reads the response. Throws {@link OutboundError}, or the signal's reason. */
export type SendRequest = (request: OutboundRequest, signal: AbortSignal) => Promise<OutboundAnswer>

/**
 * Creates the client for hosts that the settings or the code name. They may have any address and their connections are
 * reused; deadlines and limits are those of {@link requestOutbound}.
 */
export function createFixedHosts(
  outbound = new Outbound({ allowed: { includes: () => true } }),
): SendRequest {
  const agents = {
    'http:': new KeptConnections(outbound, 'http:'),
    'https:': new KeptConnections(outbound, 'https:'),
  } as const satisfies Record<Protocol, Agent>
  return async (request, signal) =>
    await withinDeadline(
      request,
      signal,
      async ({ protocol }, deadline) => await exchange(request, { agent: agents[protocol] }, deadline),
    )
}

/** Shorter than the time after which servers usually close an unused connection. */
const IDLE_MS = 4000

const IDLE_CONNECTIONS_MAX = 64

class KeptConnections extends Agent {
  readonly #outbound: Outbound
  readonly #protocol: Protocol

  constructor(outbound: Outbound, protocol: Protocol) {
    super({ keepAlive: true, timeout: IDLE_MS, maxFreeSockets: IDLE_CONNECTIONS_MAX })
    this.#outbound = outbound
    this.#protocol = protocol
  }

  /** A connection may serve another request than the one that opens it, so its deadline is its own. */
  override createConnection(
    { host, port }: ClientRequestArgs,
    done: (error: Error | null, socket?: Duplex) => void,
  ): undefined {
    const url = { protocol: this.#protocol, host: String(host), port: Number(port) }
    dialUrl(this.#outbound, url, AbortSignal.timeout(CONNECT_TIMEOUT_MS)).then(
      (socket) => done(null, socket),
      (error: Error) => done(error),
    )
  }
}

/** The client for hosts that the settings or the code name. */
export const requestFixedHost: SendRequest = createFixedHosts()

/** Prefix of the error codes of the HTTP parser. */
const PARSER_CODE = 'HPE_'

interface ParsedUrl extends OutboundTarget {
  readonly protocol: Protocol
}

async function withinDeadline(
  request: OutboundRequest,
  signal: AbortSignal,
  send: (url: ParsedUrl, deadline: AbortSignal) => Promise<OutboundAnswer>,
): Promise<OutboundAnswer> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(request.timeoutMs)])
  try {
    return await send(targetOf(parseUrl(request.url)), deadline)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof OutboundError) throw error
    if (deadline.aborted) throw new OutboundError('timeout')
    const { code = '' } = error as { readonly code?: string }
    throw new OutboundError(code.startsWith(PARSER_CODE) ? 'bad-answer' : 'no-answer', code || undefined)
  }
}

async function dialUrl(outbound: Outbound, url: ParsedUrl, signal: AbortSignal): Promise<Socket> {
  return url.protocol === 'https:' ? await outbound.dialTls(url, signal) : await outbound.dial(url, signal)
}

async function exchange(
  request: OutboundRequest,
  connection: Pick<RequestOptions, 'agent' | 'createConnection'>,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const url = parseUrl(request.url)
  const { host, port } = targetOf(url)
  const outgoing = startRequest({
    ...connection,
    host,
    port,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...request.headers, host: url.host },
    signal,
  })
  boundInterimAnswers(outgoing)
  outgoing.end(request.body)
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  const body = await readBody(incoming, request.answerBytesMax)
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body }
}

/** A server may send any number of informational responses, and each one costs work. */
function boundInterimAnswers(outgoing: ClientRequest): void {
  let count = 0
  const take = () => {
    if (++count > INTERIM_ANSWERS_MAX) outgoing.destroy(new OutboundError('too-large'))
  }
  outgoing.on('information', take).on('continue', take)
}

/** Whether a text is a URL that requests can be sent to, if its host has an allowed address. */
export function isOutboundUrl(text: string): boolean {
  return findUrl(text) !== undefined
}

function findUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  return url && url.protocol in PORTS && url.username === '' && url.password === '' ? url : undefined
}

function parseUrl(text: string): URL {
  const url = findUrl(text)
  if (url) return url
  throw new OutboundError('bad-url')
}

function targetOf(url: URL): ParsedUrl {
  const protocol = url.protocol === 'https:' ? 'https:' : 'http:'
  return {
    protocol,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? PORTS[protocol] : Number(url.port),
  }
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
