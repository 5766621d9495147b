import type { ProjectId } from '../../contract/ids.ts'
import { WARNINGS_LISTED_MAX } from '../../contract/ingestion-warnings.ts'
import { bigintCodec, int64Codec, stringArrayCodec, stringCodec } from '../sql/codec.ts'
import { instant } from '../sql/events-table.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { type CompiledQuery, column, type Row, select } from '../sql/select.ts'
import { param, type Sql, sql } from '../sql/sql.ts'

/** The warnings to read. */
export interface WarningsQuery {
  readonly projectId: ProjectId
  /** The first hour, in milliseconds since the Unix epoch. */
  readonly fromMs: number
  /** Absent means every one. */
  readonly dialects?: readonly string[] | undefined
  /** Absent means every one. */
  readonly reasons?: readonly string[] | undefined
}

const COLUMNS = {
  dialect: column(stringCodec, sql`toString(dialect)`),
  reason: column(stringCodec, sql`toString(reason)`),
  sdk: column(stringCodec, sql`sdk`),
  sdkVersion: column(stringCodec, sql`sdk_version`),
  count: column(bigintCodec, sql`toInt64(sum(counted))`),
  firstMs: column(int64Codec, sql`toUnixTimestamp64Milli(min(began))`),
  lastMs: column(int64Codec, sql`toUnixTimestamp64Milli(max(ended))`),
  sample: column(stringCodec, sql`argMaxIf(example, ended, example != '')`),
}

/** A warning of a period. */
export type FoundWarning = Row<typeof COLUMNS>

/** The warnings of a project, those seen last first. The greatest count of a writer and hour is its count. */
export function compileWarnings({
  projectId,
  fromMs,
  dialects,
  reasons,
}: WarningsQuery): CompiledQuery<FoundWarning> {
  const asked = sql`${isOneOf(sql`dialect`, dialects)}${isOneOf(sql`reason`, reasons)}`
  const hours = sql`SELECT dialect, reason, sdk, sdk_version, hour, writer, max(count) AS counted, min(first) AS began, max(last) AS ended, max(sample) AS example ${scopedTable('ingestion_warnings', projectId)} AND hour >= ${instant(fromMs)}${asked} GROUP BY dialect, reason, sdk, sdk_version, hour, writer`
  return select(
    COLUMNS,
    sql`FROM (${hours}) GROUP BY dialect, reason, sdk, sdk_version ORDER BY max(ended) DESC, dialect, reason, sdk, sdk_version LIMIT ${param(int64Codec, WARNINGS_LISTED_MAX)}`,
  )
}

function isOneOf(name: Sql, values: readonly string[] | undefined): Sql {
  return values ? sql` AND ${name} IN ${param(stringArrayCodec, values)}` : sql``
}
