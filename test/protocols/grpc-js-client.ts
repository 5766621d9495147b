import { fromBinary, type Message, toBinary } from '@bufbuild/protobuf'
import {
  Client,
  compressionAlgorithms,
  credentials,
  Metadata,
  type ServiceError,
  type StatusObject,
} from '@grpc/grpc-js'
import { failedByGrpc, type Reply, succeeded } from './reply.ts'
import type { Call, WireClient } from './wires.ts'

/** Opens a client of @grpc/grpc-js, the implementation of gRPC that most of Node.js uses. */
export function openGrpcJs(options: {
  readonly baseUrl: string
  readonly coding: string
  readonly trusted?: string
}): WireClient {
  const { host } = new URL(options.baseUrl)
  const { trusted, coding } = options
  const channel =
    trusted === undefined ? credentials.createInsecure() : credentials.createSsl(Buffer.from(trusted))
  const client = new Client(host, channel, {
    'grpc.default_compression_algorithm':
      coding === 'gzip' ? compressionAlgorithms.gzip : compressionAlgorithms.identity,
    'grpc.max_send_message_length': -1,
    'grpc.use_local_subchannel_pool': 1,
  })
  return {
    call: async (call) => await (call.method.methodKind === 'unary' ? callUnary : callStream)(client, call),
    close: () => client.close(),
  }
}

async function callUnary(client: Client, call: Call): Promise<Reply> {
  const { path, encode, decode, metadata } = prepare(call)
  return await new Promise((resolve) => {
    let headers: Record<string, string> = {}
    const done = (error: ServiceError | null, message: Message | undefined): void =>
      resolve(error || !message ? toFailure(error, headers) : succeeded([message], headers))
    const running = client.makeUnaryRequest<Message, Message>(
      path,
      encode,
      decode,
      call.request,
      metadata,
      {},
      done,
    )
    running.on('metadata', (received: Metadata) => {
      headers = toPlain(received)
    })
    call.signal?.addEventListener('abort', () => running.cancel())
  })
}

async function callStream(client: Client, call: Call): Promise<Reply> {
  const { path, encode, decode, metadata } = prepare(call)
  return await new Promise((resolve) => {
    let headers: Record<string, string> = {}
    const messages: Message[] = []
    const running = client.makeServerStreamRequest<Message, Message>(
      path,
      encode,
      decode,
      call.request,
      metadata,
    )
    running.on('metadata', (received: Metadata) => {
      headers = toPlain(received)
    })
    running.on('data', (message: Message) => messages.push(message))
    // The status comes as an error too; the last event of both is this one.
    running.on('error', () => undefined)
    running.on('status', (status: StatusObject) =>
      resolve(status.code === 0 ? succeeded(messages, headers) : toFailure(status, headers)),
    )
  })
}

function prepare({ method, header }: Call): {
  readonly path: string
  readonly encode: (message: Message) => Buffer
  readonly decode: (bytes: Buffer) => Message
  readonly metadata: Metadata
} {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(header)) metadata.set(name, value)
  return {
    path: `/${method.parent.typeName}/${method.name}`,
    encode: (message) => Buffer.from(toBinary(method.input, message)),
    decode: (bytes) => fromBinary(method.output, bytes),
    metadata,
  }
}

function toFailure(error: StatusObject | null, headers: Readonly<Record<string, string>>): Reply {
  if (!error) throw new Error('a unary call ended without a message and without an error')
  const [details] = error.metadata.get('grpc-status-details-bin')
  return failedByGrpc({
    status: error.code,
    message: error.details,
    details: Buffer.isBuffer(details) ? details : Buffer.alloc(0),
    headers: { ...headers, ...toPlain(error.metadata) },
  })
}

function toPlain(metadata: Metadata): Record<string, string> {
  const texts = Object.entries(metadata.getMap()).filter(([name]) => !name.endsWith('-bin'))
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value)]))
}
