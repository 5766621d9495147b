import { monotonicMs } from '../../kernel/clock.ts'
import { type JournalFile, writeAll } from './files.ts'
import { encodeHeader, encodeSeal, HEADER_BYTES, recordMarker } from './record.ts'
import type { SealedSegment, SegmentName } from './segment.ts'

/** A block to append. */
export interface Block {
  readonly bytes: Uint8Array
  readonly rowCount: number
}

/** The segment that receives records. One write runs at a time. */
export class OpenSegment {
  readonly name: SegmentName
  readonly path: string
  readonly #file: JournalFile
  readonly #marker: Buffer
  #end = 0
  #rowCount = 0
  #firstMs: number | undefined

  constructor(name: SegmentName, path: string, file: JournalFile) {
    this.name = name
    this.path = path
    this.#file = file
    this.#marker = recordMarker(name.id)
  }

  /** Bytes of its records. */
  get end(): number {
    return this.#end
  }

  /** Rows of its records. */
  get rowCount(): number {
    return this.#rowCount
  }

  /** Monotonic time of its first record; now, when it has none. */
  get firstMs(): number {
    return this.#firstMs ?? monotonicMs()
  }

  /** Writes records after the last one. When it rejects, none of them counts: call {@link truncate}. */
  async write(blocks: readonly Block[], options: { readonly seal: boolean }): Promise<void> {
    const startedMs = monotonicMs()
    const buffers = this.#encode(blocks)
    if (options.seal) buffers.push(encodeSeal(this.#marker))
    await writeAll(this.#file, buffers, this.#end)
    this.#firstMs ??= startedMs
    for (const { length } of buffers) this.#end += length
    for (const { rowCount } of blocks) this.#rowCount += rowCount
  }

  #encode(blocks: readonly Block[]): Uint8Array[] {
    const headers = Buffer.allocUnsafe(blocks.length * HEADER_BYTES)
    return blocks.flatMap(({ bytes, rowCount }, index) => {
      const header = headers.subarray(index * HEADER_BYTES, (index + 1) * HEADER_BYTES)
      encodeHeader(header, { marker: this.#marker, payload: bytes, rowCount })
      return [header, bytes]
    })
  }

  /** Makes all written records durable. */
  async sync(): Promise<void> {
    await this.#file.sync()
  }

  /** Removes the bytes of a failed write after the last record. */
  async truncate(): Promise<void> {
    await this.#file.truncate(this.#end)
  }

  /** Closes the file. */
  async close(): Promise<void> {
    await this.#file.close()
  }

  /** The sealed segment, after its last record. */
  sealed(): SealedSegment {
    const { path, end, rowCount, firstMs } = this
    return { ...this.name, path, bytes: end, rowCount, firstMs }
  }
}
