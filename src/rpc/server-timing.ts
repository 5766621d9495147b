/** What the statements of an answer cost the store, by its own counters. */
export interface AnswerCost {
  readonly readRows: number
  readonly readBytes: number
  /** In the store, in milliseconds; statements that run at once take longer together than one waits for them. */
  readonly elapsedMs: number
}

/** Where an answer came from: kept from a moment ago, joined while an equal question was under way, or computed. */
export type AnswerSource = 'kept' | 'joined' | 'computed'

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
    const source = (['computed', 'joined'] as const).find((one) => this.#sources.has(one))
    return writeServerTiming(this.#cost, source ?? 'kept')
  }
}

/**
 * The value of a `Server-Timing` header: time in the store in milliseconds, rows and bytes that it read, and where the answer
 * came from. An answer that was kept or joined says what it cost when it was computed.
 */
export function writeServerTiming(cost: AnswerCost, source: AnswerSource): string {
  return [
    `store;dur=${Number(cost.elapsedMs.toFixed(3))}`,
    `rows;desc="${cost.readRows}"`,
    `bytes;desc="${cost.readBytes}"`,
    `cache;desc="${source}"`,
  ].join(', ')
}
