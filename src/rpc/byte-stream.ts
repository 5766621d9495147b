import type { ServiceError } from '../contract/service-error.ts'
import { err, ok, type Result } from '../kernel/result.ts'
import { bodyTooLarge } from './protocol-errors.ts'

/** The chunks as one piece; reads no further than `bytesMax` and is `resource_exhausted` beyond. */
export async function collectBytes(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Result<Buffer, ServiceError>> {
  const read: Uint8Array[] = []
  let byteCount = 0
  for await (const chunk of chunks) {
    byteCount += chunk.length
    if (byteCount > bytesMax) return err(bodyTooLarge(bytesMax))
    read.push(chunk)
  }
  return ok(Buffer.concat(read, byteCount))
}

/** One piece as a stream of one chunk. */
export async function* streamBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
