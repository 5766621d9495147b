import type { ProjectId } from '../../contract/ids.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { int64Codec } from '../sql/codec.ts'
import { scopedEvents } from '../sql/events-table.ts'
import { type CompiledQuery, column, select } from '../sql/select.ts'
import { numbered, sql } from '../sql/sql.ts'

const DAY_MS = 24 * 3_600_000

const DAY = sql`toInt64(toUnixTimestamp(toDate(time))) * 1000`
const STATE = numbered('state', 0)

const COUNTS = {
  dayMs: column(int64Codec, sql`${DAY} AS day`),
  count: column(int64Codec, sql`toInt64(count())`),
}

/** The events of a day in UTC. */
export interface DayCount {
  readonly dayMs: number
  readonly count: number
}

/**
 * Counts the events of a project by day in UTC, copies once; days without events are absent. The range has whole days, so that their
 * counts can be kept. Arrivals by day would be cheaper to read, but include copies and erased events.
 */
export function compileUsage(projectId: ProjectId, range: RangeMs): CompiledQuery<DayCount> {
  const starts = startsOf(range)
  return {
    ...select(COUNTS, sql`${scopedEvents({ projectId, ...range })} GROUP BY day ORDER BY day`),
    days: {
      projectId,
      range,
      keys: [],
      buckets: { bucket: DAY, starts },
      states: [
        {
          column: 'numbers',
          stored: sql`CAST(count(), 'Nullable(Float64)')`,
          read: (stored) => sql`assumeNotNull(${stored})`,
        },
      ],
      events: ({ range: part, spans }) => scopedEvents({ projectId, ...part, spans }),
      over: (cells) =>
        sql`SELECT bucket, toInt64(sum(${STATE})) FROM (${cells}) GROUP BY bucket ORDER BY bucket`,
    },
  }
}

function startsOf({ fromMs, toMs }: RangeMs): readonly number[] {
  return Array.from({ length: Math.ceil((toMs - fromMs) / DAY_MS) }, (_, index) => fromMs + index * DAY_MS)
}

/** The calendar month of an instant in UTC. */
export function monthOf(ms: number): RangeMs {
  const date = new Date(ms)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { fromMs: Date.UTC(year, month, 1), toMs: Date.UTC(year, month + 1, 1) }
}

/** The range extended to whole days in UTC. */
export function toWholeDays({ fromMs, toMs }: RangeMs): RangeMs {
  return { fromMs: Math.floor(fromMs / DAY_MS) * DAY_MS, toMs: Math.ceil(toMs / DAY_MS) * DAY_MS }
}

/** Whether a range has the whole of another one. */
export function covers(outer: RangeMs, inner: RangeMs): boolean {
  return outer.fromMs <= inner.fromMs && outer.toMs >= inner.toMs
}
