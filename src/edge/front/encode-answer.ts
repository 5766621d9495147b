import { STATUS_CODES } from 'node:http'
import type { Answer } from '../../rpc/answer.ts'

/** RFC 9110 section 8.6: these answers have no length. */
const WITHOUT_LENGTH: ReadonlySet<number> = new Set([204, 304])

/** Writes an answer in HTTP/1.1; `closes` tells the client that the connection ends with it. */
export function encodeAnswer({ status, headers, body }: Answer, closes: boolean): string | Buffer {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n`
  for (const [name, value] of headers) head += `${name}: ${value}\r\n`
  if (closes) head += 'connection: close\r\n'
  if (!WITHOUT_LENGTH.has(status)) head += `content-length: ${Buffer.byteLength(body)}\r\n`
  head += '\r\n'
  return typeof body === 'string' ? head + body : Buffer.concat([Buffer.from(head), body])
}
