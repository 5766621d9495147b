import { request as requestHttp1 } from 'node:http'
import { type ClientHttp2Session, connect } from 'node:http2'
import {
  brotliCompressSync,
  brotliDecompressSync,
  gunzipSync,
  gzipSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'
import { fromBinary, toBinary } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { failed, failedByGrpc, type Reply, succeeded } from './reply.ts'
import type { Call, WireClient, WireCoding } from './wires.ts'

const CODECS = {
  identity: { encode: (bytes: Buffer) => bytes, decode: (bytes: Buffer) => bytes },
  gzip: { encode: gzipSync, decode: gunzipSync },
  br: { encode: brotliCompressSync, decode: brotliDecompressSync },
  zstd: { encode: zstdCompressSync, decode: zstdDecompressSync },
} satisfies Record<WireCoding, { encode(bytes: Buffer): Buffer; decode(bytes: Buffer): Buffer }>

/** Where and how. */
export interface GrpcWebTextOptions {
  readonly baseUrl: string
  readonly http: '1.1' | '2'
  readonly coding: WireCoding
}

interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

interface HttpRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly signal: AbortSignal | undefined
}

/** Opens a client of `application/grpc-web-text`, which none of our libraries speaks: envelopes in base64, written by hand. */
export function openGrpcWebText(options: GrpcWebTextOptions): WireClient {
  const session = options.http === '2' ? connect(options.baseUrl) : undefined
  session?.on('error', () => undefined)
  const send = async (request: HttpRequest): Promise<HttpAnswer> =>
    session ? await sendByHttp2(session, request) : await sendByHttp1(options.baseUrl, request)
  return {
    call: async (call) => await callOnce(send, call, options.coding),
    close: () => session?.destroy(),
  }
}

async function callOnce(
  send: (request: HttpRequest) => Promise<HttpAnswer>,
  { method, request, header, signal }: Call,
  coding: WireCoding,
): Promise<Reply> {
  const { encode } = CODECS[coding]
  const message = encode(Buffer.from(toBinary(method.input, request)))
  // Two segments, each with its own padding, as from a sender that flushes in between.
  const envelope = encodeEnvelope(coding === 'identity' ? 0 : 1, message)
  const body = Buffer.from(
    envelope.subarray(0, 4).toString('base64') + envelope.subarray(4).toString('base64'),
  )
  try {
    const answer = await send({
      path: `/${method.parent.typeName}/${method.name}`,
      headers: {
        'content-type': 'application/grpc-web-text',
        'x-grpc-web': '1',
        'grpc-accept-encoding': coding,
        ...(coding === 'identity' ? {} : { 'grpc-encoding': coding }),
        ...header,
      },
      body,
      signal,
    })
    return readAnswer(answer, (bytes) => fromBinary(method.output, bytes))
  } catch (error) {
    const isAborted = signal?.aborted === true
    return failed(isAborted ? new ConnectError('aborted', Code.Canceled) : error)
  }
}

function readAnswer(answer: HttpAnswer, decode: (bytes: Buffer) => Reply['messages'][number]): Reply {
  const type = answer.headers['content-type']
  if (answer.status !== 200 || type !== 'application/grpc-web-text') {
    throw new Error(`HTTP ${answer.status} with ${type}: ${answer.body.toString()}`)
  }
  const frames = readFrames(decodeSegments(answer.body.toString('latin1')))
  const coding = (answer.headers['grpc-encoding'] ?? 'identity') as WireCoding
  const last = frames.at(-1)
  if (!last || (last.flags & 0x80) === 0) throw new Error('the body does not end with trailers')
  const messages = frames
    .slice(0, -1)
    .map(({ flags, data }) => decode((flags & 1) === 0 ? data : CODECS[coding].decode(data)))
  const trailers = readTrailers(last.data.toString('latin1'))
  if (trailers['grpc-status'] === '0') return succeeded(messages, answer.headers)
  return failedByGrpc({
    status: Number(trailers['grpc-status']),
    message: decodeURIComponent(trailers['grpc-message'] ?? ''),
    details: Buffer.from(trailers['grpc-status-details-bin'] ?? '', 'base64'),
    headers: { ...answer.headers, ...trailers },
  })
}

/** Base64 segments one after another: padding may stand in the middle. */
function decodeSegments(text: string): Buffer {
  if (text.length % 4 !== 0) throw new Error('the body is not base64')
  const groups = text.match(/.{4}/gs) ?? []
  return Buffer.concat(groups.map((group) => Buffer.from(group, 'base64')))
}

/** One enveloped message as bytes. */
export function encodeEnvelope(flags: number, data: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt8(flags, 0)
  head.writeUInt32BE(data.length, 1)
  return Buffer.concat([head, data])
}

/** The enveloped messages of a body; throws when it ends inside of one. */
export function readFrames(bytes: Buffer): { readonly flags: number; readonly data: Buffer }[] {
  const frames: { flags: number; data: Buffer }[] = []
  let rest = bytes
  while (rest.length > 0) {
    const end = 5 + rest.readUInt32BE(1)
    if (end > rest.length) throw new Error('the body ends inside an envelope')
    frames.push({ flags: rest.readUInt8(0), data: rest.subarray(5, end) })
    rest = rest.subarray(end)
  }
  return frames
}

function readTrailers(block: string): Record<string, string> {
  const lines = block.split('\r\n').filter((line) => line !== '')
  return Object.fromEntries(lines.map((line) => line.split(/:\s*(.*)/s).slice(0, 2)))
}

async function sendByHttp1(
  baseUrl: string,
  { path, headers, body, signal }: HttpRequest,
): Promise<HttpAnswer> {
  return await new Promise((resolve, reject) => {
    const request = requestHttp1(new URL(path, baseUrl), {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
      ...(signal ? { signal } : {}),
    })
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: toPlain(response.headers),
          body: Buffer.concat(chunks),
        }),
      )
    })
    request.end(body)
  })
}

async function sendByHttp2(
  session: ClientHttp2Session,
  { path, headers, body, signal }: HttpRequest,
): Promise<HttpAnswer> {
  return await new Promise((resolve, reject) => {
    const stream = session.request({ ':method': 'POST', ':path': path, ...headers }, signal ? { signal } : {})
    const chunks: Buffer[] = []
    let status = 0
    let received: Record<string, string> = {}
    stream.on('error', reject)
    stream.on('response', ({ ':status': code, ...headers }) => {
      status = code ?? 0
      received = toPlain(headers)
    })
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => resolve({ status, headers: received, body: Buffer.concat(chunks) }))
    stream.end(body)
  })
}

function toPlain(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
