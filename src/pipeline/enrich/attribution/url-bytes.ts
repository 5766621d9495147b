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
 * End of host and path, which a question mark, an anchor or the end of the text follows; -1 when there is a byte that WHATWG URL
 * removes, which are blanks, tabs and line breaks.
 */
export function findPathEnd(bytes: Uint8Array, start: number, end: number): number {
  return findEnd(PATH_ENDS, bytes, start, end)
}

/** End of the host: also a slash of either direction follows it. */
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

const PATH_ENDS = createTable('?#', 0xff)
const HOST_ENDS = createTable('?#/\\', 0xff)
const QUERY_ENDS = createTable('#', 0x7f)

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
