import { monotonicMs } from '../../kernel/clock.ts'
import { type LabelledValue, observedGauges } from '../../kernel/metrics.ts'
import type { ClickHouse } from './client.ts'

/** A look at the server is good for this long, in milliseconds: several scrapers cost no more than one. */
const FRESH_MS = 10_000

/** A server that takes longer counts as gone until the next look; whoever scrapes waits two seconds. */
const TIMEOUT_MS = 1500

/** The gauges: their help, and the expression that gives the value. */
const GAUGES = {
  millrace_clickhouse_parts: [
    'Active parts of the tables of this service.',
    '(SELECT count() FROM system.parts WHERE active AND database = currentDatabase())',
  ],
  millrace_clickhouse_partition_parts: [
    'Active parts of the partition that has most; ClickHouse delays and then refuses INSERTs beyond a limit.',
    `(SELECT max(parts) FROM (SELECT count() AS parts FROM system.parts WHERE active
      AND database = currentDatabase() GROUP BY table, partition_id))`,
  ],
  millrace_clickhouse_rows: [
    'Rows of the table of events, copies that are not merged yet included.',
    "(SELECT sum(rows) FROM system.parts WHERE active AND database = currentDatabase() AND table = 'events')",
  ],
  millrace_clickhouse_bytes: [
    'Bytes on disk of the tables of this service.',
    '(SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = currentDatabase())',
  ],
  millrace_clickhouse_merges: ['Merges that run.', '(SELECT count() FROM system.merges)'],
  millrace_clickhouse_mutations: [
    'Mutations of the tables of this service that are not done.',
    '(SELECT count() FROM system.mutations WHERE NOT is_done AND database = currentDatabase())',
  ],
  millrace_clickhouse_memory_bytes: [
    'Memory that ClickHouse counts as its own.',
    "(SELECT sum(value) FROM system.metrics WHERE metric = 'MemoryTracking')",
  ],
  millrace_clickhouse_disk_free_bytes: [
    'Free bytes of the disk of ClickHouse that has least.',
    '(SELECT min(free_space) FROM system.disks)',
  ],
  millrace_clickhouse_disk_bytes: [
    'Size of the disk of ClickHouse that has least free bytes.',
    '(SELECT argMin(total_space, free_space) FROM system.disks)',
  ],
} as const satisfies Record<string, readonly [help: string, expression: string]>

type Facts = ReadonlyMap<string, number>

const QUERY = `SELECT ${Object.values(GAUGES)
  .map(([, expression]) => `toFloat64(${expression})`)
  .join(', ')}`

/** Registers gauges of the server that a connection leads to; only one process of a service does. */
export function observeServer(connect: () => ClickHouse): void {
  let looked: { readonly atMs: number; readonly facts: Promise<Facts> } | undefined
  const look = async (): Promise<Facts> => {
    const nowMs = monotonicMs()
    if (!looked || nowMs - looked.atMs > FRESH_MS) looked = { atMs: nowMs, facts: readFacts(connect) }
    return await looked.facts
  }
  observedGauges('millrace_clickhouse_up', '1 when ClickHouse answered the last look at it, else 0.', {
    labels: [],
    read: async () => [
      {
        labels: {},
        value: await look().then(
          () => 1,
          () => 0,
        ),
      },
    ],
  })
  for (const [name, [help]] of Object.entries(GAUGES)) {
    observedGauges(name, help, { labels: [], read: async () => readFact(await look(), name) })
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
