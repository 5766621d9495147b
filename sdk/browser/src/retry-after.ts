/** A service that names a later time is mistaken, or its clock is. */
const RETRY_AFTER_MS_MAX = 60 * 60_000

/** Milliseconds that an answer asks to wait, as seconds or as a date; 0 when it does not. */
export const parseRetryAfter = (text: string): number => {
  const waitMs = +text >= 0 ? +text * 1000 : Date.parse(text) - Date.now()
  return Math.min(Math.max(waitMs || 0, 0), RETRY_AFTER_MS_MAX)
}
