import { ServiceError } from '../../contract/service-error.ts'

/** The last event of a page: the next page starts after it. */
export interface EventCursor {
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number
  /** Lower-case UUID text. */
  readonly eventId: string
}

const TOKEN = /^(\d{1,13})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

/** The cursor as the opaque text that clients send back. */
export function encodePageToken(cursor: EventCursor): string {
  return Buffer.from(`${cursor.timeMs}.${cursor.eventId}`).toString('base64url')
}

/** Reads a token; empty text is the first page. Throws `invalid_argument`. */
export function parsePageToken(token: string): EventCursor | undefined {
  if (token === '') return undefined
  const match = TOKEN.exec(Buffer.from(token, 'base64url').toString('latin1'))
  const [, timeMs, eventId] = match ?? []
  if (timeMs !== undefined && eventId !== undefined) return { timeMs: Number(timeMs), eventId }
  throw new ServiceError({
    code: 'invalid_argument',
    reason: 'INVALID_PAGE_TOKEN',
    message: 'pageToken is not one that this service gave out',
    violations: [{ field: 'pageToken', description: 'is not one that this service gave out' }],
  })
}
