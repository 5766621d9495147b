import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'
import type { DescMethodStreaming, DescMethodUnary, Message } from '@bufbuild/protobuf'
import type { Transport } from '@connectrpc/connect'
import type { Compression } from '@connectrpc/connect/protocol'
import {
  compressionGzip,
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
  Http2SessionManager,
  type Http2SessionOptions,
} from '@connectrpc/connect-node'
import { openGrpcJs } from './grpc-js-client.ts'
import { openGrpcWebText } from './grpc-web-text-client.ts'
import { failed, type Reply, succeeded } from './reply.ts'

/** One call: the method decides whether the answer is one message or a stream. */
export interface Call {
  readonly method: DescMethodUnary | DescMethodStreaming
  readonly request: Message
  readonly header: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** A client of one protocol, HTTP version and coding. */
export interface WireClient {
  call(call: Call): Promise<Reply>
  close(): void
}

/** How the messages of a client are compressed, both ways. */
export type WireCoding = 'identity' | 'gzip' | 'br' | 'zstd'

/** A protocol over a version of HTTP. */
export interface Wire {
  readonly title: string
  readonly codings: readonly WireCoding[]
  /** False when the client keeps the header to itself that names an answer's coding. */
  readonly showsCoding: boolean
  /** The header of the client's timeout, in milliseconds. */
  timeoutHeader(timeoutMs: number): Readonly<Record<string, string>>
  /** Opens a client; `trusted` are certificates in PEM for addresses that begin with https. */
  open(baseUrl: string, coding: WireCoding, trusted?: string): WireClient
}

/** The header in which an answer names its coding. */
export const CODING_HEADERS = ['content-encoding', 'grpc-encoding'] as const

const ALL_CODINGS: readonly WireCoding[] = ['identity', 'gzip', 'br', 'zstd']

/** At a low quality: the default of the library's own is for files that are compressed once. */
const brotli: Compression = {
  name: 'br',
  compress: async (bytes) =>
    new Uint8Array(brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })),
  decompress: async (bytes) => new Uint8Array(brotliDecompressSync(bytes)),
}

const zstd: Compression = {
  name: 'zstd',
  compress: async (bytes) => new Uint8Array(zstdCompressSync(bytes)),
  decompress: async (bytes) => new Uint8Array(zstdDecompressSync(bytes)),
}

const COMPRESSIONS: Readonly<Record<WireCoding, readonly Compression[]>> = {
  identity: [],
  gzip: [compressionGzip],
  br: [brotli],
  zstd: [zstd],
}

const connectTimeout = (timeoutMs: number): Record<string, string> => ({
  'connect-timeout-ms': String(timeoutMs),
})
const grpcTimeout = (timeoutMs: number): Record<string, string> => ({ 'grpc-timeout': `${timeoutMs}m` })

/** Options that the constructors of Connect's transports share. */
interface TransportOptions {
  readonly baseUrl: string
  readonly acceptCompression: Compression[]
  readonly sendCompression?: Compression
  readonly compressMinBytes: number
}

type Http11 = { readonly httpVersion: '1.1'; readonly nodeOptions: { readonly ca?: string } }
type Http2 = { readonly httpVersion: '2'; readonly sessionManager: Http2SessionManager }

function connectWire(
  title: string,
  timeoutHeader: Wire['timeoutHeader'],
  http: '1.1' | '2',
  create: (options: TransportOptions, transport: Http11 | Http2) => Transport,
): Wire {
  return {
    title: `${title} over HTTP/${http}`,
    codings: ALL_CODINGS,
    showsCoding: true,
    timeoutHeader,
    open: (baseUrl, coding, trusted) => {
      const [compression] = COMPRESSIONS[coding]
      const options = {
        baseUrl,
        acceptCompression: [...COMPRESSIONS[coding]],
        ...(compression ? { sendCompression: compression } : {}),
        compressMinBytes: 1,
      }
      const tls = trusted === undefined ? {} : { ca: trusted }
      const none: Http2SessionOptions = {}
      const sessionManager = new Http2SessionManager(baseUrl, none, tls)
      const transport = create(
        options,
        http === '2' ? { httpVersion: http, sessionManager } : { httpVersion: http, nodeOptions: tls },
      )
      return {
        call: async (call) => await callTransport(transport, call),
        close: () => sessionManager.abort(),
      }
    },
  }
}

async function callTransport(
  transport: Transport,
  { method, request, header, signal }: Call,
): Promise<Reply> {
  try {
    if (method.methodKind === 'unary') {
      const answer = await transport.unary(method, signal, undefined, header, request)
      return succeeded([answer.message], answer.header)
    }
    const answer = await transport.stream(method, signal, undefined, header, only(request))
    const messages: Message[] = []
    for await (const message of answer.message) messages.push(message)
    return succeeded(messages, answer.header)
  } catch (error) {
    return failed(error)
  }
}

async function* only<T>(value: T): AsyncGenerator<T> {
  yield value
}

function webTextWire(http: '1.1' | '2'): Wire {
  return {
    title: `gRPC-Web text over HTTP/${http}`,
    codings: ALL_CODINGS,
    showsCoding: true,
    timeoutHeader: grpcTimeout,
    open: (baseUrl, coding) => openGrpcWebText({ baseUrl, http, coding }),
  }
}

/** Every protocol over every version of HTTP that can carry it. */
export const WIRES: readonly Wire[] = [
  ...(['1.1', '2'] as const).flatMap((http) => [
    connectWire('Connect JSON', connectTimeout, http, (options, transport) =>
      createConnectTransport({ ...options, ...transport, useBinaryFormat: false }),
    ),
    connectWire('Connect proto', connectTimeout, http, (options, transport) =>
      createConnectTransport({ ...options, ...transport, useBinaryFormat: true }),
    ),
    connectWire('gRPC-Web', grpcTimeout, http, (options, transport) =>
      createGrpcWebTransport({ ...options, ...transport }),
    ),
    webTextWire(http),
  ]),
  connectWire('gRPC', grpcTimeout, '2', (options, transport) =>
    createGrpcTransport({ ...options, ...transport }),
  ),
  {
    title: 'gRPC of @grpc/grpc-js over HTTP/2',
    codings: ['identity', 'gzip'],
    showsCoding: false,
    timeoutHeader: grpcTimeout,
    open: (baseUrl, coding, trusted) =>
      openGrpcJs({ baseUrl, coding, ...(trusted === undefined ? {} : { trusted }) }),
  },
]

/** The wire of that title. */
export function wireOf(title: string): Wire {
  const wire = WIRES.find((candidate) => candidate.title === title)
  if (!wire) throw new Error(`there is no wire ${title}`)
  return wire
}
