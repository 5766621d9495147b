import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { createMcpServer, type McpServerParts } from './mcp-server.ts'

/** Answers one HTTP request whose body is `message`. */
export type ServeMessage = (request: Request, message: unknown) => Promise<Response>

/**
 * Serves every revision of the protocol without a session: those from 2026-07-28 on, whose requests say all about
 * themselves, and those before, which begin with a handshake that nobody needs to remember. Answers are always one piece
 * of JSON.
 */
export function createServeMessage(parts: McpServerParts): ServeMessage {
  const current = createMcpHandler(({ requestInfo }) => createMcpServer(theRequest(requestInfo), parts), {
    legacy: 'reject',
    // The list of tools never changes while the process lives, so there is nothing to listen for.
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
  if (!request) throw new Error('a server is made for a request over HTTP')
  return request
}
