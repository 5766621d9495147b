import type { AnswerSource } from './answer-cache.ts'
import type { QueryCost } from './sql/run.ts'

/** What the statements of an answer cost the store, by its own counters. */
export type AnswerCost = Omit<QueryCost, 'statement'>

/** What an answer costs that asks nothing. */
export const NO_COST: AnswerCost = { readRows: 0, readBytes: 0, elapsedMs: 0 }

/** The sum of two costs. Statements that run at once take longer together than one waits for them. */
export function addCosts(a: AnswerCost, b: AnswerCost): AnswerCost {
  return {
    readRows: a.readRows + b.readRows,
    readBytes: a.readBytes + b.readBytes,
    elapsedMs: a.elapsedMs + b.elapsedMs,
  }
}

/**
 * The value of a `Server-Timing` header: time in the store in milliseconds, rows and bytes that it read, and where the answer
 * came from. An answer that was kept or joined says what it cost when it was computed.
 */
export function writeServerTiming(
  { readRows, readBytes, elapsedMs }: AnswerCost,
  source: AnswerSource,
): string {
  return [
    `store;dur=${Number(elapsedMs.toFixed(3))}`,
    `rows;desc="${readRows}"`,
    `bytes;desc="${readBytes}"`,
    `cache;desc="${source}"`,
  ].join(', ')
}
