/** What the statements of an answer cost the store, by its own counters. */
export interface AnswerCost {
  readonly readRows: number
  readonly readBytes: number
  /** In the store, in milliseconds; statements that run at once take longer together than one waits for them. */
  readonly elapsedMs: number
}

/** Cache outcome of an answer: a hit, coalesced with an identical query in flight, or a miss. */
export type AnswerSource = 'hit' | 'coalesced' | 'miss'

/** What an answer costs that asks nothing. */
export const NO_COST: AnswerCost = { readRows: 0, readBytes: 0, elapsedMs: 0 }

/** The sum of two costs. */
export function addCosts(a: AnswerCost, b: AnswerCost): AnswerCost {
  return {
    readRows: a.readRows + b.readRows,
    readBytes: a.readBytes + b.readBytes,
    elapsedMs: a.elapsedMs + b.elapsedMs,
  }
}

/** Hears what an answer cost. */
export type ReportCost = (cost: AnswerCost, source: AnswerSource) => void

/** Adds up what the questions of one call cost. */
export class CostTally {
  #cost = NO_COST
  readonly #sources = new Set<AnswerSource>()

  readonly report: ReportCost = (cost, source) => {
    this.#cost = addCosts(this.#cost, cost)
    this.#sources.add(source)
  }

  /** The header for all of them: what was computed anew for one was computed for the call. */
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
