import type { Http2Stream } from 'node:http2'

/**
 * True when nothing more can be sent on a stream: what begins an answer or trailers throws then. A client's reset without
 * an error closes a stream long before Node.js destroys it, which waits until the body was read.
 */
export function isOver(stream: Http2Stream): boolean {
  return stream.closed || stream.destroyed
}
