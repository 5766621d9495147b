import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { ImportedState } from '../../contract/gen/millrace/web/v1/imported_days_pb.js'
import type {
  QueryOverviewResponseSchema,
  WebPointSchema,
} from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import type { Goal } from '../goals/goal-store.ts'
import { requireGoals, type VisitSearch } from './find-visits.ts'
import { type ImportedOverview, readImportedOverview } from './imported-overview.ts'
import type { ImportedDaysOf } from './imported-selection.ts'
import type { VisitReading } from './visit-scans.ts'
import { NO_VISITS, toMetrics, type VisitTotals } from './web-metrics.ts'
import type { BucketRange, OverviewQuery } from './web-query.ts'

/** What answers an overview. */
export interface OverviewReading extends VisitReading {
  /** The imported days of the project; none when absent. */
  readonly imported?: ImportedDaysOf | undefined
}

/** Measures the visits of a range, and of the range to compare with. Throws `not_found` for an unknown goal. */
export async function answerOverview(
  { selection, width, main, compared }: OverviewQuery,
  goals: readonly Goal[],
  reading: OverviewReading,
): Promise<MessageInitShape<typeof QueryOverviewResponseSchema>> {
  const search = { selection, goals }
  requireGoals(search)
  const readImported = async (range: BucketRange): Promise<ImportedOverview | undefined> =>
    reading.imported && (await readImportedOverview(reading.imported, { range, width }, reading.run))
  const [own, other, imported, importedOther] = await Promise.all([
    measure(search, main, reading),
    compared && measure(search, compared, reading),
    readImported(main),
    compared && readImported(compared),
  ])
  return {
    totals: toMetrics(own.total),
    points: withImported(own.points, imported),
    ...(other
      ? {
          comparisonTotals: toMetrics(other.total),
          comparisonPoints: withImported(other.points, importedOther),
        }
      : {}),
    ...importedFields(imported, importedOther),
  }
}

type PointInit = Exclude<MessageInitShape<typeof WebPointSchema>, { $typeName: string }>

interface Point extends PointInit {
  readonly startMs: number
}

function withImported(
  points: readonly Point[],
  imported: ImportedOverview | undefined,
): MessageInitShape<typeof WebPointSchema>[] {
  return points.map(({ startMs, ...point }) => {
    const metrics = imported?.byBucket.get(startMs)
    return metrics ? { ...point, imported: metrics } : point
  })
}

/** One of the ranges may have imported days without the other. */
function importedFields(main: ImportedOverview | undefined, compared: ImportedOverview | undefined) {
  return {
    importedState: main?.state || compared?.state || ImportedState.UNSPECIFIED,
    ...(main?.totals ? { importedTotals: main.totals } : {}),
    ...(compared?.totals ? { importedComparisonTotals: compared.totals } : {}),
  }
}

async function measure(
  search: VisitSearch,
  range: BucketRange,
  { run, scans }: VisitReading,
): Promise<{
  readonly total: VisitTotals
  readonly points: readonly Point[]
}> {
  // In one scan, because visitors of buckets do not add up.
  const part = { by: 'bucket', starts: range.starts } as const
  const { whole, rows } = await scans.ask({ search, range, part }, run)
  const byBucket = new Map(rows.map((row) => [Number(row.key), row]))
  return {
    total: whole ?? NO_VISITS,
    points: range.starts.map((start) => ({
      startMs: start,
      time: timestampFromMs(start),
      metrics: toMetrics(byBucket.get(start) ?? NO_VISITS),
    })),
  }
}
