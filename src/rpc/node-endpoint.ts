import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'

/**
 * Answers a request of node:http or node:http2 itself, for libraries that do so. It throws when it cannot. Its type is here, because those
 * who mount it and those who write it are in layers that do not import each other.
 */
export type NodeEndpoint = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => Promise<void>
