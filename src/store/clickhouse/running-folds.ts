import { monotonicMs, sleep } from '../../kernel/clock.ts'
import type { ClickHouse } from './client.ts'
import { onEveryNode } from './cluster.ts'

/** The ids of statements that store what they compute from events begin with it. */
const ID_PREFIX = 'fold-'

/** The ids of statements that compute visits begin with it. */
export const FOLD_ID_PREFIX = `${ID_PREFIX}visits-`

/** The ids of statements that compute cells of days begin with it. */
export const CELLS_ID_PREFIX = `${ID_PREFIX}cells-`

/** Longer than any such statement may run. */
const WAIT_MS_MAX = 5 * 60_000
const POLL_MS = 200

/**
 * Resolves when each statement that computes visits or cells of days and runs now has ended, on any node: one that has read events which
 * are deleted since would store them after the deletion.
 */
export async function untilFoldsEnd(clickhouse: ClickHouse, signal: AbortSignal): Promise<void> {
  const startMs = monotonicMs()
  for (;;) {
    // The client sends a request although its signal has ended before.
    signal.throwIfAborted()
    const waitedMs = monotonicMs() - startMs
    const result = await clickhouse.query({
      query: `SELECT toUInt32(count()) AS running FROM ${onEveryNode(clickhouse, 'system.processes')}
        WHERE startsWith(initial_query_id, '${ID_PREFIX}') AND 1000 * elapsed >= {waited:Int64}`,
      query_params: { waited: Math.floor(waitedMs) },
      format: 'JSONEachRow',
      abort_signal: signal,
    })
    const [row] = await result.json<{ readonly running: number }>()
    if (row?.running === 0) return
    if (waitedMs > WAIT_MS_MAX) throw new Error('ClickHouse did not finish a computation over events')
    await sleep(POLL_MS, signal)
  }
}
