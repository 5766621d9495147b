import type { ServiceError } from '../contract/service-error.ts'
import { err, ok, type Result } from '../kernel/result.ts'
import { decodeBase64Body } from './base64-body.ts'
import type { Coding } from './coding.ts'
import type { ContentType } from './content-type.ts'
import { COMPRESSED_FLAG, ENVELOPE_HEADER_BYTES, readOnlyMessage } from './envelope.ts'
import { bodyTooLarge, invalidRequest } from './protocol-errors.ts'

/** The request message as sent, still compressed. */
export interface RequestMessage {
  /** A view into the body, except for grpc-web-text. */
  readonly bytes: Buffer
  readonly coding: Coding
}

/** What the headers of a request and the method say about its body. */
export interface BodyForm {
  readonly type: ContentType
  readonly coding: Coding
  /** Limits the message as sent. */
  readonly bytesMax: number
}

/** The single request message of a body. */
export function readRequestMessage(body: Buffer, form: BodyForm): Result<RequestMessage, ServiceError> {
  const { type, coding, bytesMax } = form
  if (isEnveloped(type)) return readEnveloped(body, form)
  return body.length > bytesMax ? err(bodyTooLarge(bytesMax)) : ok({ bytes: body, coding })
}

/** Bytes of the longest body of a message of `messageBytesMax` bytes: a transport may stop reading there. */
export function bodyBytesMaxOf(type: ContentType, messageBytesMax: number): number {
  if (!isEnveloped(type)) return messageBytesMax
  const bytesMax = messageBytesMax + ENVELOPE_HEADER_BYTES
  // Base64 adds a third; twice the bytes leave room for padding at every flush of a sender.
  return type.isText ? bytesMax * 2 : bytesMax
}

/** True for every protocol but unary Connect, whose body is the message. */
export function isEnveloped(type: ContentType): boolean {
  return type.protocol !== 'connect' || type.stream
}

function readEnveloped(
  body: Buffer,
  { type, coding, bytesMax }: BodyForm,
): Result<RequestMessage, ServiceError> {
  const decoded = type.isText ? decodeBase64Body(body) : ok(body)
  if (!decoded.ok) return decoded
  const envelope = readOnlyMessage(decoded.value, bytesMax)
  if (!envelope.ok) return envelope
  const { flags, data } = envelope.value
  if ((flags & COMPRESSED_FLAG) === 0) return ok({ bytes: data, coding: 'identity' })
  if (coding !== 'identity') return ok({ bytes: data, coding })
  return err(invalidRequest('the message is compressed, but no header names its encoding'))
}
