import { once } from 'node:events'
import { type ClientHttp2Session, connect } from 'node:http2'

/** A load of gRPC calls of BatchCreate over HTTP/2. */
export interface GrpcLoad {
  /** Address of the service. */
  readonly url: string
  readonly apiKey: string
  /** HTTP/2 connections, and streams at once on each. */
  readonly sessions: number
  readonly streams: number
  /** Calls in all. */
  readonly calls: number
  /** Enveloped messages, sent in turn. */
  readonly bodies: readonly Buffer[]
}

const OK = '0'

/** Sends a load from this process. Throws when a call does not end with status 0. */
export async function sendGrpcLoad(load: GrpcLoad): Promise<void> {
  let sent = 0
  const nextBody = (): Buffer | undefined =>
    sent < load.calls ? load.bodies[sent++ % load.bodies.length] : undefined
  const sessions = Array.from({ length: load.sessions }, () => connect(load.url))
  try {
    const lanes = sessions.flatMap((session) => Array.from({ length: load.streams }, () => session))
    await Promise.all(lanes.map(async (session) => await runLane(session, load.apiKey, nextBody)))
  } finally {
    for (const session of sessions) session.close()
  }
}

async function runLane(
  session: ClientHttp2Session,
  apiKey: string,
  nextBody: () => Buffer | undefined,
): Promise<void> {
  for (let body = nextBody(); body; body = nextBody()) {
    const status = await call(session, apiKey, body)
    if (status !== OK) throw new Error(`a call ended with grpc-status ${status}`)
  }
}

async function call(session: ClientHttp2Session, apiKey: string, body: Buffer): Promise<string | undefined> {
  const stream = session.request({
    ':method': 'POST',
    ':path': '/sdk.events.v1.EventsService/BatchCreate',
    'content-type': 'application/grpc+proto',
    te: 'trailers',
    'x-api-key': apiKey,
  })
  let status: string | undefined
  // An error without a message has its status in the headers.
  stream.on('response', (headers) => {
    status ??= headers['grpc-status']?.toString()
  })
  stream.on('trailers', (trailers) => {
    status = trailers['grpc-status']?.toString()
  })
  stream.resume()
  stream.end(body)
  await once(stream, 'close')
  return status
}
