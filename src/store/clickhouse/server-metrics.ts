import { monotonicMs } from '../../kernel/clock.ts'
import { type LabelledValue, observedGauges } from '../../kernel/metrics.ts'
import type { ClickHouse } from './client.ts'

/** Milliseconds for which values are cached: several scrapers cost no more than one. */
const CACHED_MS = 10_000

/** A slower server counts as down until the next query; scrapers time out after two seconds. */
const TIMEOUT_MS = 1500

/** The gauges: their help, and the expression that gives the value. */
const GAUGES = {
  millrace_clickhouse_parts: [
    'Active parts of the tables of this service.',
    '(SELECT count() FROM system.parts WHERE active AND database = currentDatabase())',
  ],
  millrace_clickhouse_partition_parts: [
    'Active parts of the partition with the most parts; ClickHouse delays, then rejects INSERTs beyond a limit.',
    `(SELECT max(parts) FROM (SELECT count() AS parts FROM system.parts WHERE active
      AND database = currentDatabase() GROUP BY table, partition_id))`,
  ],
  millrace_clickhouse_rows: [
    'Rows of the events table, including copies that are not merged yet.',
    "(SELECT sum(rows) FROM system.parts WHERE active AND database = currentDatabase() AND table = 'events')",
  ],
  millrace_clickhouse_bytes: [
    'Bytes on disk of the tables of this service.',
    '(SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = currentDatabase())',
  ],
  millrace_clickhouse_merges: ['Running merges.', '(SELECT count() FROM system.merges)'],
  millrace_clickhouse_mutations: [
    'Unfinished mutations of the tables of this service.',
    '(SELECT count() FROM system.mutations WHERE NOT is_done AND database = currentDatabase())',
  ],
  millrace_clickhouse_memory_bytes: [
    'Memory tracked by ClickHouse.',
    "(SELECT sum(value) FROM system.metrics WHERE metric = 'MemoryTracking')",
  ],
  millrace_clickhouse_disk_free_bytes: [
    'Free bytes of the ClickHouse disk with the least free space.',
    '(SELECT min(free_space) FROM system.disks)',
  ],
  millrace_clickhouse_disk_bytes: [
    'Size of the ClickHouse disk with the least free space.',
    '(SELECT argMin(total_space, free_space) FROM system.disks)',
  ],
} as const satisfies Record<string, readonly [help: string, expression: string]>

type Facts = ReadonlyMap<string, number>

const QUERY = `SELECT ${Object.values(GAUGES)
  .map(([, expression]) => `toFloat64(${expression})`)
  .join(', ')}`

/** Registers gauges of the ClickHouse server; only one process of an installation does. */
export function observeServer(connect: () => ClickHouse): void {
  let cached: { readonly atMs: number; readonly facts: Promise<Facts> } | undefined
  const read = async (): Promise<Facts> => {
    const nowMs = monotonicMs()
    if (!cached || nowMs - cached.atMs > CACHED_MS) cached = { atMs: nowMs, facts: readFacts(connect) }
    return await cached.facts
  }
  observedGauges(
    'millrace_clickhouse_up',
    '1 when ClickHouse answered the latest query of these metrics, else 0.',
    {
      labels: [],
      read: async () => [
        {
          labels: {},
          value: await read().then(
            () => 1,
            () => 0,
          ),
        },
      ],
    },
  )
  for (const [name, [help]] of Object.entries(GAUGES)) {
    observedGauges(name, help, { labels: [], read: async () => readFact(await read(), name) })
  }
}

async function readFacts(connect: () => ClickHouse): Promise<Facts> {
  const result = await connect().query({
    query: QUERY,
    format: 'JSONCompactEachRow',
    abort_signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const [cells = []] = await result.json<number[]>()
  return new Map(Object.keys(GAUGES).map((name, index) => [name, cells[index] ?? 0]))
}

function readFact(facts: Facts, name: string): readonly LabelledValue<never>[] {
  return [{ labels: {}, value: facts.get(name) ?? 0 }]
}
