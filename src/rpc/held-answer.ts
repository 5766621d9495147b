/**
 * Header with which the query process asks the edge of its machine to hold an answer for some milliseconds. It stays between
 * both: the edge passes it on in neither direction.
 */
export const HOLD_HEADER = 'x-millrace-hold-ms'

/** The longest that an answer is held. */
export const HOLD_MS_MAX = 2000

/** Bytes of a held answer: a refusal in words. */
export const HELD_BYTES_MAX = 64 * 1024

/** Milliseconds that an answer is to be held; 0 for almost all of them. */
export function readHold(text: string | readonly string[] | undefined): number {
  const ms = typeof text === 'string' && /^\d{1,5}$/.test(text) ? Number(text) : 0
  return Math.min(ms, HOLD_MS_MAX)
}
