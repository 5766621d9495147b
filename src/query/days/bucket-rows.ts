import { LRUCache } from 'lru-cache'
import type { DayCells } from '../sql/day-cells.ts'
import type { Span } from '../sql/spans.ts'
import { render, sql } from '../sql/sql.ts'
import type { DayPlan } from './plan-days.ts'

/** Memory for rows, and about what one of them takes. */
const ROWS_BYTES_MAX = 16 * 1024 * 1024
const ROW_BYTES = 200

/** The row of a bucket; none where it has no events. */
interface BucketRow {
  /** What it was made from: the fills of all spans of the bucket. */
  readonly source: string
  readonly row: unknown
}

/** The buckets of a question by their starts: the fills of all of their spans, or nothing where events have to be read. */
export type BucketSources = ReadonlyMap<number, string | undefined>

/** Finds the fills from which each bucket is made: a fill never changes, so that the row of a bucket is the same as long as they are. */
export function sourcesOf(
  { buckets }: DayCells,
  { kept, others }: Pick<DayPlan, 'kept' | 'others'>,
): BucketSources {
  const starts = buckets?.starts ?? []
  const sources = new Map<number, string | undefined>()
  for (const { day, hour, fill, ...span } of kept) {
    for (const start of startsIn(span, starts))
      sources.set(start, `${sources.get(start) ?? ''}${day} ${hour} ${fill},`)
  }
  for (const span of others) {
    for (const start of startsIn(span, starts)) sources.set(start, undefined)
  }
  return sources
}

/** The part of a plan without the spans that have known buckets only. */
export function planOthers(
  { buckets }: DayCells,
  { kept, others }: Pick<DayPlan, 'kept' | 'others'>,
  isKnown: (start: number) => boolean,
): Pick<DayPlan, 'kept' | 'others'> {
  const starts = buckets?.starts ?? []
  const isNeeded = (span: Pick<Span, 'fromMs' | 'toMs'>): boolean =>
    startsIn(span, starts).some((start) => !isKnown(start))
  return { kept: kept.filter(isNeeded), others: others.filter(isNeeded) }
}

/** The starts of the buckets of which a span has a part. */
function startsIn(
  { fromMs, toMs }: Pick<Span, 'fromMs' | 'toMs'>,
  starts: readonly number[],
): readonly number[] {
  const first = Math.max(
    0,
    starts.findLastIndex((start) => start <= fromMs),
  )
  const after = starts.findIndex((start) => start >= toMs)
  return starts.slice(first, after < 0 ? starts.length : after)
}

/** Rows of buckets of questions, in memory. */
export class BucketRows {
  readonly #rows = new LRUCache<string, ReadonlyMap<number, BucketRow>>({ maxSize: ROWS_BYTES_MAX })

  /** The rows that were made from the same fills, by the starts of their buckets. */
  find(question: string, sources: BucketSources): ReadonlyMap<number, unknown> {
    const rows = this.#rows.get(question) ?? new Map<number, BucketRow>()
    return new Map(
      [...rows].flatMap(([start, { source, row }]) => (sources.get(start) === source ? [[start, row]] : [])),
    )
  }

  /** Remembers the rows of all buckets that are made from fills alone, in place of those before. */
  set(question: string, sources: BucketSources, rows: ReadonlyMap<number, unknown>): void {
    const made = [...sources].flatMap(([start, source]): [number, BucketRow][] =>
      source === undefined ? [] : [[start, { source, row: rows.get(start) }]],
    )
    this.#rows.set(question, new Map(made), { size: question.length + (made.length + 1) * ROW_BYTES })
  }
}

/** The identity of what a question makes of its cells: questions with the same cells may make other numbers of them. */
export function shapeOf(cells: DayCells): string {
  const { text, params } = render(cells.over(sql``))
  return `${text} ${JSON.stringify(params)}`
}
