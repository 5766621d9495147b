import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Duration } from '@bufbuild/protobuf/wkt'
import type { StepTimingSchema } from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import { float64Codec, int64ArrayCodec, int64Codec } from '../../sql/codec.ts'
import { type Column, column } from '../../sql/select.ts'
import { join, param, type Sql, sql } from '../../sql/sql.ts'
import { PERCENTILE_LEVELS } from '../percentiles.ts'

/** Timing statistics of one step. */
export interface StepTimes {
  readonly meanMs: number
  /** The lower and upper median, and the 95th percentile; the medians are equal for an odd number of times. */
  readonly orderedMs: readonly number[]
  /** Number of times below each upper bound. */
  readonly below: readonly number[]
}

const BUCKETS = [
  { label: '0-30s', upperSeconds: 30 },
  { label: '30s-2m', upperSeconds: 120 },
  { label: '2-5m', upperSeconds: 300 },
  { label: '5-15m', upperSeconds: 900 },
  { label: '15-60m', upperSeconds: 3600 },
  { label: '1-6h', upperSeconds: 21_600 },
  { label: '6-24h', upperSeconds: 86_400 },
] as const

const LAST_LABEL = '24h+'

/** The lower and the upper median, and the 95th percentile. */
const LEVELS = sql`${PERCENTILE_LEVELS.median}, ${PERCENTILE_LEVELS.p95}`

/** Aggregates of `delta` that {@link mergedTimes} merges: `AS total, AS ordered, AS below`. */
export function timesOfCell(): Sql {
  const below = BUCKETS.map(
    ({ upperSeconds }) => sql`countIf(delta < ${param(int64Codec, upperSeconds * 1000)})`,
  )
  return sql`sum(delta) AS total, quantilesExactState(${LEVELS})(delta) AS ordered, [${join(below, sql`, `)}] AS below`
}

/** The merged columns of all cells of a group; `users`, `total`, `ordered` and `below` locate them in a cell. */
export function mergedTimes(cell: {
  readonly users: Sql
  readonly total: Sql
  readonly ordered: Sql
  readonly below: Sql
}): { readonly [Name in keyof StepTimes]: Column<StepTimes[Name]> } {
  return {
    meanMs: column(float64Codec, sql`sum(${cell.total}) / sum(${cell.users})`),
    orderedMs: column(int64ArrayCodec, sql`quantilesExactMerge(${LEVELS})(${cell.ordered})`),
    below: column(int64ArrayCodec, sql`sumForEach(${cell.below})`),
  }
}

/** The timing of a step; all zero for a step that no user completed. */
export function shapeTiming(
  step: (Partial<StepTimes> & { readonly users: number }) | undefined,
): MessageInitShape<typeof StepTimingSchema> {
  const below = [0, ...BUCKETS.map((_, index) => step?.below?.[index] ?? 0), step?.users ?? 0]
  const counts = below.slice(1).map((count, index) => BigInt(count - (below[index] ?? 0)))
  return {
    ...shapeStatistics(step),
    distribution: [
      ...BUCKETS.map(({ label, upperSeconds }, index) => ({
        label,
        upperBound: toDuration(upperSeconds * 1000),
        count: counts[index] ?? 0n,
      })),
      { label: LAST_LABEL, count: counts.at(-1) ?? 0n },
    ],
  }
}

/** Mean, median and 95th percentile; all zero without times. */
export function shapeStatistics(
  times: Partial<StepTimes> | undefined,
): Record<'avg' | 'median' | 'p95', Pick<Duration, 'seconds' | 'nanos'>> {
  const [lower = 0, upper = 0, p95 = 0] = times?.orderedMs ?? []
  return {
    avg: toDuration(times?.meanMs ?? 0),
    median: toDuration((lower + upper) / 2),
    p95: toDuration(p95),
  }
}

/** A duration in fractional milliseconds, to the nanosecond. */
export function toDuration(ms: number): Pick<Duration, 'seconds' | 'nanos'> {
  const seconds = Math.floor(ms / 1000)
  const nanos = Math.round((ms - seconds * 1000) * 1e6)
  return nanos < 1e9 ? { seconds: BigInt(seconds), nanos } : { seconds: BigInt(seconds + 1), nanos: 0 }
}
