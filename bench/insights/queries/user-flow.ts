import type { BenchmarkQuery } from '../benchmark-query.ts'
import { createRequest, events, PLACE } from './create-request.ts'
import { FLOW_PEERS } from './peers/user-flow.ts'

const HOPS = 5

const LINKS = `arrayMap((depth, source, target) -> (toUInt8(depth - 1), source, target),
  arrayEnumerate(arrayPopFront(path)), arrayPopBack(path), arrayPopFront(path))`

/** Paths of kinds, which have no others, paths of pathnames, which are mostly others, and paths from one section of the site to another. */
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
  {
    name: 'user-flow/between-sections',
    request: createRequest({
      insightType: 'USER_FLOW',
      userFlow: {
        nodeKind: 'NODE_KIND_PROPERTY',
        nodeProperty: '$pathname',
        scope: { kind: 'page_view' },
        pathRules: [{ pattern: '^/([a-z]+)/.*$', replacement: '/\\1' }],
        startAt: { node: '/products' },
        endAt: { node: '/account' },
      },
    }),
    hand: sectionsByHand(),
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

/** Each value of a block is rewritten once. The part of a session from the first start to the first end after it counts. */
function sectionsByHand(): string {
  const sections = `['/products', '/journal', '/help', '/account', '/docs']`
  const section = `indexOf(${sections}, replaceRegexpAll(toLowCardinality(pathname), '^/([a-z]+)/.*$', '/\\\\1'))`
  const order = `bitOr(bitShiftLeft(${PLACE}, 16), toUInt128(${section}))`
  return `
    SELECT link.1 AS depth, ${sections}[link.2] AS source, ${sections}[link.3] AS target, count() AS sessions
    FROM (SELECT arrayJoin(${LINKS}) AS link FROM (
      SELECT arrayMap(x -> toUInt16(x % 65536), arraySort(groupArray(${order}))) AS labels, indexOf(labels, 1) AS first,
        arrayFirstIndex((x, place) -> x = 4 AND place > first, labels, arrayEnumerate(labels)) AS last,
        if(first = 0 OR last = 0, [], arraySlice(arrayCompact(arraySlice(labels, first, last - first + 1)), 1, ${HOPS + 1})) AS path
      ${events({ kinds: ['page_view'] })} WHERE NOT cookieless AND pathname != '' GROUP BY session_id))
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
