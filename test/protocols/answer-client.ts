import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { type ClientHttp2Session, connect } from 'node:http2'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

/** How a client takes an answer. */
export type Reading = 'at once' | 'slowly' | 'with pauses'

/** Requests answers over one persistent connection. */
export interface AnswerClient {
  /** The body of the answer to a path; throws when it does not come whole. */
  ask(path: string, reading: Reading): Promise<Buffer>
  close(): void
}

const SLOW_MS = 1
const PAUSE_MS = 40
/** A client with pauses makes one whenever it has taken that much. */
const PAUSE_BYTES = 3 * 1024 * 1024

/** A client of HTTP/1.1. */
export function openHttp1Client(url: string): AnswerClient {
  const isTls = url.startsWith('https:')
  const options = { keepAlive: true, maxSockets: 1 }
  const agent = isTls ? new TlsAgent({ ...options, rejectUnauthorized: false }) : new Agent(options)
  const open = isTls ? tlsRequest : request
  return {
    ask: async (path, reading) => {
      const call = open(url + path, { agent, method: 'POST' })
      call.end('{}')
      const [response] = await once(call, 'response')
      return await read(response, reading)
    },
    close: () => agent.destroy(),
  }
}

/** A client of HTTP/2. */
export function openHttp2Client(url: string): AnswerClient {
  const session: ClientHttp2Session = connect(url, { rejectUnauthorized: false })
  session.on('error', () => undefined)
  return {
    ask: async (path, reading) => {
      const stream = session.request({ ':method': 'POST', ':path': path })
      stream.end('{}')
      const body = await read(stream, reading)
      if (stream.rstCode !== 0) throw new Error(`the stream was reset with ${stream.rstCode}`)
      return body
    },
    close: () => session.destroy(),
  }
}

async function read(answer: Readable, reading: Reading): Promise<Buffer> {
  const chunks: Buffer[] = []
  let untilPause = reading === 'with pauses' ? 0 : Number.POSITIVE_INFINITY
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    untilPause -= chunk.length
    if (reading === 'slowly') await delay(SLOW_MS)
    if (untilPause >= 0) continue
    await delay(PAUSE_MS)
    untilPause = PAUSE_BYTES
  }
  return Buffer.concat(chunks)
}
