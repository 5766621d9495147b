import type { JsonObject } from '@bufbuild/protobuf'
import type { ServiceError } from '../contract/service-error.ts'

/** Path of the Model Context Protocol, whose messages are JSON-RPC. */
export const MCP_PATH = '/mcp'

/** JSON-RPC codes for a body that is not JSON, and for every other refusal of a whole request. */
const PARSE_ERROR = -32_700
const SERVER_ERROR = -32_000

/** The body for a request that is refused as a whole, before its messages are read. */
export function encodeJsonRpcError(error: ServiceError, requestId: string): string {
  const code = isUnreadable(error) ? PARSE_ERROR : SERVER_ERROR
  const data = toErrorJson(error, requestId)
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message: error.message, data } })
}

/** The content of an error that is common to all protocols. */
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

/** True for a body that could not be parsed; such an error has the parser's error as its cause. */
function isUnreadable({ reason, cause }: ServiceError): boolean {
  return reason === 'INVALID_REQUEST' && cause !== undefined
}
