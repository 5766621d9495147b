import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { RawConnection } from '../protocols/raw-connection.ts'

/** Addresses of this machine: one of the attacker, and two of honest callers. */
export const ADDRESS = { attacker: '127.0.0.66', honest: '127.0.0.2', second: '127.0.0.3' } as const

/** The outcome of an answered request. */
export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly ms: number
}

/** One request over HTTP/1.1 on a connection of its own. */
export interface Asked {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** The address that it comes from. */
  readonly from?: string
  readonly timeoutMs?: number
}

/** Headers of Connect in JSON. */
export const JSON_CALL = { 'content-type': 'application/json', 'connect-protocol-version': '1' } as const

/** How long a request may take until it counts as one without an answer. */
const ANSWER_MS_MAX = 15_000

/** Sends a request and reads its answer. Throws when there is none in time. */
export async function ask(url: string, asked: Asked): Promise<Answered> {
  const startedMs = performance.now()
  const timeoutMs = asked.timeoutMs ?? ANSWER_MS_MAX
  const signal = AbortSignal.timeout(timeoutMs)
  const outgoing = request(new URL(asked.path, url), {
    method: asked.method ?? 'POST',
    headers: asked.headers ?? JSON_CALL,
    localAddress: asked.from ?? '127.0.0.1',
    agent: false,
    signal,
  })
  // An answer may arrive before the whole body is sent; the rest of the body is not read.
  outgoing.on('error', () => undefined)
  outgoing.end(asked.body ?? '')
  try {
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    const body = await buffer(response)
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body,
      ms: performance.now() - startedMs,
    }
  } catch (cause) {
    const why = signal.aborted ? `no answer within ${timeoutMs} ms` : 'the connection broke'
    throw new Error(`${asked.path}: ${why}`, { cause })
  } finally {
    outgoing.destroy()
  }
}

/** Calls a method in Connect JSON; a body that is no text is made one. */
export async function call(
  url: string,
  method: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered & { readonly json: Readonly<Record<string, unknown>> }> {
  const { from, ...sent } = headers
  const answered = await ask(url, {
    path: `/${method}`,
    headers: { ...JSON_CALL, ...sent },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(from === undefined ? {} : { from }),
  })
  return { ...answered, json: parseObject(answered.body.toString()) }
}

/** An object in JSON, or an empty one. */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** A connection of which every byte is decided here, from an address of this machine. */
export async function openRaw(url: string, from: string = ADDRESS.attacker): Promise<RawConnection> {
  return RawConnection.over(await openSocket(url, from))
}

/** A socket from an address of this machine; errors after it is connected are ignored. */
export async function openSocket(url: string, from: string = ADDRESS.attacker): Promise<Socket> {
  const socket = connect({
    host: '127.0.0.1',
    port: Number(new URL(url).port),
    localAddress: from,
    allowHalfOpen: true,
    noDelay: true,
  })
  try {
    await once(socket, 'connect')
  } catch (error) {
    socket.destroy()
    throw error
  }
  socket.on('error', () => undefined)
  return socket
}
