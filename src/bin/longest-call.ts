import type { Settings } from '../kernel/settings.ts'

/** Queries that one call may wait for, one after the other: those of a dashboard wait for each other. */
const QUERIES_PER_CALL = 2

/** How long a call of the query process may take; who waits for it waits a little longer. */
export function longestCallSeconds({ queryTimeoutSeconds }: Pick<Settings, 'queryTimeoutSeconds'>): number {
  return queryTimeoutSeconds * QUERIES_PER_CALL
}
