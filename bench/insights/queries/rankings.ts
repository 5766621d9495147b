import type { BenchmarkQuery } from '../benchmark-query.ts'
import { canonicals, createRequest, events, SENT, USER, within } from './create-request.ts'

const PATHNAME = { dimension: 'DIMENSION_PROPERTY', property: '$pathname', scope: { kind: 'page_view' } }

/** Top values, users and countries. */
export const rankingQueries: readonly BenchmarkQuery[] = [
  {
    name: 'top/pathnames',
    request: createRequest({ insightType: 'TOP_K', topK: PATHNAME }),
    hand: `
      WITH counted AS (SELECT pathname, count() AS n ${events({ kinds: ['page_view'] })} GROUP BY pathname)
      SELECT if(place > 10, '$others', pathname) AS value, sum(n)
      FROM (SELECT pathname, n, row_number() OVER (ORDER BY n DESC, pathname) AS place FROM counted) GROUP BY value`,
    peers: [
      {
        peer: 'goService',
        sql: `
          WITH top AS (SELECT pathname FROM peer_go_service WHERE ${goPages()} GROUP BY pathname ORDER BY count() DESC, pathname LIMIT 10)
          SELECT if(pathname IN (SELECT pathname FROM top), pathname, '$others') AS value, count()
          FROM peer_go_service WHERE ${goPages()} GROUP BY value`,
        note: 'counts copies',
      },
      {
        peer: 'openpanel',
        sql: `SELECT path, count() AS n FROM peer_openpanel WHERE project_id = '1' AND name = 'page_view' AND ${within('created_at')}
          GROUP BY path ORDER BY n DESC LIMIT 10`,
        note: 'no others, counts copies',
      },
      {
        peer: 'umami',
        sql: `SELECT url_path, count() AS n FROM peer_umami
          WHERE website_id = '00000000-0000-0000-0000-000000000001' AND event_name = 'page_view' AND ${within('created_at')}
          GROUP BY url_path ORDER BY n DESC LIMIT 10`,
        note: 'no others, counts copies',
      },
    ],
  },
  {
    name: 'top/pathnames-by-users',
    request: createRequest({
      insightType: 'TOP_K',
      topK: { ...PATHNAME, metric: 'AGGREGATION_TYPE_UNIQUE_USERS' },
    }),
    hand: `
      SELECT if(place > 10, '$others', pathname) AS value, uniqExactArray(users) FROM (
        SELECT pathname, users, row_number() OVER (ORDER BY arrayUniq(users) DESC, pathname) AS place FROM (
          SELECT pathname, ${canonicals(SENT)} AS users ${events({ kinds: ['page_view'] })} WHERE NOT cookieless GROUP BY pathname))
      GROUP BY value`,
  },
  {
    name: 'top/users',
    request: createRequest({ insightType: 'TOP_K', topK: { dimension: 'DIMENSION_USER' } }),
    hand: `
      WITH top AS (
        SELECT if(external_id = '', id, external_id) AS shown, n, total FROM (
          SELECT user, id, n, sum(n) OVER () AS total FROM (
            SELECT ${USER} AS user, any(distinct_id) AS id, count() AS n ${events()} WHERE NOT cookieless GROUP BY user)
          ORDER BY n DESC LIMIT 10 WITH TIES) AS counted
        LEFT ANY JOIN (SELECT user_hash AS user, any(external_id) AS external_id FROM profiles WHERE project = 1 GROUP BY user) AS names
        USING user ORDER BY n DESC, shown LIMIT 10)
      SELECT row.1, row.2 FROM (SELECT arrayJoin(arrayPushBack(groupArray((shown, toInt64(n))), ('$others', toInt64(any(total) - sum(n))))) AS row FROM top)`,
  },
  {
    name: 'map/users',
    request: createRequest({ insightType: 'MAP', map: { metric: 'AGGREGATION_TYPE_UNIQUE_USERS' } }),
    hand: `SELECT country, arrayUniq(${canonicals(SENT)}) ${events()} WHERE NOT cookieless AND country != '' GROUP BY country`,
  },
]

function goPages(): string {
  return `project_id = 1 AND kind = 'page_view' AND ${within('occur_time')}`
}
