import type { ServiceError } from '../contract/service-error.ts'
import type { Result } from '../kernel/result.ts'
import { type Answer, errorAnswer, type HeaderField } from './answer.ts'
import { encodeBase64Body } from './base64-body.ts'
import { ACCEPTED_CODINGS, type Coding, negotiateCoding } from './coding.ts'
import { COMPRESS_BYTES_MIN, compress } from './compression.ts'
import type { ErrorContext } from './connect-error-wire.ts'
import type { Codec, ContentType, Protocol } from './content-type.ts'
import { COMPRESSED_FLAG, encodeEnvelope } from './envelope.ts'
import { encodeTrailerFrame, GRPC_OK_TRAILERS, grpcErrorTrailers, OK_TRAILER_FRAME } from './grpc-trailers.ts'
import { protocolHeaders } from './protocol-headers.ts'
import { REQUEST_ID_HEADER } from './request-id.ts'
import { bodyBytesMaxOf, type RequestMessage, readRequestMessage } from './request-message.ts'

/** Fields of a new {@link UnaryCall}. */
export interface UnaryCallInit {
  readonly requestId: string
  /** `SERVICE_ERROR_DOMAIN`. */
  readonly domain: string
  readonly type: ContentType
  readonly messageCoding: Coding
  /** The header with the accepted codings, empty when it is absent. */
  readonly accept: string
  readonly timeoutMs: number | undefined
  readonly cors: readonly HeaderField[]
}

/**
 * One unary call of any protocol, from its headers on. The benchmark cases `e2e/*` create one per request, so it holds no
 * closures and computes nothing before the answer needs it.
 */
export class UnaryCall implements ErrorContext {
  readonly kind = 'call'
  readonly requestId: string
  readonly domain: string
  readonly protocol: Protocol
  readonly codec: Codec
  /** The coding of the message; a gRPC message may be sent uncompressed despite it. */
  readonly messageCoding: Coding
  /** The client's timeout in milliseconds, which may exceed the range of a timer; `undefined` without one. */
  readonly timeoutMs: number | undefined
  readonly #init: UnaryCallInit
  readonly #type: ContentType

  constructor(init: UnaryCallInit, requestId = init.requestId) {
    this.requestId = requestId
    this.domain = init.domain
    this.protocol = init.type.protocol
    this.codec = init.type.codec
    this.messageCoding = init.messageCoding
    this.timeoutMs = init.timeoutMs
    this.#init = init
    this.#type = init.type
  }

  /** Another call with the same headers. */
  repeat(requestId: string): UnaryCall {
    return new UnaryCall(this.#init, requestId)
  }

  /** Bytes of the longest body of a message of `messageBytesMax` bytes: a transport may stop reading there. */
  bodyBytesMax(messageBytesMax: number): number {
    return bodyBytesMaxOf(this.#type, messageBytesMax)
  }

  /** The message of a body, still compressed; `bytesMax` limits it as sent. */
  readMessage(body: Buffer, bytesMax: number): Result<RequestMessage, ServiceError> {
    return readRequestMessage(body, { type: this.#type, coding: this.messageCoding, bytesMax })
  }

  /** The answer with a message in this call's codec. */
  succeed(message: string | Uint8Array): Answer {
    return this.protocol === 'connect' ? this.#succeedConnect(message) : this.#succeedGrpc(message)
  }

  /** The answer with an error. `status` replaces the code's own HTTP status on the Connect wire. */
  fail(error: ServiceError, status?: number): Answer {
    if (this.protocol === 'connect') {
      const answer = errorAnswer(error, this, status)
      return { ...answer, headers: answer.headers.concat(this.#init.cors, this.#acceptedCodings(error)) }
    }
    const trailers = grpcErrorTrailers(error, this)
    const headers = this.#headers().concat(this.#acceptedCodings(error))
    // Without a body, gRPC sends its trailers as headers: "Trailers-Only".
    if (this.protocol === 'grpc') return { status: 200, headers: headers.concat(trailers), body: '' }
    return { status: 200, headers, body: this.#asText(encodeTrailerFrame(trailers)) }
  }

  #succeedConnect(message: string | Uint8Array): Answer {
    const headers = this.#headers()
    const coding = this.#chooseCoding(message)
    if (coding === 'identity') {
      return { status: 200, headers, body: typeof message === 'string' ? message : asBuffer(message) }
    }
    headers.push(['content-encoding', coding])
    return { status: 200, headers, body: compress(asBuffer(message), coding) }
  }

  #succeedGrpc(message: string | Uint8Array): Answer {
    const headers = this.#headers()
    const envelope = this.#encodeMessage(message, headers)
    if (this.protocol === 'grpc') return { status: 200, headers, body: envelope, trailers: GRPC_OK_TRAILERS }
    return { status: 200, headers, body: this.#asText(Buffer.concat([envelope, OK_TRAILER_FRAME])) }
  }

  #encodeMessage(message: string | Uint8Array, headers: HeaderField[]): Buffer {
    const coding = this.#chooseCoding(message)
    if (coding === 'identity') return encodeEnvelope(0, asBuffer(message))
    headers.push(['grpc-encoding', coding])
    return encodeEnvelope(COMPRESSED_FLAG, compress(asBuffer(message), coding))
  }

  /** The answer to an unsupported coding lists the supported ones. */
  #acceptedCodings(error: ServiceError): HeaderField[] {
    if (error.reason !== 'UNSUPPORTED_ENCODING') return []
    return [[protocolHeaders(this.#type).accept, ACCEPTED_CODINGS]]
  }

  #chooseCoding(message: string | Uint8Array): Coding {
    return message.length < COMPRESS_BYTES_MIN ? 'identity' : negotiateCoding(this.#init.accept)
  }

  #headers(): HeaderField[] {
    const headers: HeaderField[] = [
      ['content-type', this.#type.name],
      [REQUEST_ID_HEADER, this.requestId],
    ]
    for (const field of this.#init.cors) headers.push(field)
    return headers
  }

  #asText(body: Buffer): Buffer {
    return this.#type.isText ? encodeBase64Body(body) : body
  }
}

function asBuffer(message: string | Uint8Array): Buffer {
  if (typeof message === 'string') return Buffer.from(message)
  return Buffer.from(message.buffer, message.byteOffset, message.byteLength)
}
