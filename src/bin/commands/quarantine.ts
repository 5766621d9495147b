import { hasCode } from '../../pipeline/journal/files.ts'
import { JOURNAL_NAMES, type JournalName, journalFolders } from '../../pipeline/journal/journal-folders.ts'
import { listQuarantinedBlocks, type QuarantinedBlock } from '../../pipeline/journal/quarantine.ts'
import { replayBlock } from '../../pipeline/ship/journal-inserts.ts'
import type { Settings } from '../../settings/settings.ts'
import { type ClickHouse, openClickHouse } from '../../store/clickhouse/client.ts'
import { findClickHouse } from '../environment/clickhouse-endpoint.ts'
import { assertFolderAccess, refusedUse } from '../environment/data-folder.ts'
import { FatalError } from '../environment/fatal-error.ts'
import { expectNoMore } from './command-words.ts'

const INSERT_TIMEOUT_MS = 60_000

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

async function readBlocks(dataDir: string): Promise<readonly QuarantinedBlock[]> {
  const found = JOURNAL_NAMES.map(async (journal) => await readBlocksOf(dataDir, journal))
  return (await Promise.all(found)).flat()
}

async function readBlocksOf(dataDir: string, journal: JournalName): Promise<readonly QuarantinedBlock[]> {
  const { quarantineFolder } = journalFolders(dataDir, journal)
  assertFolderAccess(quarantineFolder, 'read')
  try {
    return await listQuarantinedBlocks(dataDir, journal)
  } catch (error) {
    throw hasCode(error, 'EACCES') ? refusedUse(quarantineFolder, 'read', error) : error
  }
}

function list(blocks: readonly QuarantinedBlock[]): void {
  for (const { journal, entry } of blocks) {
    const { id, reason, rows, bytes, time, error } = entry
    const summary = error.split('\n', 1)[0]?.slice(0, 100)
    process.stdout.write(
      `${id}  ${time}  ${journal}  ${reason}  ${rows ?? '?'} rows  ${bytes} bytes  ${summary}\n`,
    )
  }
}

function find(blocks: readonly QuarantinedBlock[], id: string | undefined): QuarantinedBlock {
  const found = blocks.find(({ entry }) => entry.id === id)
  if (found) return found
  throw new FatalError(`there is no block ${id ?? ''} in quarantine; see millrace quarantine list`)
}

function show({ journal, entry }: QuarantinedBlock): void {
  process.stdout.write(`${JSON.stringify({ journal, ...entry }, undefined, 2)}\n`)
}

async function replay(settings: Settings, block: QuarantinedBlock): Promise<void> {
  const { journal, entry } = block
  assertFolderAccess(journalFolders(settings.dataDir, journal).quarantineFolder, 'write')
  const replayed = await replayBlock(block, () => openStore(settings))
  if (!replayed.ok) throw new FatalError(replayed.error)
  process.stdout.write(`inserted ${entry.rows} rows; removed ${entry.id} from quarantine\n`)
}

function openStore(settings: Settings): ClickHouse {
  return openClickHouse(findClickHouse(settings, 'admin'), {
    application: 'millrace-quarantine',
    connectionsMax: 1,
    requestTimeoutMs: INSERT_TIMEOUT_MS,
  })
}
