import { create, fromBinary, type Message } from '@bufbuild/protobuf'
import { anyUnpack } from '@bufbuild/protobuf/wkt'
import { type Code, ConnectError } from '@connectrpc/connect'
import { codeToString } from '@connectrpc/connect/protocol-connect'
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RequestInfoSchema,
} from '../../src/contract/gen/google/rpc/error_details_pb.js'
import { type Status, StatusSchema } from '../../src/contract/gen/google/rpc/status_pb.js'

/** The outcome of a call, for every client. */
export interface Reply {
  /** `ok`, or the name of a Connect code. */
  readonly code: string
  readonly message: string
  /** The messages of the answer: one of a unary method that went well. */
  readonly messages: readonly Message[]
  /** Headers of the answer by name in small letters, as far as the client shows them. */
  readonly headers: Readonly<Record<string, string>>
  /** ErrorInfo: reason and domain. */
  readonly reason: string
  readonly domain: string
  /** RequestInfo. */
  readonly requestId: string
  /** BadRequest: the fields that break a rule. */
  readonly fields: readonly string[]
}

/** A call that went well. */
export function succeeded(
  messages: readonly Message[],
  headers: Headers | Readonly<Record<string, string>>,
): Reply {
  const plain = headers instanceof Headers ? Object.fromEntries(headers.entries()) : headers
  return {
    code: 'ok',
    message: '',
    messages,
    headers: plain,
    reason: '',
    domain: '',
    requestId: '',
    fields: [],
  }
}

/** A call that failed, from what Connect's clients throw. */
export function failed(thrown: unknown): Reply {
  const error = ConnectError.from(thrown)
  const [info] = error.findDetails(ErrorInfoSchema)
  const [request] = error.findDetails(RequestInfoSchema)
  const violations = error.findDetails(BadRequestSchema).flatMap((detail) => detail.fieldViolations)
  return {
    code: codeToString(error.code),
    message: error.rawMessage,
    messages: [],
    headers: Object.fromEntries(error.metadata.entries()),
    reason: info?.reason ?? '',
    domain: info?.domain ?? '',
    requestId: request?.requestId ?? '',
    fields: violations.map(({ field }) => field),
  }
}

/** The gRPC form of a failed call: the status and the message twice, and the details. */
export interface GrpcFailure {
  readonly status: number
  readonly message: string
  /** The value of `grpc-status-details-bin`; empty when there was none. */
  readonly details: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

/** A call that failed, from the trailers of gRPC; throws when they contradict each other. */
export function failedByGrpc({ status, message, details, headers }: GrpcFailure): Reply {
  const decoded = details.length === 0 ? create(StatusSchema) : fromBinary(StatusSchema, details)
  if (details.length > 0 && (decoded.code !== status || decoded.message !== message)) {
    throw new Error(`grpc-status ${status} (${message}) and its details (${decoded.message}) differ`)
  }
  const error = new ConnectError(message, status as Code, headers, unpackDetails(decoded))
  return failed(error)
}

function unpackDetails(status: Status): ConstructorParameters<typeof ConnectError>[3] {
  return [ErrorInfoSchema, RequestInfoSchema, BadRequestSchema].flatMap((desc) =>
    status.details.flatMap((any) => {
      const value = anyUnpack(any, desc)
      return value === undefined ? [] : [{ desc, value }]
    }),
  )
}
