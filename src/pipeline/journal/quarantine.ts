import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { diskFiles, type JournalFiles, readStart, writeWhole } from './files.ts'
import { type JournalName, journalFolders } from './journal-folders.ts'
import { quarantinedBlocks } from './journal-metrics.ts'

/** The reason why bytes are in quarantine. */
export type QuarantineReason = 'rejected' | 'damaged'

/** Metadata of quarantined bytes, stored as JSON beside them. */
export interface QuarantineEntry {
  /** `<segment id>-<offset>`: also the deduplication token of a replay. */
  readonly id: string
  /** `rejected`: a whole block that ClickHouse rejected. `damaged`: bytes of a segment that are no valid record. */
  readonly reason: QuarantineReason
  readonly error: string
  /** Rows of the block; null when unknown because of damage. */
  readonly rows: number | null
  readonly bytes: number
  readonly segment: string
  readonly offset: number
  /** RFC 3339, by the clock of the machine; informative. */
  readonly time: string
}

/** Bytes for {@link Quarantine.add}, with their metadata. */
export type QuarantinedBytes = Omit<QuarantineEntry, 'id' | 'bytes' | 'time'> & { readonly payload: Buffer }

/**
 * Capacity of the quarantine. When it is full, rejected segments stay in the journal and are retried: acknowledged rows are
 * never dropped to make room.
 */
const QUARANTINE_BYTES_MAX = 1024 * 1024 * 1024

const ENTRY_FILE = /^([0-9a-f]{32}-\d+)\.json$/
const ENTRY_ID = /^[0-9a-f]{32}-\d+$/
const ENTRY_BYTES_MAX = 1024 * 1024
const QUOTED_TEXT = /'(?:[^'\\]|\\.)*'/g
const ERROR_CHARACTERS_MAX = 10_000

/** Stores bytes that could not be delivered, with the reason; only the operator removes them. */
export class Quarantine {
  readonly #files: JournalFiles
  readonly #folder: string
  readonly #sizes = new Map<string, number>()

  private constructor(files: JournalFiles, folder: string) {
    this.#files = files
    this.#folder = folder
  }

  /** Opens the folder; creates it if necessary. */
  static async open(files: JournalFiles, folder: string): Promise<Quarantine> {
    const quarantine = new Quarantine(files, folder)
    for (const { id, bytes } of await quarantine.list()) quarantine.#sizes.set(id, bytes)
    return quarantine
  }

  /** Number of entries, without those that other processes add or remove. */
  get entryCount(): number {
    return this.#sizes.size
  }

  /** Quarantined bytes, without those that other processes add or remove. */
  get bytes(): number {
    return [...this.#sizes.values()].reduce((sum, size) => sum + size, 0)
  }

  /**
   * Quarantines bytes, durably, and logs it. Idempotent per segment and offset. Returns false when the quarantine is full.
   * Rejects with disk errors.
   */
  async add({ payload, ...facts }: QuarantinedBytes, log: Logger): Promise<boolean> {
    const id = entryId(facts.segment, facts.offset)
    if (this.#sizes.has(id)) return true
    if (this.bytes + payload.length > QUARANTINE_BYTES_MAX) return false
    const entry: QuarantineEntry = {
      id,
      ...facts,
      error: facts.error.slice(0, ERROR_CHARACTERS_MAX),
      bytes: payload.length,
      time: new Date(systemClock.nowMs()).toISOString(),
    }
    await this.#write(`${id}.block`, payload)
    await this.#write(`${id}.json`, Buffer.from(`${JSON.stringify(entry, undefined, 2)}\n`))
    this.#sizes.set(id, payload.length)
    quarantinedBlocks.inc({ reason: entry.reason })
    log.error({ quarantine: entry }, `a block is quarantined: see millrace quarantine show ${id}`)
    return true
  }

  /** All entries, by id. */
  async list(): Promise<readonly QuarantineEntry[]> {
    const names = await this.#files.list(this.#folder)
    const ids = names.flatMap((name) => ENTRY_FILE.exec(name)?.[1] ?? []).sort()
    return await Promise.all(ids.map(async (id) => await this.#readEntry(id)))
  }

  /** The entry of an id; `undefined` when there is none. */
  async find(id: string): Promise<QuarantineEntry | undefined> {
    return (await this.list()).find((entry) => entry.id === id)
  }

  /** The bytes of an entry. */
  async read({ id, bytes }: QuarantineEntry): Promise<Buffer> {
    return await this.#read(`${id}.block`, bytes)
  }

  /** Replaces an entry's block by one with fewer rows, and masks quotations in its error, which may be from a removed row. */
  async replace(
    entry: QuarantineEntry,
    { payload, rows }: { readonly payload: Buffer; readonly rows: number },
  ): Promise<void> {
    const error = entry.error.replaceAll(QUOTED_TEXT, "'?'")
    const smaller = { ...entry, rows, error, bytes: payload.length }
    await this.#write(`${entry.id}.block`, payload)
    await this.#write(`${entry.id}.json`, Buffer.from(`${JSON.stringify(smaller, undefined, 2)}\n`))
    this.#sizes.set(entry.id, payload.length)
  }

  /** Removes an entry. */
  async remove(id: string): Promise<void> {
    if (!ENTRY_ID.test(id)) return
    await this.#files.remove(join(this.#folder, `${id}.json`))
    await this.#files.remove(join(this.#folder, `${id}.block`))
    this.#sizes.delete(id)
  }

  async #readEntry(id: string): Promise<QuarantineEntry> {
    return JSON.parse((await this.#read(`${id}.json`, ENTRY_BYTES_MAX)).toString('utf8'))
  }

  async #read(name: string, length: number): Promise<Buffer> {
    const file = await this.#files.openToRead(join(this.#folder, name))
    return await readStart(file, length).finally(() => file.close())
  }

  async #write(name: string, bytes: Uint8Array): Promise<void> {
    await writeWhole(this.#files, { folder: this.#folder, path: join(this.#folder, name), bytes })
  }
}

/** The id of a quarantined block, and the deduplication token of its INSERT: its position in a segment. */
export function entryId(segmentId: string, offset: number): string {
  return `${segmentId}-${offset}`
}

/** A block in quarantine, and the journal that it came from. */
export interface QuarantinedBlock {
  readonly journal: JournalName
  readonly quarantine: Quarantine
  readonly entry: QuarantineEntry
}

/** The blocks of a journal that are in quarantine, by id. A folder that does not exist is not created. */
export async function listQuarantinedBlocks(
  dataDir: string,
  journal: JournalName,
): Promise<readonly QuarantinedBlock[]> {
  const { quarantineFolder } = journalFolders(dataDir, journal)
  if (!existsSync(quarantineFolder)) return []
  const quarantine = await Quarantine.open(diskFiles, quarantineFolder)
  return (await quarantine.list()).map((entry) => ({ journal, quarantine, entry }))
}
