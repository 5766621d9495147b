import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import type { SourceRecord } from './read-records.ts'

/** The file of rejected records, one per line; it exists only if there are any. */
export class RejectedFile {
  readonly path: string
  #file: number | undefined
  #bytes: number

  /** Continues after the first `bytes` of an earlier run. */
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
    const position = entry === '' ? { line } : { entry, line }
    const bytes = Buffer.from(`${JSON.stringify({ ...position, reason, record: text })}\n`)
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
