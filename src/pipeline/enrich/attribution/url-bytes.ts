import type { TextBytes } from '../../event/event-row.ts'

/** The parts of a URL as offsets. Speed: `task/browser-json-100`. */

const AT_HTTP = word('http')
const AT_COLON = word('://\0') & 0xffffff
const AT_SECURE = word('s://')

/**
 * Offset after `http://` or `https://`; 0 for other texts. WHATWG URL takes more forms, such as capitals and blanks before it.
 */
export function findAuthority({ view }: TextBytes, start: number, length: number): number {
  if (length < 9 || view.getInt32(start, true) !== AT_HTTP) return 0
  if (view.getInt32(start + 4, true) === AT_SECURE) return start + 8
  return (view.getInt32(start + 4, true) & 0xffffff) === AT_COLON ? start + 7 : 0
}

/**
 * End of a path that WHATWG URL does not change, which a question mark, an anchor or the end of the text follows: it begins with a slash or is
 * empty, and has no dot segment, no encoded dot, and no byte that would be encoded. -1 for other paths.
 */
export function findPlainPathEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    const meaning = PATH[byte] ?? UNCOMMON
    if (meaning === GOES_ON) continue
    if (meaning === ENDS) return at
    const isPlain = byte === SLASH ? at + 1 === end || bytes[at + 1] !== DOT : isPlainEscape(bytes, at, end)
    if (!isPlain) return -1
  }
  return end
}

/** Whether a percent sign does not begin an encoded dot. */
function isPlainEscape(bytes: Uint8Array, at: number, end: number): boolean {
  if (bytes[at] !== PERCENT) return false
  return at + 2 >= end || bytes[at + 1] !== 0x32 || ((bytes[at + 2] ?? 0) | 0x20) !== 0x65
}

/**
 * End of the host, which a slash of either direction, a question mark, an anchor or the end of the text follows; -1 when there is a byte
 * that WHATWG URL removes, which are blanks, tabs and line breaks.
 */
export function findHostEnd(bytes: Uint8Array, start: number, end: number): number {
  return findEnd(HOST_ENDS, bytes, start, end)
}

/** End of a query, which an anchor or the end of the text follows; -1 also when it is not ASCII. */
export function findQueryEnd(bytes: Uint8Array, start: number, end: number): number {
  return findEnd(QUERY_ENDS, bytes, start, end)
}

/** What a byte means: it goes on, ends the part, or makes it uncommon. */
const GOES_ON = 0
const ENDS = 1
const UNCOMMON = 2

const HOST_ENDS = createTable('?#/\\', 0xff)
const QUERY_ENDS = createTable('#', 0x7f)

const SLASH = 0x2f
const DOT = 0x2e
const PERCENT = 0x25

/** Bytes of a plain path; a slash and a percent sign depend on what follows. */
const PATH: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === 0x3f || byte === 0x23
    ? ENDS
    : /[!$&-.0-;=@-[\]_a-z|~]/.test(String.fromCharCode(byte))
      ? GOES_ON
      : UNCOMMON,
)

function findEnd(table: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && table[bytes[at] ?? 0] === GOES_ON) at++
  return at < end && table[bytes[at] ?? 0] === UNCOMMON ? -1 : at
}

function createTable(ends: string, byteMax: number): Uint8Array {
  const table = new Uint8Array(256).fill(UNCOMMON)
  table.fill(GOES_ON, 0x21, byteMax + 1)
  for (const character of ends) table[character.charCodeAt(0)] = ENDS
  return table
}

function word(text: string): number {
  return Buffer.from(text, 'latin1').readInt32LE(0)
}

/** The text of bytes. */
export function textOf({ bytes }: Pick<TextBytes, 'bytes'>, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')
}

/** The parts of an http(s) URL that attribution reads, as WHATWG URL writes them. */
export interface UrlParts {
  /** In lower case, international names in ASCII, without a port. */
  readonly hostname: string
  /** At least a slash. */
  readonly pathname: string
  /** The text after the question mark, not decoded. */
  readonly query: string
}

/** Splits an http(s) URL; `undefined` for other text. */
export function parseUrl(text: string): UrlParts | undefined {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  return { hostname: url.hostname, pathname: url.pathname, query: url.search.slice(1) }
}
