import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CATALOG_SCHEMA } from '../../store/catalog/catalog.ts'
import { SCHEMA_VERSION } from '../../store/clickhouse/migrate.ts'

/** The description of a backup. It is written last, so a folder without it is an incomplete backup. */
export interface BackupManifest {
  readonly version: number
  /** The start of the backup, in milliseconds since the Unix epoch. It contains all events acknowledged before. */
  readonly startedMs: number
  /** Schema version of ClickHouse. */
  readonly clickhouseSchema: number
  /** Name of the last migration of the catalog. */
  readonly catalogSchema: string
}

/** A backup cannot be made or restored; the message names the remedy. */
export class BackupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BackupError'
  }
}

/** Version of the folder's layout. */
export const BACKUP_VERSION = 1

const FILE = 'backup.json'

/** Writes the manifest, durably. */
export function writeManifest(folder: string, manifest: BackupManifest): void {
  writeFileSync(join(folder, FILE), `${JSON.stringify(manifest, undefined, 2)}\n`, {
    mode: 0o600,
    flush: true,
  })
}

/** Reads the manifest of a backup that this release can restore. Throws {@link BackupError}. */
export function readManifest(folder: string): BackupManifest {
  const manifest = parseManifest(folder)
  const { version, clickhouseSchema, catalogSchema } = manifest
  const isNewer =
    version > BACKUP_VERSION || clickhouseSchema > SCHEMA_VERSION || catalogSchema > CATALOG_SCHEMA
  if (isNewer) throw new BackupError(`${folder} was made by a newer release; upgrade Millrace`)
  return manifest
}

function parseManifest(folder: string): BackupManifest {
  try {
    return JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as BackupManifest
  } catch (error) {
    throw new BackupError(`${folder} is not a complete backup: ${FILE} is missing or unreadable`, {
      cause: error,
    })
  }
}
