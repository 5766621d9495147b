import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { createMcpServer, type McpServerParts } from './mcp-server.ts'

/** Handles one HTTP request whose body is `message`. */
export type ServeMessage = (request: Request, message: unknown) => Promise<Response>

/**
 * Serves every protocol revision without sessions: those since 2026-07-28, whose requests are self-contained, and earlier
 * ones, whose handshake needs no state here. Responses are always one JSON document.
 */
export function createServeMessage(parts: McpServerParts): ServeMessage {
  const current = createMcpHandler(({ requestInfo }) => createMcpServer(theRequest(requestInfo), parts), {
    legacy: 'reject',
    // The tool list never changes while the process runs, so there are no notifications.
    maxSubscriptions: 0,
    onerror: parts.onRefused,
  })
  return async (request, message) => {
    if (await isLegacyRequest(request, message)) return await serveEarlier(request, message, parts)
    return await current.fetch(request, { parsedBody: message })
  }
}

async function serveEarlier(request: Request, message: unknown, parts: McpServerParts): Promise<Response> {
  const server = createMcpServer(request, parts)
  server.onerror = parts.onRefused
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

function theRequest(request: Request | undefined): Request {
  if (!request) throw new Error('a server needs an HTTP request')
  return request
}
