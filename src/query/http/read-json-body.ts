import { assertByteStreamRequest, type UniversalServerRequest } from '@connectrpc/connect/protocol'
import type { ServiceError } from '../../contract/service-error.ts'
import type { Result } from '../../kernel/result.ts'
import { parseCoding } from '../../rpc/coding.ts'
import { decompress } from '../../rpc/compression.ts'
import { collectBytes } from '../../rpc/connect-adapter/byte-stream.ts'
import { parseContentType } from '../../rpc/content-type.ts'
import { findJsonExcess } from '../../rpc/json-bounds.ts'
import { MESSAGE_BOUNDS } from '../../rpc/message-bounds.ts'
import { invalidRequest, unsupportedMediaType } from '../../rpc/protocol-errors.ts'

/** The bounds of RPC messages, plus the nesting of the protocol around a request. */
const BOUNDS = { ...MESSAGE_BOUNDS, depthMax: MESSAGE_BOUNDS.depthMax + 8 }

/** Maximum messages of a request. Answers are held until the last one is ready; only revision 2025-03-26 allows batches. */
const MESSAGES_MAX = 16

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads the JSON of a body, in any coding that RPCs take. Throws `unimplemented` for another content type or coding,
 * `resource_exhausted` for more than `bytesMax` bytes, and `invalid_argument` for too many messages, for what is nested
 * too deeply and, with its cause, for what cannot be read.
 */
export async function readJsonBody(request: UniversalServerRequest, bytesMax: number): Promise<unknown> {
  assertByteStreamRequest(request)
  const contentType = request.header.get('content-type') ?? ''
  if (parseContentType(contentType)?.name !== 'application/json') throw unsupportedMediaType(contentType)
  const coding = take(parseCoding(request.header.get('content-encoding') ?? ''))
  const body = take(await collectBytes(request.body, bytesMax))
  const bytes = take(decompress(body, coding, { bytesMax }))
  const excess = findJsonExcess(bytes, BOUNDS)
  if (excess !== undefined) throw invalidRequest(`the request ${excess}`)
  const message = parseJson(bytes)
  if (Array.isArray(message) && message.length > MESSAGES_MAX)
    throw invalidRequest(`a request has at most ${MESSAGES_MAX} messages`)
  return message
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes))
  } catch (thrown) {
    throw invalidRequest('the request is not valid JSON in UTF-8', thrown)
  }
}

function take<T>(result: Result<T, ServiceError>): T {
  if (!result.ok) throw result.error
  return result.value
}
