const RETRY_MS_MIN = 500
const RETRY_MS_MAX = 30_000

/**
 * Milliseconds to wait after so many failures in a row: twice as long each time, the last half of it at random so that clients
 * which failed together do not return together, and never less than the service asks for.
 */
export function retryDelayMs(failureCount: number, retryAfterMs: number, random = Math.random()): number {
  const backOffMs = Math.min(RETRY_MS_MIN * 2 ** (failureCount - 1), RETRY_MS_MAX)
  return Math.max(retryAfterMs, backOffMs * (0.5 + random / 2))
}
