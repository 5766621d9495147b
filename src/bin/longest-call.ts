import type { Settings } from '../settings/settings.ts'

type TimeSettings = Pick<Settings, 'queryTimeoutSeconds'>

/** A client that waits longer for its turn is better told to come again. */
export const TURN_SECONDS_MAX = 15

/** How long a dashboard may take, whose questions wait for each other. */
export function dashboardSeconds({ queryTimeoutSeconds }: TimeSettings): number {
  return queryTimeoutSeconds * 2
}

/** How long a call of the query process may take; who waits for it waits a little longer. */
export function longestCallSeconds(settings: TimeSettings): number {
  return Math.max(TURN_SECONDS_MAX + settings.queryTimeoutSeconds, dashboardSeconds(settings))
}
