import type { RequestHead } from '../exchange.ts'

/** The head of a request that {@link RequestFraming} let through. */
export interface PassedHead {
  /** Request line and fields, each with its CRLF; a byte is a character. */
  readonly text: string
  /** The same in lower case. */
  readonly lowered: string
  /** Bytes of the body; `undefined` when it comes in chunks. */
  readonly bodyBytes: number | undefined
  /** The head that this one repeats: it gives another length at most, and the text here is of that one. */
  readonly repeats?: PassedHead
}

const CRLF_BYTES = 2
const OUTSIDE_ASCII = /[\x80-\xff]/

/** The head of a request that the front serves itself. Fields have their value as uWebSockets.js reads it. */
export class FrontHead implements RequestHead {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly peer: string
  readonly hasTrailers = false
  isRepeated = false
  readonly #head: PassedHead
  #fields: Map<string, string> | undefined

  constructor(head: PassedHead, peer: string) {
    const { text } = head
    this.#head = head
    this.peer = peer
    const methodEnd = text.indexOf(' ')
    const target = text.slice(methodEnd + 1, text.indexOf(' ', methodEnd + 1))
    const mark = target.indexOf('?')
    this.method = text.slice(0, methodEnd)
    this.path = asText(mark === -1 ? target : target.slice(0, mark))
    this.query = mark === -1 ? '' : asText(target.slice(mark + 1))
  }

  header(name: string): string | undefined {
    this.#fields ??= readFields(this.#head)
    return this.#fields.get(name)
  }

  /** Whether the client asks for the end of the connection after the answer. */
  get isLast(): boolean {
    return this.header('connection')?.toLowerCase() === 'close'
  }
}

/** All but the length of the body, in which heads that repeat each other differ. */
function readFields({ text, lowered }: PassedHead): Map<string, string> {
  const fields = new Map<string, string>()
  for (let start = text.indexOf('\r\n') + CRLF_BYTES; start < text.length; ) {
    const colon = text.indexOf(':', start)
    const end = text.indexOf('\r\n', colon)
    const name = lowered.slice(start, colon)
    const value = asText(trimmed(text, colon + 1, end))
    const sent = fields.get(name)
    fields.set(name, sent === undefined ? value : `${sent}, ${value}`)
    start = end + CRLF_BYTES
  }
  fields.delete('content-length')
  return fields
}

/** The part of a text without spaces and tabs around it. */
function trimmed(text: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && isBlank(text, start)) start++
  while (end > start && isBlank(text, end - 1)) end--
  return text.slice(start, end)
}

function isBlank(text: string, index: number): boolean {
  return text[index] === ' ' || text[index] === '\t'
}

/** Bytes of UTF-8, a character each, as text. */
function asText(bytes: string): string {
  return OUTSIDE_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes
}
