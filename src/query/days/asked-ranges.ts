import { LRUCache } from 'lru-cache'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { CELLS_HOURS } from '../../store/clickhouse/migrations/018-day-cells.ts'

/** Questions that are remembered, and for how long after they were asked: as long as cells are used. */
const QUESTIONS_MAX = 10_000
const QUESTION_MS = CELLS_HOURS * 3_600_000

/**
 * The ranges for which questions were asked. Most questions are asked once: storing their days would cost as much as the answer. The
 * previous period of a question is another range of the same one, and asking about both is not asking again.
 */
export class AskedRanges {
  readonly #ranges = new LRUCache<string, RangeMs>({
    max: QUESTIONS_MAX,
    ttl: QUESTION_MS,
    updateAgeOnGet: true,
  })

  /** The instants between the first and the last that a question was asked about. */
  find(question: string): RangeMs | undefined {
    return this.#ranges.get(question)
  }

  add(question: string, { fromMs, toMs }: RangeMs): void {
    const known = this.#ranges.get(question) ?? { fromMs, toMs }
    this.#ranges.set(question, {
      fromMs: Math.min(known.fromMs, fromMs),
      toMs: Math.max(known.toMs, toMs),
    })
  }
}

/** Whether two ranges have an instant in common. */
export function overlaps(one: RangeMs, other: RangeMs): boolean {
  return one.fromMs < other.toMs && other.fromMs < one.toMs
}
