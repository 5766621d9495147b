import { randomUUID } from 'node:crypto'

/** Header that carries the request id in both directions. */
export const REQUEST_ID_HEADER = 'x-request-id'

const ACCEPTED = /^[A-Za-z0-9._:-]{1,128}$/

/** The client's request id when it sent a usable one, else a new one. */
export function chooseRequestId(sent: string | undefined): string {
  return sent !== undefined && ACCEPTED.test(sent) ? sent : randomUUID()
}
