import type { UniversalServerResponse } from '@connectrpc/connect/protocol'
import { negotiateCoding } from '../../rpc/coding.ts'
import { COMPRESS_BYTES_MIN } from '../../rpc/compression.ts'
import { streamBytes } from '../../rpc/connect-adapter/byte-stream.ts'
import { CONNECT_COMPRESSIONS } from '../../rpc/connect-adapter/compression.ts'

/** Converts a complete response, compressed as `accept` prefers: results contain each value twice and compress well. */
export async function writeAnswer(response: Response, accept: string): Promise<UniversalServerResponse> {
  const { status } = response
  const header = new Headers(response.headers)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const coding = bytes.length < COMPRESS_BYTES_MIN ? 'identity' : negotiateCoding(accept)
  const compression = CONNECT_COMPRESSIONS.find(({ name }) => name === coding)
  if (!compression) return { status, header, body: streamBytes(bytes) }
  header.set('content-encoding', coding)
  header.set('vary', 'accept-encoding')
  return { status, header, body: streamBytes(await compression.compress(bytes)) }
}
