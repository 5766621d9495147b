import { monotonicMs, sleep } from '../../kernel/clock.ts'
import type { ClickHouse } from './client.ts'
import { quoteName, quoteText } from './migrations/layout.ts'
import { REFILL_VIEWS } from './migrations/refill-views.ts'

/** A database, and the path of its backup below the engine's backup folder. */
export interface DatabaseBackup {
  readonly database: string
  readonly path: string
}

const WORK_MS_MAX = 24 * 3_600_000
const POLL_MS = 200

/** Writes a backup of a database that stays in use. Throws the engine's error message. */
export async function backUpDatabase(
  clickhouse: ClickHouse,
  { database, path }: DatabaseBackup,
): Promise<void> {
  await run(clickhouse, `BACKUP DATABASE ${quoteName(database)} TO File(${quoteText(path)}) ASYNC`)
}

/** Bytes on disk of a database, and so about those of its backup. */
export async function readDatabaseBytes(clickhouse: ClickHouse, database: string): Promise<number> {
  const result = await clickhouse.query({
    query: `SELECT toFloat64(sum(bytes_on_disk)) AS bytes FROM system.parts WHERE active AND database = {database:String}`,
    query_params: { database },
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ readonly bytes: number }>()
  return row?.bytes ?? 0
}

/** Restores a backup into an empty database. Throws the engine's error message. */
export async function restoreDatabase(
  clickhouse: ClickHouse,
  { database, path }: DatabaseBackup,
): Promise<void> {
  await run(clickhouse, `RESTORE DATABASE ${quoteName(database)} FROM File(${quoteText(path)}) ASYNC`)
}

/**
 * Fills the views again from events ingested since an instant: a backup does not copy all tables at one moment, so that it
 * may contain an event without its session.
 */
export async function refillViews(clickhouse: ClickHouse, sinceMs: number): Promise<void> {
  for (const query of REFILL_VIEWS) await clickhouse.command({ query, query_params: { since: sinceMs } })
}

/** Backups outlast any request timeout: the statement starts one, and its status is polled. */
async function run(clickhouse: ClickHouse, query: string): Promise<void> {
  const started = await clickhouse.exec({ query: `${query} FORMAT JSONEachRow` })
  const { id } = JSON.parse(await readText(started.stream)) as { readonly id: string }
  const deadlineMs = monotonicMs() + WORK_MS_MAX
  for (;;) {
    const { status, error } = await readStatus(clickhouse, id)
    if (status === 'BACKUP_CREATED' || status === 'RESTORED') return
    if (!status.startsWith('CREATING') && status !== 'RESTORING') throw new Error(error || status)
    if (monotonicMs() > deadlineMs) throw new Error(`ClickHouse did not finish within ${WORK_MS_MAX} ms`)
    await sleep(POLL_MS)
  }
}

async function readStatus(
  clickhouse: ClickHouse,
  id: string,
): Promise<{ readonly status: string; readonly error: string }> {
  const result = await clickhouse.query({
    query: 'SELECT toString(status) AS status, error FROM system.backups WHERE id = {id:String}',
    query_params: { id },
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ readonly status: string; readonly error: string }>()
  return row ?? { status: 'gone', error: 'ClickHouse was restarted in the meantime' }
}

async function readText(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
