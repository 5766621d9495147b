import type { ContentType } from './content-type.ts'

/** A protocol's names of the headers that all protocols have. */
export interface ProtocolHeaders {
  /** The coding of the messages. */
  readonly coding: string
  /** The codings that the sender accepts. */
  readonly accept: string
  readonly timeout: string
}

const CONNECT_UNARY: ProtocolHeaders = {
  coding: 'content-encoding',
  accept: 'accept-encoding',
  timeout: 'connect-timeout-ms',
}

const CONNECT_STREAM: ProtocolHeaders = {
  coding: 'connect-content-encoding',
  accept: 'connect-accept-encoding',
  timeout: 'connect-timeout-ms',
}

const GRPC: ProtocolHeaders = {
  coding: 'grpc-encoding',
  accept: 'grpc-accept-encoding',
  timeout: 'grpc-timeout',
}

/** The header names of a request and of its answer; gRPC-Web uses those of gRPC. */
export function protocolHeaders(type: ContentType): ProtocolHeaders {
  if (type.protocol !== 'connect') return GRPC
  return type.stream ? CONNECT_STREAM : CONNECT_UNARY
}
