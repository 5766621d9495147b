import type { BenchmarkQuery } from '../benchmark-query.ts'
import { createRequest, events, PLACE } from './create-request.ts'
import { FLOW_PEERS } from './peers/user-flow.ts'

const HOPS = 5

const LINKS = `arrayMap((depth, source, target) -> (toUInt8(depth - 1), source, target),
  arrayEnumerate(arrayPopFront(path)), arrayPopBack(path), arrayPopFront(path))`

/** Paths of kinds, which have no others, and paths of pathnames, which are mostly others. */
export const userFlowQueries: readonly BenchmarkQuery[] = [
  {
    name: 'user-flow/kinds',
    request: createRequest({ insightType: 'USER_FLOW', userFlow: { nodeKind: 'NODE_KIND_EVENT_KIND' } }),
    hand: kindsByHand(),
    peers: FLOW_PEERS,
  },
  {
    name: 'user-flow/pathnames',
    request: createRequest({
      insightType: 'USER_FLOW',
      userFlow: { nodeKind: 'NODE_KIND_PROPERTY', nodeProperty: '$pathname', scope: { kind: 'page_view' } },
    }),
    hand: pathnamesByHand(),
  },
]

/**
 * Sessions as sorted numbers of 128 bits: milliseconds (48), the first bits of the id (64, which break ties), and the
 * label in the last 16.
 */
function paths(label: string, rest: string): string {
  const order = `bitShiftLeft(${PLACE}, 16)`
  return `
    SELECT arraySlice(arrayCompact(arrayMap(x -> toUInt16(x % 65536), arraySort(groupArray(bitOr(${order}, toUInt128(${label})))))), 1, ${HOPS + 1}) AS path
    ${rest} GROUP BY session_id`
}

function kindsByHand(): string {
  const kinds = `['page_view', 'click', 'search', 'add_to_cart', 'login', 'video_play', 'checkout', 'purchase', 'signup', 'share', 'error', 'invite']`
  return `
    SELECT link.1 AS depth, ${kinds}[link.2] AS source, ${kinds}[link.3] AS target, count() AS sessions
    FROM (SELECT arrayJoin(${LINKS}) AS link FROM (${paths(`indexOf(${kinds}, kind)`, `${events()} WHERE NOT cookieless`)}))
    GROUP BY depth, source, target ORDER BY sessions DESC, depth, source, target LIMIT 250`
}

/** Pathnames are numbered first, which takes a scan of that column. */
function pathnamesByHand(): string {
  const rows = `${events({ kinds: ['page_view'] })} WHERE NOT cookieless`
  return `
    WITH names AS (SELECT groupUniqArray(pathname) AS list FROM (SELECT DISTINCT pathname ${rows})),
      sessions AS (${paths(`transform(pathname, (SELECT list FROM names), range(1, 1 + length((SELECT list FROM names))), 0)`, `${rows} AND pathname != ''`)}),
      top AS (SELECT groupArray(label) AS labels FROM (
        SELECT label FROM (SELECT arrayJoin(arrayDistinct(path)) AS label FROM sessions)
        GROUP BY label ORDER BY count() DESC, (SELECT list FROM names)[label] LIMIT 20)),
      kept AS (SELECT arrayMap(x -> if(has((SELECT labels FROM top), x), x, 0), path) AS path FROM sessions)
    SELECT link.1 AS depth, if(link.2 = 0, '$others', (SELECT list FROM names)[link.2]) AS source,
      if(link.3 = 0, '$others', (SELECT list FROM names)[link.3]) AS target, count() AS sessions
    FROM (SELECT arrayJoin(${LINKS}) AS link FROM kept)
    GROUP BY depth, source, target ORDER BY sessions DESC, depth, source, target LIMIT 250`
}
