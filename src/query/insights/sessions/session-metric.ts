import { SessionMetric } from '../../../contract/gen/shared/insights/v1/session_query_pb.js'
import type { KnownSessionMetric } from '../../../domain/insights/sessions.ts'
import { type Sql, sql } from '../../sql/sql.ts'

/** An aggregation of sessions into a number. */
export interface SessionMetricSql {
  /** Whether events after the range matter, or only whether the session began in the range. */
  readonly needs: 'start' | 'whole'
  /** One session's contribution, over its events: an integer. */
  readonly part: Sql
  /** The same, over its row of visits. */
  readonly partOfRow: Sql
  /**
   * Computes the metric (a double, 0 over no sessions) from the number of sessions and the sum of their contributions.
   */
  readonly value: (count: Sql, sum: Sql) => Sql
}

const COUNTED: SessionMetricSql = {
  needs: 'start',
  part: sql`0`,
  partOfRow: sql`0`,
  value: (count) => sql`toFloat64(${count})`,
}

const EVENT_COUNT = sql`toInt64(count())`

/** Every metric as SQL. */
export const SESSION_METRICS = {
  [SessionMetric.SESSIONS]: COUNTED,
  [SessionMetric.AVG_DURATION]: {
    needs: 'whole',
    part: sql`toUnixTimestamp64Milli(max(time)) - toUnixTimestamp64Milli(min(time))`,
    partOfRow: sql`toInt64(spent)`,
    value: (count, sum) => ratio(sum, sql`${count} * 1000`),
  },
  [SessionMetric.BOUNCE_RATE]: {
    needs: 'whole',
    part: sql`toInt64(count() = 1)`,
    partOfRow: sql`toInt64(event_count = 1)`,
    value: (count, sum) => ratio(sql`${sum} * 100`, count),
  },
  [SessionMetric.ENTRY]: COUNTED,
  [SessionMetric.EXIT]: { ...COUNTED, needs: 'whole' },
  [SessionMetric.AVG_EVENTS_PER_SESSION]: {
    needs: 'whole',
    part: EVENT_COUNT,
    partOfRow: sql`toInt64(event_count)`,
    value: (count, sum) => ratio(sum, count),
  },
} as const satisfies Record<KnownSessionMetric, SessionMetricSql>

function ratio(part: Sql, whole: Sql): Sql {
  return sql`if(${whole} = 0, 0., (${part}) / (${whole}))`
}
