import { randomBytes } from 'node:crypto'

/** Header that carries the request id in both directions. */
export const REQUEST_ID_HEADER = 'x-request-id'

const ACCEPTED = /^[A-Za-z0-9._:-]{1,128}$/

/** 72 random bits name this process's requests; a UUID for each cost a quarter of a no-op's own work. */
const PREFIX = `${randomBytes(9).toString('base64url')}-`

let count = 0

/** The client's request id when it sent a usable one, else a new one. */
export function chooseRequestId(sent: string | undefined): string {
  if (sent !== undefined && sent !== '' && ACCEPTED.test(sent)) return sent
  count++
  return PREFIX + count.toString(36)
}
