import { randomBytes } from 'node:crypto'

/** Header that carries the request id in both directions. */
export const REQUEST_ID_HEADER = 'x-request-id'

const ACCEPTED = /^[A-Za-z0-9._:-]{1,128}$/

/** 72 random bits prefix the ids of this process; a UUID for each request cost a quarter of a no-op request. */
const PREFIX = `${randomBytes(9).toString('base64url')}-`

let count = 0

/** The client's request id if it is valid, else a new one. */
export function chooseRequestId(sent: string | undefined): string {
  if (sent !== undefined && sent !== '' && ACCEPTED.test(sent)) return sent
  count++
  return PREFIX + count.toString(36)
}
