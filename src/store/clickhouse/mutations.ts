import { monotonicMs, sleep } from '../../kernel/clock.ts'
import type { ClickHouse } from './client.ts'
import { localTable, onEveryNode } from './cluster.ts'

/** A longer mutation continues in ClickHouse; the next attempt waits for it. */
const MUTATION_MS_MAX = 30 * 60_000
const POLL_MS_MIN = 50
const POLL_MS_MAX = 1000

/** Selects the mutations of a table, or those whose statement contains one of some texts. */
export type MutationFilter = { readonly table: string } | { readonly texts: readonly string[] }

/** The latest failure of each unfinished mutation on any node; an empty text without a failure. */
export async function listUnfinishedMutations(
  clickhouse: ClickHouse,
  of: MutationFilter,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const condition =
    'table' in of
      ? 'table = {of:String}'
      : 'arrayExists(text -> position(command, text) > 0, {of:Array(String)})'
  const result = await clickhouse.query({
    query: `
      SELECT latest_fail_reason AS reason
      FROM ${onEveryNode(clickhouse, 'system.mutations')}
      WHERE database = currentDatabase() AND ${condition} AND NOT is_done`,
    query_params: {
      of: 'table' in of ? localTable(clickhouse, of.table) : of.texts,
    },
    format: 'JSONEachRow',
    abort_signal: signal,
  })
  return (await result.json<{ readonly reason: string }>()).map(({ reason }) => reason)
}

/**
 * Resolves when no mutation of a table is unfinished on any node, earlier ones included: mutations of a table run one after the other.
 * Throws when ClickHouse does not finish in time.
 */
export async function untilMutated(
  clickhouse: ClickHouse,
  { table, signal }: { readonly table: string; readonly signal: AbortSignal },
): Promise<void> {
  const deadlineMs = monotonicMs() + MUTATION_MS_MAX
  for (let pollMs = POLL_MS_MIN; ; pollMs = Math.min(POLL_MS_MAX, pollMs * 1.5)) {
    // The client sends a request although its signal has ended before.
    signal.throwIfAborted()
    const [reason] = await listUnfinishedMutations(clickhouse, { table }, signal)
    if (reason === undefined) return
    if (monotonicMs() > deadlineMs)
      throw new Error(`ClickHouse does not finish mutations of ${table}: ${reason.slice(0, 500)}`)
    await sleep(pollMs, signal)
  }
}
