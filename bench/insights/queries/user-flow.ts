import type { BenchmarkQuery } from '../benchmark-query.ts'
import { copies, createRequest, events, WHOLE_PLACE } from './create-request.ts'
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
 * The labels of a session in its order, which the whole id of an event decides within a millisecond: numbers of 256 bits, the label in
 * the last 64. Half of an id would fit into 128 with a short label, and would be wrong where two ids begin alike.
 */
function labelsOf(label: string): string {
  return `arrayMap(x -> toUInt64(x), arraySort(groupArray(${WHOLE_PLACE} * toUInt256('${2n ** 64n}') + ${label})))`
}

function path(labels: string): string {
  return `arraySlice(arrayCompact(${labels}), 1, ${HOPS + 1})`
}

/** The links of `SELECT path ...` between labels that are numbers, with the text of each. */
function links(paths: string, textOf: (label: string) => string): string {
  return `
    SELECT link.1 AS depth, ${textOf('link.2')} AS source, ${textOf('link.3')} AS target, count() AS sessions
    FROM (SELECT arrayJoin(${LINKS}) AS link FROM (${paths}))
    GROUP BY depth, source, target ORDER BY sessions DESC, depth, source, target LIMIT 250`
}

/** The texts, which no statement knows beforehand, and their hashes. Copies have no other texts, so they may stay. */
function hashed(texts: string): string {
  return `(SELECT (groupArray(text), groupArray(sipHash64(text))) FROM (${texts})) AS names`
}

function textOfHash(hash: string): string {
  return `transform(${hash}, names.2, names.1, '')`
}

function kindsByHand(): string {
  const paths = `SELECT ${path(labelsOf('sipHash64(kind)'))} AS path ${events()} WHERE NOT cookieless GROUP BY session_id`
  return `WITH ${hashed(`SELECT toString(kind) AS text ${copies()} GROUP BY text`)} ${links(paths, textOfHash)}`
}

/** Each value of a block is rewritten once. The part of a session from the first start to the first end after it counts. */
function sectionsByHand(): string {
  const section = (value: string) => `replaceRegexpAll(${value}, '^/([a-z]+)/.*$', '/\\\\1')`
  const values = `SELECT pathname ${copies({ kinds: ['page_view'] })} GROUP BY pathname`
  const paths = `
    SELECT ${labelsOf(`sipHash64(${section('toLowCardinality(pathname)')})`)} AS labels, indexOf(labels, sipHash64('/products')) AS first,
      arrayFirstIndex((x, place) -> x = sipHash64('/account') AND place > first, labels, arrayEnumerate(labels)) AS last,
      if(first = 0 OR last = 0, [], ${path('arraySlice(labels, first, last - first + 1)')}) AS path
    ${events({ kinds: ['page_view'] })} WHERE NOT cookieless AND pathname != '' GROUP BY session_id`
  return `WITH ${hashed(`SELECT DISTINCT ${section('pathname')} AS text FROM (${values})`)} ${links(paths, textOfHash)}`
}

/** Pathnames are numbered first. The rest has the number 0. */
function pathnamesByHand(): string {
  const number = 'transform(pathname, names, range(1, 1 + length(names)), 0)'
  const rows = `${events({ kinds: ['page_view'] })} WHERE NOT cookieless AND pathname != ''`
  const kept = 'SELECT arrayMap(x -> if(has((SELECT labels FROM top), x), x, 0), path) AS path FROM sessions'
  return `
    WITH (SELECT groupArray(pathname) FROM (SELECT pathname ${copies({ kinds: ['page_view'] })} GROUP BY pathname)) AS names,
      sessions AS (SELECT ${path(labelsOf(number))} AS path ${rows} GROUP BY session_id),
      top AS (SELECT groupArray(label) AS labels FROM (
        SELECT label FROM (SELECT arrayJoin(arrayDistinct(path)) AS label FROM sessions)
        GROUP BY label ORDER BY count() DESC, names[label] LIMIT 20))
    ${links(kept, (label) => `if(${label} = 0, '$others', names[${label}])`)}`
}
