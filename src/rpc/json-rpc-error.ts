import type { JsonObject } from '@bufbuild/protobuf'
import type { ServiceError } from '../contract/service-error.ts'

/** Where the Model Context Protocol is served: its messages are those of JSON-RPC. */
export const MCP_PATH = '/mcp'

/** The codes of JSON-RPC for a body that is no JSON, and for everything else that is wrong around a message. */
const PARSE_ERROR = -32_700
const SERVER_ERROR = -32_000

/** The body for a request that is refused as a whole, of whose messages nothing is known. */
export function encodeJsonRpcError(error: ServiceError, requestId: string): string {
  const code = isUnreadable(error) ? PARSE_ERROR : SERVER_ERROR
  const data = toErrorJson(error, requestId)
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message: error.message, data } })
}

/** What an error says in every protocol, without the wrapping of one. */
export function toErrorJson(error: ServiceError, requestId: string): JsonObject {
  const { code, reason, message, violations, retryAfterSeconds } = error
  return {
    code,
    reason,
    message,
    ...(violations.length > 0 && { violations: violations.map((violation) => ({ ...violation })) }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    requestId,
  }
}

/** True for a body that could not be read, whose error has what was wrong with it as its cause. */
function isUnreadable({ reason, cause }: ServiceError): boolean {
  return reason === 'INVALID_REQUEST' && cause !== undefined
}
