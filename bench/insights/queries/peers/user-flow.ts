import type { PeerSql } from '../../benchmark-query.ts'
import { within } from '../create-request.ts'
import { person, personsOf } from './users.ts'

const NODES = 6

/** As many links as the query requests, in its order. */
const CUT = 'ORDER BY sessions DESC, depth, source, target LIMIT 250'

/** Paths of kinds, five hops. */
export const FLOW_PEERS: readonly PeerSql[] = [
  {
    peer: 'goService',
    sql: `
      SELECT index - 1 AS depth, path[index] AS source, path[index + 1] AS target, count(DISTINCT session_id) AS sessions FROM (
        SELECT session_id, arraySlice(arrayCompact(arrayMap(x -> x.3, arraySort(groupArray((occur_time, event_id, kind))))), 1, ${NODES}) AS path
        FROM peer_go_service WHERE project_id = 1 AND ${within('occur_time')} AND NOT cookieless GROUP BY session_id)
      ARRAY JOIN range(1, length(path)) AS index GROUP BY depth, source, target ${CUT}`,
  },
  {
    peer: 'posthog',
    sql: `
      SELECT depth - 1 AS depth, source, target, count() AS sessions FROM (
        SELECT actor_id, path, arrayJoin(arrayMap((x, i) -> (i, x, path[i + 1]), arrayPopBack(path), arrayEnumerate(arrayPopBack(path)))) AS edge,
          edge.1 AS depth, edge.2 AS source, edge.3 AS target
        FROM (
          SELECT actor_id, arrayJoin(arraySplit((x, y) -> y, events, gaps)) AS part,
            arrayMap(x -> x.2, part) AS names,
            arraySlice(arrayMap((x, y) -> x, arrayFilter((x, y) -> y, names, arrayMap((x, p) -> x != p, names, arrayPushFront(arrayPopBack(names), ''))), arrayFilter(y -> y, arrayMap((x, p) -> x != p, names, arrayPushFront(arrayPopBack(names), '')))), 1, ${NODES}) AS path
          FROM (
            SELECT ${person('e')} AS actor_id, arraySort(groupArray((toUnixTimestamp(e.timestamp), e.event))) AS events,
              arrayMap((x, y) -> x.1 - y.1 > 1800, events, arrayPushFront(arrayPopBack(events), events[1])) AS gaps
            FROM ${personsOf('e')}
            WHERE e.team_id = 1 AND ${within('e.timestamp')} AND NOT e.cookieless GROUP BY actor_id)))
      GROUP BY depth, source, target ${CUT}`,
    note: 'sessions are cut by persons and gaps, in seconds',
  },
  {
    peer: 'openpanel',
    sql: `
      SELECT pair.1 - 1 AS depth, pair.2 AS source, pair.3 AS target, count() AS sessions FROM (
        SELECT session_id, arraySlice(arrayFilter((x, i) -> i = 1 OR x != names[i - 1], names, arrayEnumerate(names)), 1, ${NODES}) AS path,
          arrayJoin(arrayMap(i -> (i, path[i], path[i + 1]), range(1, length(path)))) AS pair
        FROM (SELECT session_id, groupArray(name) AS names FROM (
          SELECT session_id, name, created_at FROM peer_openpanel
          WHERE project_id = '1' AND ${within('created_at')} AND NOT cookieless ORDER BY session_id, created_at)
          GROUP BY session_id))
      GROUP BY depth, source, target ${CUT}`,
    note: 'ties in any order',
  },
  {
    peer: 'umami',
    sql: `
      SELECT pair.1 AS depth, pair.2 AS source, pair.3 AS target, sum(visits) AS sessions FROM (
        SELECT ${journey((n) => `e${n}`)}, count() AS visits FROM (
          SELECT visit_id, ${journey((n) => `max(if(number = ${n}, event_name, NULL)) AS e${n}`)}
          FROM (SELECT visit_id, event_name, row_number() OVER (PARTITION BY visit_id ORDER BY created_at) AS number
            FROM peer_umami WHERE website_id = '00000000-0000-0000-0000-000000000001' AND ${within('created_at')} AND NOT cookieless)
          WHERE number <= ${NODES} GROUP BY visit_id)
        GROUP BY ${journey((n) => `e${n}`)})
      ARRAY JOIN arrayFilter(x -> isNotNull(x.3), [${pairs()}]) AS pair
      GROUP BY depth, source, target ${CUT}`,
    note: 'equal neighbours stay apart',
  },
  {
    peer: 'swetrix',
    sql: `
      SELECT 'whole paths', sum(sessions) FROM (
        SELECT path, count() AS sessions FROM (
          SELECT psid, arrayMap(x -> x.2, arrayCompact(x -> x.2, groupArraySorted(${NODES})((created, value)))) AS path
          FROM peer_swetrix WHERE pid = 'project00001' AND ${within('created')} AND NOT cookieless GROUP BY psid)
        GROUP BY path ORDER BY sessions DESC LIMIT 250)`,
    note: 'ranks whole paths',
  },
]

function journey(column: (n: number) => string): string {
  return Array.from({ length: NODES }, (_, index) => column(index + 1)).join(', ')
}

function pairs(): string {
  return Array.from({ length: NODES - 1 }, (_, index) => `(${index}, e${index + 1}, e${index + 2})`).join(
    ', ',
  )
}
