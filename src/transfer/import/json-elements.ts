import { UnreadableSource } from './open-source.ts'

/** One JSON value of a source that is no list of lines. */
export interface JsonElement {
  /** Line of its start, from 1. */
  readonly line: number
  /** Undefined when it is longer than any event. */
  readonly text: string | undefined
}

/**
 * Where the records of a JSON source stand: one on each line; in the list `results` of an API's answers; or in lists, or one
 * after the other over several lines.
 */
export type JsonLayout = 'lines' | 'answers' | 'values'

/** Fields with which the answer of a paginated API begins; no record has one of them first. */
const ANSWER_START = /^\{\s*"(next|previous|count|results)"\s*:/

/** Tells by its start where the records of a JSON source stand. */
export function layoutOf(start: string): JsonLayout {
  const text = start.trimStart()
  if (ANSWER_START.test(text)) return 'answers'
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

/** No depth has elements. */
const NOWHERE = -1

/** Keys and values of an answer that are looked at are short. */
const FIELD_BYTES_MAX = 4096

/** Finds the records in JSON that is not one on each line, without holding more than one of them. */
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
    this.#outside = layout === 'answers' ? NOWHERE : 0
    this.#elementDepth = this.#outside
    this.#bytesMax = bytesMax
  }

  /** Whether the last answer has a further page, which is not in it. */
  get hasNextPage(): boolean {
    return this.#hasNextPage
  }

  /** The records that end in the bytes, which go on where the ones before ended. */
  *push(chunk: Uint8Array): Iterable<JsonElement> {
    let from = this.#parts === undefined ? NOWHERE : 0
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
        from = NOWHERE
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
        from = NOWHERE
      }
    }
    if (this.#parts !== undefined) this.#add(chunk.subarray(from))
  }

  /** What is left at the end. Throws {@link UnreadableSource} when that is within a value. */
  *end(): Iterable<JsonElement> {
    if (this.#depth > 0 || this.#inString) {
      throw new UnreadableSource('the JSON ends before its last bracket is closed: the file is cut off')
    }
    if (this.#parts !== undefined) yield this.#take(new Uint8Array())
  }

  /** Reads a byte outside of texts; true when a record begins with it. */
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
    const isAnswer = !isList && this.#depth === 0 && this.#outside === NOWHERE
    if (isAnswer) this.#hasNextPage = false
    const holdsRecords =
      isList && (this.#depth === 0 || (this.#isInAnswer() && this.#key === 'results' && this.#depth === 1))
    const isStart = !holdsRecords && this.#depth === this.#elementDepth
    this.#depth++
    if (holdsRecords) this.#elementDepth = this.#depth
    return isStart
  }

  #close(): void {
    if (this.#depth === 0)
      throw new UnreadableSource(`line ${this.#line} is no JSON: a bracket is not opened`)
    if (this.#depth === this.#elementDepth) this.#elementDepth = this.#outside
    this.#depth--
  }

  #readString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BYTE.backslash) this.#isEscaped = true
    else if (byte === BYTE.quote) {
      this.#inString = false
      // Its address may have a key in it: that there is one is all that is kept.
      if (this.#key === 'next' && this.#isInAnswer()) this.#hasNextPage = true
      return
    }
    if (this.#isInAnswer() && this.#field.length < FIELD_BYTES_MAX) this.#field.push(byte)
  }

  #isInAnswer(): boolean {
    return this.#depth === 1 && this.#elementDepth === NOWHERE
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
