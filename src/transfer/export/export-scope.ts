import type { ProjectId } from '../../contract/ids.ts'
import { int64Codec } from '../../query/sql/codec.ts'
import { scopedEvents } from '../../query/sql/events-table.ts'
import type { RunQuery } from '../../query/sql/run.ts'
import { column, select } from '../../query/sql/select.ts'
import { type Sql, sql } from '../../query/sql/sql.ts'
import { IN_EXPORT_ORDER, SELECT_COLUMNS, SELECT_FIELDS, SELECT_JSON } from './event-text.ts'

/** The events to export. */
export interface ExportScope {
  readonly projectId: ProjectId
  /** Milliseconds since the Unix epoch, inclusive. */
  readonly fromMs: number
  /** Milliseconds since the Unix epoch, exclusive. */
  readonly toMs: number
  readonly kinds: readonly string[] | undefined
}

/** The file format of an export. */
export type ExportFormat = 'jsonl' | 'csv' | 'parquet'

/** A part of an export that one statement writes; slices are in ascending order of time. */
export interface Slice {
  readonly fromMs: number
  readonly toMs: number
  /** Number of events when the export was planned. */
  readonly rows: number
}

/** Every time that an event may have. */
export const ALL_TIME = { fromMs: 0, toMs: Date.UTC(2106, 0, 1) } as const

const DAY_MS = 86_400_000

/**
 * Divides the scope into slices of whole UTC days with at most `sliceRows` events each, or one day each if the day has more:
 * the engine sorts a day in temporary files when it does not fit into memory. Days without events are left out.
 */
export async function planSlices(
  scope: ExportScope,
  how: { readonly run: RunQuery; readonly signal: AbortSignal; readonly sliceRows: number },
): Promise<readonly Slice[]> {
  const days = await how.run(
    select(
      {
        startMs: column(int64Codec, sql`toInt64(toUInt32(toDate(time))) * 86400000 AS day`),
        rows: column(int64Codec, sql`toInt64(count())`),
      },
      sql`${scopedEvents(scope)} GROUP BY day ORDER BY day`,
    ),
    how.signal,
  )
  const slices: Slice[] = []
  for (const { startMs, rows } of days) {
    const last = slices.at(-1)
    const day = { fromMs: Math.max(startMs, scope.fromMs), toMs: Math.min(startMs + DAY_MS, scope.toMs) }
    if (last === undefined || last.rows + rows > how.sliceRows) slices.push({ ...day, rows })
    else slices[slices.length - 1] = { fromMs: last.fromMs, toMs: day.toMs, rows: last.rows + rows }
  }
  return slices
}

/** The statement that returns the bytes of a slice. */
export function compileSlice(
  scope: ExportScope,
  {
    format,
    slice,
    isFirst,
  }: { readonly format: ExportFormat; readonly slice: Slice; readonly isFirst: boolean },
): Sql {
  const events = sql`${scopedEvents({ ...scope, fromMs: slice.fromMs, toMs: slice.toMs })} ${IN_EXPORT_ORDER}`
  switch (format) {
    case 'jsonl':
      return sql`${SELECT_JSON} ${events} FORMAT TSVRaw`
    case 'csv':
      return isFirst
        ? sql`${SELECT_FIELDS} ${events} FORMAT CSVWithNames`
        : sql`${SELECT_FIELDS} ${events} FORMAT CSV`
    case 'parquet':
      return sql`${SELECT_COLUMNS} ${events} FORMAT Parquet`
  }
}
