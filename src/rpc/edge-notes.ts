/**
 * Headers in which the query process reports more than its answer to the edge of its machine. They stay between both: the edge
 * passes them on in neither direction.
 */
export const EDGE_NOTE_HEADERS = {
  /** Milliseconds for which the edge holds the answer. */
  hold: 'x-millrace-hold-ms',
  /** `1` when the call proved an account: its network may sign in while unknown ones flood the sign-in. */
  verified: 'x-millrace-verified',
} as const

/** Notes of a call for the edge. */
export interface EdgeNotes {
  /** Milliseconds for which the edge holds the answer. */
  holdMs: number
  /** Whether the call came with a live session or a private key, or has just signed in. */
  isVerified: boolean
}

/** The longest that an answer is held. */
export const HOLD_MS_MAX = 2000

/** Bytes of a held answer: a refusal in words. */
export const HELD_BYTES_MAX = 64 * 1024

/** The notes as headers; none for most answers. */
export function edgeNoteHeaders({ holdMs, isVerified }: EdgeNotes): [name: string, value: string][] {
  const headers: [string, string][] = []
  if (holdMs > 0) headers.push([EDGE_NOTE_HEADERS.hold, String(holdMs)])
  if (isVerified) headers.push([EDGE_NOTE_HEADERS.verified, '1'])
  return headers
}

/** Reads the notes from the headers of an answer. */
export function readEdgeNotes(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): EdgeNotes {
  const hold = headers[EDGE_NOTE_HEADERS.hold]
  const ms = typeof hold === 'string' && /^\d{1,5}$/.test(hold) ? Number(hold) : 0
  return { holdMs: Math.min(ms, HOLD_MS_MAX), isVerified: headers[EDGE_NOTE_HEADERS.verified] === '1' }
}
