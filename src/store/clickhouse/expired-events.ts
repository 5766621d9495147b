import type { ProjectId } from '../../contract/ids.ts'
import type { ClickHouse } from './client.ts'
import { commandEverywhere, localTable, onCluster } from './cluster.ts'
import { ERASURES_DAY } from './migrations/018-day-cells.ts'
import { untilMutated } from './mutations.ts'
import { untilFoldsEnd } from './running-folds.ts'

/** A project, and the first day in UTC whose events it keeps, as `2026-01-31`. */
export interface KeptFrom {
  readonly projectId: ProjectId
  readonly day: string
}

/** What was deleted. */
export interface ExpiredRows {
  /** Rows of events, copies included. */
  readonly eventRows: number
  /** Partitions that were rewritten, of all tables. */
  readonly partitionCount: number
}

/** The tables that expire, with the day that decides: a visit does with the day of its first event. */
const TABLES = [
  { table: 'events', day: 'toDate(time)' },
  { table: 'visits', day: 'day' },
] as const

type Expiring = (typeof TABLES)[number]

/** Projects in one mutation. */
const PROJECTS_PER_MUTATION_MAX = 100

/** Partitions of a table in one run: ten years. Further ones wait for the next run. */
const PARTITIONS_PER_RUN_MAX = 120

/**
 * Deletes the events of projects from before a day, and the visits that began before it. Idempotent: it may be interrupted at any point
 * and called again. Rows of several projects are deleted together, month by month, so that a month is rewritten once.
 */
export async function deleteExpired(
  clickhouse: ClickHouse,
  { kept, signal }: { readonly kept: readonly KeptFrom[]; readonly signal: AbortSignal },
): Promise<ExpiredRows> {
  let eventRows = 0
  let partitionCount = 0
  for (const expiring of TABLES) {
    const { table } = expiring
    // Those of an interrupted run go on.
    await untilMutated(clickhouse, { table, signal })
    const found = await findExpired(clickhouse, { expiring, kept, signal })
    const partitions = [...found].sort(([a], [b]) => a - b).slice(0, PARTITIONS_PER_RUN_MAX)
    for (const [partition, part] of partitions) {
      for (const some of chunksOf(part.kept)) {
        await deleteIn(clickhouse, { expiring, partition, kept: some, signal })
        await untilMutated(clickhouse, { table, signal })
      }
      if (table === 'events') eventRows += part.rows
    }
    partitionCount += partitions.length
    if (table === 'events') await forgetDays(clickhouse, { kept, signal })
  }
  return { eventRows, partitionCount }
}

/** The expired rows of a partition. */
interface ExpiredPart {
  readonly kept: KeptFrom[]
  rows: number
}

/** By the number of the partition; the tables have the same. Even a mutation without matching rows goes through every part. */
async function findExpired(
  clickhouse: ClickHouse,
  {
    expiring: { table, day },
    kept,
    signal,
  }: { readonly expiring: Expiring; readonly kept: readonly KeptFrom[]; readonly signal: AbortSignal },
): Promise<ReadonlyMap<number, ExpiredPart>> {
  const found = new Map<number, ExpiredPart>()
  for (const one of kept) {
    const result = await clickhouse.query({
      query: `SELECT toYYYYMM(least(greatest(${day}, toDate('2019-12-31')), toDate('2036-01-01'))) AS partition, count() AS rows
        FROM {table:Identifier} WHERE project = {project:UInt32} AND ${day} < {day:Date} GROUP BY partition`,
      query_params: { table, project: one.projectId, day: one.day },
      format: 'JSONEachRow',
      abort_signal: signal,
    })
    for (const { partition, rows } of await result.json<{ partition: number; rows: string }>()) {
      const part = found.get(partition) ?? { kept: [], rows: 0 }
      part.kept.push(one)
      part.rows += Number(rows)
      found.set(partition, part)
    }
  }
  return found
}

function chunksOf(kept: readonly KeptFrom[]): readonly (readonly KeptFrom[])[] {
  const count = Math.ceil(kept.length / PROJECTS_PER_MUTATION_MAX)
  return Array.from({ length: count }, (_, index) =>
    kept.slice(index * PROJECTS_PER_MUTATION_MAX, (index + 1) * PROJECTS_PER_MUTATION_MAX),
  )
}

async function deleteIn(
  clickhouse: ClickHouse,
  {
    expiring: { table, day },
    partition,
    kept,
    signal,
  }: {
    readonly expiring: Expiring
    readonly partition: number
    readonly kept: readonly KeptFrom[]
    readonly signal: AbortSignal
  },
): Promise<void> {
  const where = kept.map((_, at) => `(project = {project${at}:UInt32} AND ${day} < {day${at}:Date})`)
  const params = kept.flatMap(({ projectId, day: first }, at) => [
    [`project${at}`, projectId],
    [`day${at}`, first],
  ])
  await commandEverywhere(
    clickhouse,
    `ALTER TABLE ${localTable(clickhouse, table)}${onCluster(clickhouse)} DELETE IN PARTITION ID '${partition}' WHERE ${where.join(' OR ')}`,
    {
      query_params: Object.fromEntries(params),
      clickhouse_settings: { mutations_sync: '0' },
      abort_signal: signal,
    },
  )
}

/**
 * Makes cells of days from before the deletion invalid, also after a run that was interrupted between the two, and waits for computations
 * that may have read the deleted events: they store no visit of them after this. Cells expire by themselves.
 */
async function forgetDays(
  clickhouse: ClickHouse,
  { kept, signal }: { readonly kept: readonly KeptFrom[]; readonly signal: AbortSignal },
): Promise<void> {
  await clickhouse.command({
    query: `INSERT INTO day_arrivals (project, day, arrivals, arrived)
      SELECT arrayJoin({projects:Array(UInt32)}), toDate('${ERASURES_DAY}'), 1, now64(3)`,
    query_params: { projects: kept.map(({ projectId }) => projectId) },
    clickhouse_settings: { async_insert: 0 },
    abort_signal: signal,
  })
  await untilFoldsEnd(clickhouse, signal)
}
