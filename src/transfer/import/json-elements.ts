import { UnreadableSource } from './unreadable-source.ts'

/** One JSON value of a source that does not have one value per line. */
export interface JsonElement {
  /** Line of its start, from 1. */
  readonly line: number
  /** Undefined when it exceeds the size limit. */
  readonly text: string | undefined
}

/**
 * Layout of the records in a JSON source: one per line; in the list `results` of API responses; or as formatted values over
 * several lines, in a list or in sequence.
 */
export type JsonLayout = 'lines' | 'responses' | 'values'

/** Fields with which the response of a paginated API begins; no record begins with one of them. */
const RESPONSE_START = /^\{\s*"(next|previous|count|results)"\s*:/

/** Detects the layout of a JSON source from its start. */
export function layoutOf(start: string): JsonLayout {
  const text = start.trimStart()
  if (RESPONSE_START.test(text)) return 'responses'
  return text.startsWith('[') || /^\{[ \t]*\r?\n/.test(text) ? 'values' : 'lines'
}

const BYTE = {
  tab: 0x09,
  newline: 0x0a,
  return: 0x0d,
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const

const SPACES: ReadonlySet<number> = new Set([BYTE.tab, BYTE.newline, BYTE.return, BYTE.space])

/** Stands for a depth or an offset that does not exist. */
const NONE = -1

/** Limit on the keys and values of a response that are read: all of them are short. */
const FIELD_BYTES_MAX = 4096

/** Splits JSON with any layout but lines into records, with at most one of them in memory. */
export class JsonElementScanner {
  readonly #outside: number
  readonly #bytesMax: number
  #line = 1
  #depth = 0
  /** The depth at which a value is a record. */
  #elementDepth: number
  #inString = false
  #isEscaped = false
  #parts: Uint8Array[] | undefined
  #partBytes = 0
  #startLine = 1
  #field: number[] = []
  #key = ''
  #hasNextPage = false

  constructor(layout: Exclude<JsonLayout, 'lines'>, bytesMax: number) {
    this.#outside = layout === 'responses' ? NONE : 0
    this.#elementDepth = this.#outside
    this.#bytesMax = bytesMax
  }

  /** Whether the last response refers to a further page. */
  get hasNextPage(): boolean {
    return this.#hasNextPage
  }

  /** Returns the records that end in this chunk, which continues the previous one. */
  *push(chunk: Uint8Array): Iterable<JsonElement> {
    let from = this.#parts === undefined ? NONE : 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (byte === BYTE.newline) this.#line++
      if (this.#inString) {
        this.#readString(byte)
        continue
      }
      if (SPACES.has(byte)) continue
      const isEndOfScalar = byte === BYTE.comma || byte === BYTE.closeList || byte === BYTE.closeObject
      if (this.#parts !== undefined && isEndOfScalar && this.#depth === this.#elementDepth) {
        yield this.#take(chunk.subarray(from, at))
        from = NONE
      }
      const isStart = this.#read(byte)
      if (isStart && this.#parts === undefined) {
        this.#parts = []
        this.#startLine = this.#line
        from = at
      }
      const isEnd = byte === BYTE.closeList || byte === BYTE.closeObject
      if (this.#parts !== undefined && isEnd && this.#depth === this.#elementDepth) {
        yield this.#take(chunk.subarray(from, at + 1))
        from = NONE
      }
    }
    if (this.#parts !== undefined) this.#add(chunk.subarray(from))
  }

  /** Returns the last record. Throws {@link UnreadableSource} when the source ends within a value. */
  *end(): Iterable<JsonElement> {
    if (this.#depth > 0 || this.#inString) {
      throw new UnreadableSource('the JSON ends before its last bracket is closed: the file is truncated')
    }
    if (this.#parts !== undefined) yield this.#take(new Uint8Array())
  }

  /** Reads a byte outside of strings; returns whether a record begins with it. */
  #read(byte: number): boolean {
    switch (byte) {
      case BYTE.openList:
      case BYTE.openObject:
        return this.#open(byte)
      case BYTE.closeList:
      case BYTE.closeObject:
        this.#close()
        return false
      case BYTE.comma:
        this.#key = ''
        return false
      case BYTE.colon:
        this.#key = Buffer.from(this.#field).toString('utf8')
        this.#field = []
        return false
      case BYTE.quote:
        this.#inString = true
        this.#field = []
        return this.#depth === this.#elementDepth
      default:
        return this.#depth === this.#elementDepth
    }
  }

  #open(byte: number): boolean {
    const isList = byte === BYTE.openList
    const isResponse = !isList && this.#depth === 0 && this.#outside === NONE
    if (isResponse) this.#hasNextPage = false
    const holdsRecords =
      isList && (this.#depth === 0 || (this.#isInResponse() && this.#key === 'results' && this.#depth === 1))
    const isStart = !holdsRecords && this.#depth === this.#elementDepth
    this.#depth++
    if (holdsRecords) this.#elementDepth = this.#depth
    return isStart
  }

  #close(): void {
    if (this.#depth === 0)
      throw new UnreadableSource(
        `line ${this.#line} is not valid JSON: a bracket is closed that was not opened`,
      )
    if (this.#depth === this.#elementDepth) this.#elementDepth = this.#outside
    this.#depth--
  }

  #readString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BYTE.backslash) this.#isEscaped = true
    else if (byte === BYTE.quote) {
      this.#inString = false
      // The URL may contain an API key, so only its presence is stored.
      if (this.#key === 'next' && this.#isInResponse()) this.#hasNextPage = true
      return
    }
    if (this.#isInResponse() && this.#field.length < FIELD_BYTES_MAX) this.#field.push(byte)
  }

  #isInResponse(): boolean {
    return this.#depth === 1 && this.#elementDepth === NONE
  }

  #add(part: Uint8Array): void {
    this.#partBytes += part.length
    if (this.#partBytes <= this.#bytesMax) this.#parts?.push(part)
    else this.#parts = []
  }

  #take(last: Uint8Array): JsonElement {
    this.#add(last)
    const text =
      this.#partBytes > this.#bytesMax ? undefined : Buffer.concat(this.#parts ?? []).toString('utf8')
    this.#parts = undefined
    this.#partBytes = 0
    return { line: this.#startLine, text: text?.trimEnd() }
  }
}
