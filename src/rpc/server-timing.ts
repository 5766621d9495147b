/** Cost of an answer's statements in the store, from its own counters. */
export interface AnswerCost {
  readonly readRows: number
  readonly readBytes: number
  /** Store time in milliseconds, summed over statements; concurrent ones sum to more than the wall-clock time. */
  readonly elapsedMs: number
}

/** Cache outcome of an answer: a hit, coalesced with an identical query in flight, or a miss. */
export type AnswerSource = 'hit' | 'coalesced' | 'miss'

/** The cost of an answer without statements. */
export const NO_COST: AnswerCost = { readRows: 0, readBytes: 0, elapsedMs: 0 }

/** The sum of two costs. */
export function addCosts(a: AnswerCost, b: AnswerCost): AnswerCost {
  return {
    readRows: a.readRows + b.readRows,
    readBytes: a.readBytes + b.readBytes,
    elapsedMs: a.elapsedMs + b.elapsedMs,
  }
}

/** Receives the cost of an answer. */
export type ReportCost = (cost: AnswerCost, source: AnswerSource) => void

/** Sums the costs of the queries of one call. */
export class CostTally {
  #cost = NO_COST
  readonly #sources = new Set<AnswerSource>()

  readonly report: ReportCost = (cost, source) => {
    this.#cost = addCosts(this.#cost, cost)
    this.#sources.add(source)
  }

  /** The header for the call; it is a miss if any of its queries was. */
  get serverTiming(): string {
    const source = (['miss', 'coalesced'] as const).find((one) => this.#sources.has(one))
    return writeServerTiming(this.#cost, source ?? 'hit')
  }
}

/**
 * The value of a `Server-Timing` header: store time in milliseconds, rows and bytes read, and the cache outcome. A hit
 * or coalesced answer reports the cost of its original computation.
 */
export function writeServerTiming(cost: AnswerCost, source: AnswerSource): string {
  return [
    `store;dur=${Number(cost.elapsedMs.toFixed(3))}`,
    `rows;desc="${cost.readRows}"`,
    `bytes;desc="${cost.readBytes}"`,
    `cache;desc="${source}"`,
  ].join(', ')
}
