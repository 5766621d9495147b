import type { ServiceError } from '../../contract/service-error.ts'
import { err, ok, type Result } from '../../kernel/result.ts'
import { bodyTooLarge } from '../protocol-errors.ts'

/** Concatenates the chunks; stops reading at `bytesMax` and returns `resource_exhausted` beyond. */
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

/** A stream of one chunk. */
export async function* streamBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** The changes that {@link rewriteBody} makes to a body. */
export interface RewriteBody {
  readonly writeChunk: (chunk: Uint8Array) => Uint8Array
  /** Runs after the last chunk, before the reader sees the end. */
  readonly atEnd?: () => void
}

/** The body with each chunk rewritten. Cancellation and errors of the reader reach the source, as connect-es expects. */
export function rewriteBody(source: AsyncIterable<Uint8Array>, how: RewriteBody): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => new RewrittenChunks(source[Symbol.asyncIterator](), how) }
}

class RewrittenChunks implements AsyncIterator<Uint8Array> {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #how: RewriteBody

  constructor(source: AsyncIterator<Uint8Array>, how: RewriteBody) {
    this.#source = source
    this.#how = how
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const result = await this.#source.next()
    if (result.done !== true) return { done: false, value: this.#how.writeChunk(result.value) }
    this.#how.atEnd?.()
    return result
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    await this.#source.return?.()
    return { done: true, value: undefined }
  }

  async throw(reason: unknown): Promise<IteratorResult<Uint8Array>> {
    if (this.#source.throw === undefined) throw reason
    return await this.#source.throw(reason)
  }
}
