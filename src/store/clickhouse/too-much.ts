import { ClickHouseError } from '@clickhouse/client'

/** TIMEOUT_EXCEEDED and MEMORY_LIMIT_EXCEEDED. */
const TOO_MUCH: ReadonlySet<string> = new Set(['159', '241'])

/** Whether ClickHouse gave a statement up for its time or its memory: over fewer rows it may succeed. */
export function isTooMuch(error: unknown): boolean {
  return error instanceof ClickHouseError && TOO_MUCH.has(error.code)
}
