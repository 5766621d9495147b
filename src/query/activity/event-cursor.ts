import { isCanonicalUuid } from '../../contract/ids.ts'
import { decodePageToken, encodePageToken, invalidPageToken } from '../calls/page-token.ts'

/** The last event of a page; the next page starts after it. Two events may share an id, but never all four fields. */
export interface EventCursor {
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number
  /** Lower-case UUID text. */
  readonly eventId: string
  readonly kind: string
  readonly distinctId: string
}

/** Encodes the cursor as a page token. */
export function encodeEventCursor({ timeMs, eventId, kind, distinctId }: EventCursor): string {
  return encodePageToken([timeMs, eventId, kind, distinctId])
}

/** Decodes a token; empty text is the first page. Throws `invalid_argument`. */
export function parseEventCursor(token: string): EventCursor | undefined {
  if (token === '') return undefined
  const [timeMs, eventId, kind, distinctId] = decodePageToken(token)
  const isCursor =
    Number.isSafeInteger(timeMs) &&
    typeof eventId === 'string' &&
    isCanonicalUuid(eventId) &&
    typeof kind === 'string' &&
    typeof distinctId === 'string'
  if (!isCursor) throw invalidPageToken()
  return { timeMs: Number(timeMs), eventId, kind, distinctId }
}
