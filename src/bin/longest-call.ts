import type { Settings } from '../settings/settings.ts'

type TimeSettings = Pick<Settings, 'queryTimeoutSeconds'>

/** Longest wait in the queue before a client is told to retry. */
export const TURN_SECONDS_MAX = 15

/** Deadline of a dashboard, whose queries queue behind each other. */
export function dashboardSeconds({ queryTimeoutSeconds }: TimeSettings): number {
  return queryTimeoutSeconds * 2
}

/** Deadline of a call to the query process; callers wait slightly longer. */
export function longestCallSeconds(settings: TimeSettings): number {
  return Math.max(TURN_SECONDS_MAX + settings.queryTimeoutSeconds, dashboardSeconds(settings))
}
