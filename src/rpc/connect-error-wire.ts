import { create, type DescMessage, type MessageShape, toBinary } from '@bufbuild/protobuf'
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from '../contract/gen/google/rpc/error_details_pb.js'
import type { ErrorCode, ServiceError } from '../contract/service-error.ts'
import { END_STREAM_FLAG, encodeEnvelope } from './envelope.ts'

/** HTTP status of each code on the Connect wire; `failed_precondition` is 412 in this interface. */
export const HTTP_STATUS = {
  canceled: 499,
  invalid_argument: 400,
  deadline_exceeded: 504,
  not_found: 404,
  already_exists: 409,
  permission_denied: 403,
  resource_exhausted: 429,
  failed_precondition: 412,
  unimplemented: 501,
  internal: 500,
  unavailable: 503,
  unauthenticated: 401,
} as const satisfies Record<ErrorCode, number>

/** The facts that every error carries besides its own. */
export interface ErrorContext {
  readonly requestId: string
  /** `SERVICE_ERROR_DOMAIN`. */
  readonly domain: string
}

/** One detail message with its schema. */
export interface ErrorDetail {
  readonly schema: DescMessage
  readonly message: MessageShape<DescMessage>
}

/** The details of an error, the same in every protocol: ErrorInfo, RequestInfo, then BadRequest and RetryInfo if any. */
export function errorDetails(error: ServiceError, context: ErrorContext): ErrorDetail[] {
  const details: ErrorDetail[] = [
    detail(ErrorInfoSchema, { reason: error.reason, domain: context.domain }),
    detail(RequestInfoSchema, { requestId: context.requestId }),
  ]
  if (error.violations.length > 0) {
    details.push(
      detail(BadRequestSchema, { fieldViolations: error.violations.map((violation) => ({ ...violation })) }),
    )
  }
  if (error.retryAfterSeconds !== undefined) {
    details.push(
      detail(RetryInfoSchema, { retryDelay: { seconds: BigInt(error.retryAfterSeconds), nanos: 0 } }),
    )
  }
  return details
}

/** An error as JSON of the Connect wire: the body of a unary answer, or the `error` of an EndStreamResponse. */
export interface ConnectErrorJson {
  readonly code: string
  readonly message: string
  readonly details: readonly { readonly type: string; readonly value: string }[]
}

/** The error in JSON, with its details as unpadded base64. Connect protocol reference "Error end stream". */
function toConnectErrorJson(error: ServiceError, context: ErrorContext): ConnectErrorJson {
  return {
    code: error.code,
    message: error.message,
    details: errorDetails(error, context).map(({ schema, message }) => ({
      type: schema.typeName,
      value: Buffer.from(toBinary(schema, message)).toString('base64').replaceAll('=', ''),
    })),
  }
}

/** The body of a failed unary Connect answer. */
export function encodeConnectError(error: ServiceError, context: ErrorContext): string {
  return JSON.stringify(toConnectErrorJson(error, context))
}

/** Metadata of an EndStreamResponse. */
export type EndStreamMetadata = Readonly<Record<string, readonly string[]>>

/** The envelope that ends a failed Connect stream. The retry time joins the metadata, where a unary answer has a header. */
export function encodeConnectEndStream(
  error: ServiceError,
  context: ErrorContext,
  metadata: EndStreamMetadata = {},
): Buffer {
  const { retryAfterSeconds } = error
  const retry = retryAfterSeconds === undefined ? {} : { 'retry-after': [String(retryAfterSeconds)] }
  const end = { error: toConnectErrorJson(error, context), metadata: { ...metadata, ...retry } }
  return encodeEnvelope(END_STREAM_FLAG, Buffer.from(JSON.stringify(end)))
}

function detail<Desc extends DescMessage>(
  schema: Desc,
  init: Parameters<typeof create<Desc>>[1],
): ErrorDetail {
  return { schema, message: create(schema, init) }
}
