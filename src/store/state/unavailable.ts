/** A call that the store could not complete in time; the cause is for the log and contains no secret. */
export interface Unavailable {
  readonly status: 'unavailable'
  readonly cause: Error
}

/** The outcome of a call that failed with `error`. */
export function unavailable(error: unknown): Unavailable {
  return { status: 'unavailable', cause: error instanceof Error ? error : new Error(String(error)) }
}
