import type { ProjectId } from '../../contract/ids.ts'
import { dateOf } from '../../domain/calendar.ts'
import { NOT_BOT } from '../insights/event-sql.ts'
import { int64Codec } from '../sql/codec.ts'
import { ALL_TIME, scopedCopies, scopedEvents } from '../sql/events-table.ts'
import { column, type QueryRunner, select } from '../sql/select.ts'
import { sql } from '../sql/sql.ts'

const DAY_MS = 86_400_000

const TIME_MS = column(int64Codec, sql`toUnixTimestamp64Milli(time)`)
const FIRST_MS = column(int64Codec, sql`toUnixTimestamp64Milli(min(time))`)

/** Where a project's own page views are looked for. */
export interface OwnViews {
  readonly projectId: ProjectId
  readonly timeZone: string
}

/**
 * The day of the first page view of a project that no bot sent; `undefined` without one. Events are sorted by their day, so that
 * one of the first day is found without reading the others; that day then has the first one.
 */
export async function findOwnFirstDay(
  { projectId, timeZone }: OwnViews,
  run: QueryRunner,
): Promise<string | undefined> {
  const views = { projectId, kinds: ['page_view'] }
  const [some] = await run(
    select(
      { ms: TIME_MS },
      sql`${scopedCopies({ ...views, ...ALL_TIME }, NOT_BOT)} ORDER BY toDate(time) LIMIT 1`,
    ),
  )
  if (!some) return undefined
  const fromMs = Math.floor(some.ms / DAY_MS) * DAY_MS
  const day = { fromMs, toMs: fromMs + DAY_MS }
  const [first] = await run(
    select({ ms: FIRST_MS }, sql`${scopedEvents({ ...views, ...day })} AND ${NOT_BOT}`),
  )
  return dateOf(first?.ms ?? some.ms, timeZone)
}
