import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ImportedMetricsSchema } from '../../contract/gen/millrace/web/v1/imported_days_pb.js'
import { ImportedState } from '../../contract/gen/millrace/web/v1/imported_days_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { dateOf } from '../../domain/calendar.ts'
import type { BucketWidth } from '../../domain/insights/buckets.ts'
import { assert } from '../../kernel/assert.ts'
import { addSums, compileDays, type ImportedSums, toImportedMetrics } from '../imported/imported-numbers.ts'
import type { QueryRunner } from '../sql/select.ts'
import { findScope, type ImportedDaysOf } from './imported-selection.ts'
import type { BucketRange } from './web-query.ts'

type Metrics = MessageInitShape<typeof ImportedMetricsSchema>

/** The imported days of a range: in total, and by the start of their bucket. */
export interface ImportedOverview {
  readonly state: ImportedState
  readonly totals: Metrics | undefined
  readonly byBucket: ReadonlyMap<number, Metrics>
}

const NARROWER_THAN_DAYS: ReadonlySet<BucketWidth> = new Set([Granularity.MINUTE, Granularity.HOUR])

/** Adds up the imported days of a range. */
export async function readImportedOverview(
  imported: ImportedDaysOf,
  { range, width }: { readonly range: BucketRange; readonly width: BucketWidth },
  run: QueryRunner,
): Promise<ImportedOverview> {
  const found = findScope(imported, range)
  if (found.state !== ImportedState.INCLUDED)
    return { state: found.state, totals: undefined, byBucket: new Map() }
  const days = await run(compileDays(found.scope))
  const sums = addSums(days)
  const starts = NARROWER_THAN_DAYS.has(width) ? [] : range.starts
  return {
    state: found.state,
    totals: sums && toImportedMetrics(sums),
    byBucket: groupByBucket(days, starts, imported.timeZone),
  }
}

/** The days of each bucket, which are ascending like the buckets: a bucket has those from the date of its start up to that of the next. */
function groupByBucket(
  days: readonly (ImportedSums & { readonly day: string })[],
  starts: readonly number[],
  timeZone: string,
): ReadonlyMap<number, Metrics> {
  const dates = starts.map((start) => dateOf(start, timeZone))
  const byBucket = new Map<number, ImportedSums[]>()
  let bucket = -1
  for (const sums of days) {
    while ((dates[bucket + 1] ?? '9999') <= sums.day) bucket++
    const start = starts[bucket]
    if (start === undefined) continue
    const others = byBucket.get(start)
    if (others) others.push(sums)
    else byBucket.set(start, [sums])
  }
  return new Map([...byBucket].map(([start, parts]) => [start, metricsOf(parts)]))
}

function metricsOf(parts: readonly ImportedSums[]): Metrics {
  const sums = addSums(parts)
  assert(sums, 'a bucket has a day')
  return toImportedMetrics(sums)
}
