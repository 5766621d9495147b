import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import type { SourceRecord } from './read-records.ts'

/** Records that were not taken, a line each; the file is there only when there are any. */
export class RejectedFile {
  readonly path: string
  #file: number | undefined
  #bytes: number

  /** Keeps the first `bytes` of what an earlier run wrote. */
  constructor(path: string, bytes: number) {
    this.path = path
    this.#bytes = bytes
    if (bytes === 0) rmSync(path, { force: true })
  }

  /** Bytes written. */
  get bytes(): number {
    return this.#bytes
  }

  /** Adds a record. */
  add({ entry, line, text }: SourceRecord, reason: string): void {
    this.#file ??= this.#open()
    const place = entry === '' ? { line } : { entry, line }
    const bytes = Buffer.from(`${JSON.stringify({ ...place, reason, record: text })}\n`)
    writeSync(this.#file, bytes, 0, bytes.length, this.#bytes)
    this.#bytes += bytes.length
  }

  /** Closes the file. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  #open(): number {
    const file = openSync(this.path, this.#bytes === 0 ? 'w' : 'r+')
    ftruncateSync(file, this.#bytes)
    return file
  }
}
