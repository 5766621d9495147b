/** The three protocols that share one address. */
export type Protocol = 'connect' | 'grpc' | 'grpc-web'

/** Encoding of a message. */
export type Codec = 'json' | 'proto'

/** The meaning of a content type for a request and its answer. */
export interface ContentType {
  /** The type without parameters, in lower case; the answer has the same. */
  readonly name: string
  readonly protocol: Protocol
  readonly codec: Codec
  /** The whole body is base64, as in `application/grpc-web-text`. */
  readonly isText: boolean
  /** Connect's streaming form. False for gRPC and gRPC-Web, which have one form for both. */
  readonly stream: boolean
}

const CONTENT_TYPES: ReadonlyMap<string, ContentType> = new Map(
  [
    declare('application/json', 'connect', 'json'),
    declare('application/proto', 'connect', 'proto'),
    declareStream('application/connect+json', 'json'),
    declareStream('application/connect+proto', 'proto'),
    declare('application/grpc', 'grpc', 'proto'),
    declare('application/grpc+proto', 'grpc', 'proto'),
    declare('application/grpc+json', 'grpc', 'json'),
    declare('application/grpc-web', 'grpc-web', 'proto'),
    declare('application/grpc-web+proto', 'grpc-web', 'proto'),
    declare('application/grpc-web+json', 'grpc-web', 'json'),
    declareText('application/grpc-web-text', 'proto'),
    declareText('application/grpc-web-text+proto', 'proto'),
    declareText('application/grpc-web-text+json', 'json'),
  ].map((type) => [type.name, type]),
)

const UTF8_CHARSET = /^"?utf-?8"?$/i

/**
 * Parses a content-type header; `undefined` when no supported protocol uses it. Case and parameters are ignored, but JSON
 * is UTF-8 only. Connect protocol reference "Unary-Content-Type", gRPC "Content-Type".
 */
export function parseContentType(text: string): ContentType | undefined {
  return CONTENT_TYPES.get(text) ?? parseUncommon(text)
}

function parseUncommon(text: string): ContentType | undefined {
  const [essence = '', ...parameters] = text.split(';')
  const type = CONTENT_TYPES.get(essence.trim().toLowerCase())
  if (type?.codec !== 'json') return type
  return parameters.every(isAllowedForJson) ? type : undefined
}

function isAllowedForJson(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=')
  return name.trim().toLowerCase() !== 'charset' || UTF8_CHARSET.test(value.trim())
}

function declare(name: string, protocol: Protocol, codec: Codec): ContentType {
  return { name, protocol, codec, isText: false, stream: false }
}

function declareStream(name: string, codec: Codec): ContentType {
  return { name, protocol: 'connect', codec, isText: false, stream: true }
}

function declareText(name: string, codec: Codec): ContentType {
  return { name, protocol: 'grpc-web', codec, isText: true, stream: false }
}
