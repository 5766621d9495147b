import type { PeerSql } from '../../benchmark-query.ts'
import { within } from '../create-request.ts'

/** How peers count the users of the whole range, merged ids as one. */
export const USERS_PEERS: readonly PeerSql[] = [
  {
    peer: 'posthog',
    sql: `SELECT 'total', count(DISTINCT ${person('e')}) FROM ${personsOf('e')} WHERE e.team_id = 1 AND ${within('e.timestamp')}
      AND NOT e.cookieless`,
  },
  {
    peer: 'goService',
    sql: `SELECT 'total', uniq(if(notEmpty(aliases.external_id), aliases.external_id, e.distinct_id))
      FROM peer_go_service AS e LEFT ANY JOIN (
        SELECT alias, argMax(external_id, version) AS external_id FROM peer_go_service_aliases
        WHERE project_id = 1 GROUP BY alias
      ) AS aliases ON e.distinct_id = aliases.alias
      WHERE e.project_id = 1 AND ${within('e.occur_time')} AND NOT e.cookieless`,
    note: 'approximate',
  },
  {
    peer: 'openpanel',
    sql: `SELECT 'total', uniq(profile_id) FROM peer_openpanel
      WHERE project_id = '1' AND ${within('created_at')} AND NOT cookieless`,
    note: 'approximate, no merged users',
  },
]

/** PostHog's person of an event: that of the override where there is one. */
export function person(alias: string): string {
  return `if(notEmpty(overrides.distinct_id), overrides.person_id, ${alias}.person_id)`
}

/** PostHog's events with the persons that were merged since. */
export function personsOf(alias: string): string {
  return `peer_posthog AS ${alias} LEFT OUTER JOIN (
    SELECT argMax(person_id, version) AS person_id, distinct_id FROM peer_posthog_overrides
    WHERE team_id = 1 GROUP BY distinct_id
  ) AS overrides ON ${alias}.distinct_id = overrides.distinct_id`
}
