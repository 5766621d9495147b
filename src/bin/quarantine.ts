import { join } from 'node:path'
import type { Settings } from '../kernel/settings.ts'
import { toNativeBlocks } from '../pipeline/encode/stored-block.ts'
import { diskFiles } from '../pipeline/journal/files.ts'
import { Quarantine, type QuarantineEntry } from '../pipeline/journal/quarantine.ts'
import { insertNative, openClickHouse } from '../store/clickhouse/client.ts'
import { findClickHouse } from './clickhouse-endpoint.ts'
import { FatalError } from './fatal-error.ts'

const INSERT_TIMEOUT_MS = 60_000

/** `millrace quarantine list|show|replay`. Throws {@link FatalError} on wrong words and on a refused replay. */
export async function runQuarantine(settings: Settings, [verb, id]: readonly string[]): Promise<void> {
  const quarantine = await Quarantine.open(diskFiles, join(settings.dataDir, 'quarantine'))
  if (verb === 'list') await list(quarantine)
  else if (verb === 'show') show(await find(quarantine, id))
  else if (verb === 'replay') await replay(settings, quarantine, await find(quarantine, id))
  else throw new FatalError('quarantine takes list, show or replay')
}

async function list(quarantine: Quarantine): Promise<void> {
  for (const { id, reason, rows, bytes, time, error } of await quarantine.list()) {
    const summary = error.split('\n', 1)[0]?.slice(0, 100)
    process.stdout.write(`${id}  ${time}  ${reason}  ${rows ?? '?'} rows  ${bytes} bytes  ${summary}\n`)
  }
}

async function find(quarantine: Quarantine, id: string | undefined): Promise<QuarantineEntry> {
  const entry = id === undefined ? undefined : await quarantine.find(id)
  if (entry) return entry
  throw new FatalError(`there is no block ${id ?? ''} in quarantine; see millrace quarantine list`)
}

function show(entry: QuarantineEntry): void {
  process.stdout.write(`${JSON.stringify(entry, undefined, 2)}\n`)
}

/** The block's own token makes a replay that is repeated, or that races with a delivery, add nothing. */
async function replay(settings: Settings, quarantine: Quarantine, entry: QuarantineEntry): Promise<void> {
  if (entry.reason === 'damaged') {
    throw new FatalError(`${entry.id} is a damaged part of the journal, not a block: it cannot be inserted`)
  }
  const clickhouse = openClickHouse(findClickHouse(settings, 'admin'), {
    application: 'millrace-quarantine',
    connectionsMax: 1,
    requestTimeoutMs: INSERT_TIMEOUT_MS,
  })
  try {
    await insertNative(clickhouse, {
      table: 'events',
      blocks: toNativeBlocks([await quarantine.read(entry)]),
      token: entry.id,
    })
  } catch (error) {
    throw new FatalError(
      `ClickHouse did not take ${entry.id}: ${error instanceof Error ? error.message : error}`,
    )
  } finally {
    await clickhouse.close()
  }
  await quarantine.remove(entry.id)
  process.stdout.write(`${entry.rows} rows are inserted; ${entry.id} is out of quarantine\n`)
}
