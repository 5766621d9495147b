import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type {
  QueryRealtimeRequest,
  QueryRealtimeResponseSchema,
} from '../../contract/gen/millrace/web/v1/realtime_pb.js'
import type { Condition } from '../../domain/insights/condition.ts'
import type { ProjectContext } from '../../domain/insights/insight-context.ts'
import { NOT_BOT } from '../insights/event-sql.ts'
import { int64Codec, stringCodec } from '../sql/codec.ts'
import { instant, scopedEvents } from '../sql/events-table.ts'
import { type CompiledQuery, column, type QueryRunner, select } from '../sql/select.ts'
import { param, type Sql, sql } from '../sql/sql.ts'
import { USER_KEY } from '../users/user-sql.ts'
import { onlyOfCohorts } from './visits-sql.ts'
import { parseCohorts } from './web-query.ts'

const MINUTE_MS = 60_000
const MINUTES = 30
const ONLINE_MS = 5 * MINUTE_MS

/** Time by which a client's clock may be ahead. */
const AHEAD_MS_MAX = 5 * MINUTE_MS

const ROWS_DEFAULT = 10

/** A request for the traffic of this moment. */
export interface RealtimeCall {
  readonly request: QueryRealtimeRequest
  readonly project: Pick<ProjectContext, 'projectId' | 'cohorts'>
  readonly nowMs: number
  readonly run: QueryRunner
}

/** The traffic of the last 30 minutes. Throws `invalid_argument` or `not_found`. */
export async function answerRealtime(
  call: RealtimeCall,
): Promise<MessageInitShape<typeof QueryRealtimeResponseSchema>> {
  const { request, project, run } = call
  const traffic = { ...call, cohorts: parseCohorts(request.cohorts, project.cohorts) }
  const [minutes, rows] = await Promise.all([run(compileMinutes(traffic)), run(compileLists(traffic))])
  const found = new Map(minutes.map((minute) => [minute.startMs, minute]))
  const list = (name: List): { value: string; visitors: bigint }[] =>
    rows
      .filter((row) => row.list === name)
      .map(({ value, visitors }) => ({ value, visitors: BigInt(visitors) }))
  return {
    visitors: list('online')[0]?.visitors ?? 0n,
    minutes: minuteStarts(call.nowMs).map((startMs) => {
      const { visitors = 0, events = 0, pageViews = 0 } = found.get(startMs) ?? {}
      const time = timestampFromMs(startMs)
      return { time, visitors: BigInt(visitors), events: BigInt(events), pageViews: BigInt(pageViews) }
    }),
    pages: list('page'),
    sources: list('source'),
    countries: list('country'),
  }
}

function minuteStarts(nowMs: number): readonly number[] {
  const lastMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  return Array.from({ length: MINUTES }, (_, index) => lastMs - (MINUTES - 1 - index) * MINUTE_MS)
}

/** The time at which the row's event counts: see the request message. */
const AT: Sql = sql`least(time, ingested)`

/** The events to measure. */
interface Traffic extends Pick<RealtimeCall, 'request' | 'project' | 'nowMs'> {
  /** Only events that meet it count; every event when absent. */
  readonly cohorts: Condition | undefined
}

/** `FROM events`: those that count since an instant. Reads no older events. */
function eventsSince({ request, project: { projectId }, nowMs, cohorts }: Traffic, fromMs: number): Sql {
  const toMs = nowMs + AHEAD_MS_MAX
  const ofCohorts = onlyOfCohorts(cohorts, { projectId, range: { fromMs, toMs } })
  const isNear = sql`time <= ingested + toIntervalMillisecond(${param(int64Codec, AHEAD_MS_MAX)})`
  const bots = request.includeBots ? sql`` : sql` AND ${NOT_BOT}`
  return sql`${scopedEvents({ projectId, fromMs, toMs })} AND ${isNear} AND ${AT} >= ${instant(fromMs)} AND ${AT} <= ${instant(nowMs)}${bots}${ofCohorts}`
}

function compileMinutes(traffic: Traffic) {
  const [fromMs = 0] = minuteStarts(traffic.nowMs)
  return select(
    {
      startMs: column(
        int64Codec,
        sql`toInt64(intDiv(toUnixTimestamp64Milli(${AT}), 60000) * 60000) AS minute`,
      ),
      visitors: column(int64Codec, sql`toInt64(uniqExact(${USER_KEY}))`),
      events: column(int64Codec, sql`toInt64(count())`),
      pageViews: column(int64Codec, sql`toInt64(countIf(kind = 'page_view'))`),
    },
    sql`${eventsSince(traffic, fromMs)} GROUP BY minute`,
  )
}

type List = 'online' | 'page' | 'source' | 'country'

interface ListRow {
  readonly list: string
  readonly value: string
  readonly visitors: number
}

/** One row for the number of visitors, and the rows of each list. */
function compileLists(traffic: Traffic): CompiledQuery<ListRow> {
  const { request, nowMs } = traffic
  const onlineSince = instant(nowMs - ONLINE_MS)
  const order = sql`(${AT}, event_id)`
  const users = sql`SELECT max(${AT}) AS last, argMaxIf(referrer_domain, ${order}, referrer_domain != '') AS source, argMaxIf(toString(country), ${order}, country != '') AS country, groupUniqArrayIf(pathname, kind = 'page_view' AND ${AT} > ${onlineSince}) AS pages ${eventsSince(traffic, nowMs - MINUTES * MINUTE_MS)} GROUP BY ${USER_KEY} HAVING last > ${onlineSince}`
  const entries = sql`SELECT arrayJoin(arrayConcat([('online', ''), ('source', source), ('country', country)], arrayMap(page -> ('page', page), pages))) AS entry FROM (${users})`
  return select(
    {
      list: column(stringCodec, sql`entry.1 AS list`),
      value: column(stringCodec, sql`entry.2 AS value`),
      visitors: column(int64Codec, sql`toInt64(count()) AS visitors`),
    },
    sql`FROM (${entries}) GROUP BY list, value ORDER BY list, visitors DESC, value LIMIT ${param(int64Codec, request.limit || ROWS_DEFAULT)} BY list`,
  )
}
