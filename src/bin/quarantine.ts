import { existsSync } from 'node:fs'
import { toNativeBlocks } from '../pipeline/encode/stored-block.ts'
import { diskFiles, hasCode } from '../pipeline/journal/files.ts'
import { JOURNAL_NAMES, type JournalName, journalFolders } from '../pipeline/journal/journal-folders.ts'
import { Quarantine, type QuarantineEntry } from '../pipeline/journal/quarantine.ts'
import type { Settings } from '../settings/settings.ts'
import { type ClickHouse, insertJsonRows, insertNative, openClickHouse } from '../store/clickhouse/client.ts'
import { findClickHouse } from './clickhouse-endpoint.ts'
import { expectNoMore } from './command-words.ts'
import { assertFolderAccess, refusedUse } from './data-folder.ts'
import { FatalError } from './fatal-error.ts'

const INSERT_TIMEOUT_MS = 60_000

/** A block in quarantine, and the journal that it came from. */
interface Found {
  readonly journal: JournalName
  readonly quarantine: Quarantine
  readonly entry: QuarantineEntry
}

type InsertBlock = (
  clickhouse: ClickHouse,
  block: { readonly bytes: Buffer; readonly id: string },
) => Promise<void>

/** As each journal is shipped. */
const INSERTS = {
  events: async (clickhouse, { bytes, id }) =>
    await insertNative(clickhouse, { table: 'events', blocks: toNativeBlocks([bytes]), id }),
  identify: async (clickhouse, { bytes, id }) =>
    await insertJsonRows(clickhouse, { table: 'identifies', blocks: [bytes], id }),
} as const satisfies Record<JournalName, InsertBlock>

/** `millrace quarantine list|show|replay`. Throws {@link FatalError} on wrong words and on a refused replay. */
export async function runQuarantine(settings: Settings, [verb, ...words]: readonly string[]): Promise<void> {
  expectNoMore(verb === 'list' ? words : words.slice(1))
  const [id] = words
  const blocks = await readBlocks(settings.dataDir)
  if (verb === 'list') list(blocks)
  else if (verb === 'show') show(find(blocks, id))
  else if (verb === 'replay') await replay(settings, find(blocks, id))
  else throw new FatalError('quarantine needs list, show or replay')
}

async function readBlocks(dataDir: string): Promise<readonly Found[]> {
  const found = JOURNAL_NAMES.map(async (journal) => await readBlocksOf(dataDir, journal))
  return (await Promise.all(found)).flat()
}

async function readBlocksOf(dataDir: string, journal: JournalName): Promise<readonly Found[]> {
  const { quarantineFolder } = journalFolders(dataDir, journal)
  assertFolderAccess(quarantineFolder, 'read')
  if (!existsSync(quarantineFolder)) return []
  try {
    const quarantine = await Quarantine.open(diskFiles, quarantineFolder)
    return (await quarantine.list()).map((entry) => ({ journal, quarantine, entry }))
  } catch (error) {
    throw hasCode(error, 'EACCES') ? refusedUse(quarantineFolder, 'read', error) : error
  }
}

function list(blocks: readonly Found[]): void {
  for (const { journal, entry } of blocks) {
    const { id, reason, rows, bytes, time, error } = entry
    const summary = error.split('\n', 1)[0]?.slice(0, 100)
    process.stdout.write(
      `${id}  ${time}  ${journal}  ${reason}  ${rows ?? '?'} rows  ${bytes} bytes  ${summary}\n`,
    )
  }
}

function find(blocks: readonly Found[], id: string | undefined): Found {
  const found = blocks.find(({ entry }) => entry.id === id)
  if (found) return found
  throw new FatalError(`there is no block ${id ?? ''} in quarantine; see millrace quarantine list`)
}

function show({ journal, entry }: Found): void {
  process.stdout.write(`${JSON.stringify({ journal, ...entry }, undefined, 2)}\n`)
}

/** A repeated replay, or one concurrent with a delivery, adds nothing: copies of rows collapse. */
async function replay(settings: Settings, { journal, quarantine, entry }: Found): Promise<void> {
  if (entry.reason === 'damaged') {
    throw new FatalError(`${entry.id} is a damaged part of the journal, not a block: it cannot be inserted`)
  }
  assertFolderAccess(journalFolders(settings.dataDir, journal).quarantineFolder, 'write')
  const clickhouse = openClickHouse(findClickHouse(settings, 'admin'), {
    application: 'millrace-quarantine',
    connectionsMax: 1,
    requestTimeoutMs: INSERT_TIMEOUT_MS,
  })
  try {
    await INSERTS[journal](clickhouse, { bytes: await quarantine.read(entry), id: entry.id })
  } catch (error) {
    throw new FatalError(`ClickHouse rejected ${entry.id}: ${error instanceof Error ? error.message : error}`)
  } finally {
    await clickhouse.close()
  }
  await quarantine.remove(entry.id)
  process.stdout.write(`inserted ${entry.rows} rows; removed ${entry.id} from quarantine\n`)
}
