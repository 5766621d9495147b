import { monotonicMs, sleep } from '../../kernel/clock.ts'
import type { ClickHouse } from './client.ts'
import { REFILL_VIEWS } from './migrations/refill-views.ts'

/** A database, and the folder of its backup below the engine's folder of backups. */
export interface DatabaseBackup {
  readonly database: string
  readonly path: string
}

const WORK_MS_MAX = 24 * 3_600_000
const POLL_MS = 200

/** Writes a backup of a database that stays in use. Throws with the engine's words when it cannot. */
export async function backUpDatabase(
  clickhouse: ClickHouse,
  { database, path }: DatabaseBackup,
): Promise<void> {
  await run(clickhouse, `BACKUP DATABASE ${quoteName(database)} TO File(${quoteText(path)}) ASYNC`)
}

/** Makes a database of a backup; there must be nothing in it. Throws with the engine's words when it cannot. */
export async function restoreDatabase(
  clickhouse: ClickHouse,
  { database, path }: DatabaseBackup,
): Promise<void> {
  await run(clickhouse, `RESTORE DATABASE ${quoteName(database)} FROM File(${quoteText(path)}) ASYNC`)
}

/**
 * Fills the views again for what came in since then: the tables of a backup are not of one moment, so that an event may be in
 * it without its session.
 */
export async function refillViews(clickhouse: ClickHouse, sinceMs: number): Promise<void> {
  for (const query of REFILL_VIEWS) await clickhouse.command({ query, query_params: { since: sinceMs } })
}

/** Work on backups outlives every request: it is started, and then looked at. */
async function run(clickhouse: ClickHouse, query: string): Promise<void> {
  const started = await clickhouse.exec({ query: `${query} FORMAT JSONEachRow` })
  const { id } = JSON.parse(await readText(started.stream)) as { readonly id: string }
  const giveUpMs = monotonicMs() + WORK_MS_MAX
  for (;;) {
    const { status, error } = await look(clickhouse, id)
    if (status === 'BACKUP_CREATED' || status === 'RESTORED') return
    if (!status.startsWith('CREATING') && status !== 'RESTORING') throw new Error(error || status)
    if (monotonicMs() > giveUpMs) throw new Error(`ClickHouse was not done after ${WORK_MS_MAX} ms`)
    await sleep(POLL_MS)
  }
}

async function look(
  clickhouse: ClickHouse,
  id: string,
): Promise<{ readonly status: string; readonly error: string }> {
  const result = await clickhouse.query({
    query: 'SELECT toString(status) AS status, error FROM system.backups WHERE id = {id:String}',
    query_params: { id },
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ readonly status: string; readonly error: string }>()
  return row ?? { status: 'gone', error: 'ClickHouse was started again on the way' }
}

async function readText(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function quoteName(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}

function quoteText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
