import type { RetentionCohort } from '@contract/shared/insights/v1/query_result_pb.js'
import { type BucketWidth, findIncomplete, widthOfBuckets } from '@domain/charts/buckets.ts'

/** A cell of the heat map. */
export interface RetentionCell {
  readonly period: number
  /** Percent of the cohort. */
  readonly percent: number
  /** Whether the period is over: others are left out of averages. */
  readonly isComplete: boolean
}

/** A row of the heat map. */
export interface RetentionRow {
  readonly cohort: string
  readonly startMs: number
  readonly people: number
  readonly cells: readonly RetentionCell[]
}

/** A retention table, ready to be drawn. */
export interface RetentionModel {
  readonly width: BucketWidth
  readonly rows: readonly RetentionRow[]
  readonly people: number
  /** The average of each period, weighted by people; `undefined` where no period is over. */
  readonly averages: readonly (number | undefined)[]
  /** The highest percentage after period 0, which the colours are relative to. */
  readonly percentMax: number
  readonly hasIncomplete: boolean
}

/** Prepares the cohorts of one breakdown value for drawing. */
export function retentionModel(
  cohorts: readonly RetentionCohort[],
  {
    nowMs,
    timeZone,
    isElapsed = false,
  }: {
    readonly nowMs: number
    readonly timeZone: string
    /** Whether periods are counted from the start event of each person. */
    readonly isElapsed?: boolean
  },
): RetentionModel {
  const starts = cohorts.map(({ cohort }) => Date.parse(cohort))
  const width = widthOfBuckets(starts)
  const incomplete = findIncomplete(starts, { width, timeZone, nowMs })
  // People start until the end of their bucket, so that the last of them have an elapsed period one bucket later.
  const isComplete = (bucket: number): boolean =>
    isElapsed ? bucket + 1 < (incomplete ?? starts.length) : bucket !== incomplete
  const rows = cohorts.map(
    ({ cohort, cohortSize, points }, at): RetentionRow => ({
      cohort,
      startMs: starts[at] ?? 0,
      people: cohortSize,
      cells: points.map(({ value }, period) => ({
        period,
        percent: value,
        isComplete: isComplete(at + period),
      })),
    }),
  )
  const periods = Math.max(0, ...rows.map(({ cells }) => cells.length))
  const later = rows.flatMap(({ cells }) => cells.slice(1).map(({ percent }) => percent))
  return {
    width,
    rows,
    people: rows.reduce((sum, { people }) => sum + people, 0),
    averages: Array.from({ length: periods }, (_, period) => averageOf(rows, { period, isElapsed })),
    percentMax: later.reduce((max, percent) => Math.max(max, percent), 0),
    hasIncomplete: rows.length > 1 && rows.some(({ cells }) => cells.some((cell) => !cell.isComplete)),
  }
}

/** Percent of all people whose period is over. */
function averageOf(
  rows: readonly RetentionRow[],
  { period, isElapsed }: { readonly period: number; readonly isElapsed: boolean },
): number | undefined {
  let [people, returned] = [0, 0]
  for (const { people: size, cells } of rows) {
    const cell = cells[period]
    if (!cell || !(cell.isComplete || (period === 0 && !isElapsed))) continue
    people += size
    returned += cell.percent * size
  }
  return people > 0 ? returned / people : undefined
}

/** People of a cohort who came back. */
export function returnedPeople(
  { people }: Pick<RetentionRow, 'people'>,
  { percent }: Pick<RetentionCell, 'percent'>,
): number {
  return Math.round((percent / 100) * people)
}
