import { ServiceError } from '../../contract/service-error.ts'

/** The last event of a page: the next page starts after it. Two events may have one id, but not all four in common. */
export interface EventCursor {
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number
  /** Lower-case UUID text. */
  readonly eventId: string
  readonly kind: string
  readonly distinctId: string
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The cursor as the opaque text that clients send back. */
export function encodePageToken({ timeMs, eventId, kind, distinctId }: EventCursor): string {
  return Buffer.from(JSON.stringify([timeMs, eventId, kind, distinctId])).toString('base64url')
}

/** Reads a token; empty text is the first page. Throws `invalid_argument`. */
export function parsePageToken(token: string): EventCursor | undefined {
  if (token === '') return undefined
  const [timeMs, eventId, kind, distinctId] = parseList(Buffer.from(token, 'base64url').toString('utf8'))
  const isCursor =
    Number.isSafeInteger(timeMs) &&
    typeof eventId === 'string' &&
    UUID.test(eventId) &&
    typeof kind === 'string' &&
    typeof distinctId === 'string'
  if (isCursor) return { timeMs: Number(timeMs), eventId, kind, distinctId }
  throw new ServiceError({
    code: 'invalid_argument',
    reason: 'INVALID_PAGE_TOKEN',
    message: 'pageToken is not one that this service gave out',
    violations: [{ field: 'pageToken', description: 'is not one that this service gave out' }],
  })
}

function parseList(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}
