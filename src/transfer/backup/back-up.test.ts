import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFirstProject } from '../../../test/harness/first-project.ts'
import { encodeHeader, HEADER_BYTES, recordMarker } from '../../pipeline/journal/record.ts'
import { type Catalog, migrateCatalog, openCatalog } from '../../store/catalog/catalog.ts'
import { listProjects } from '../../store/catalog/projects.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import { backUp } from './back-up.ts'
import { BackupError, readManifest } from './backup-manifest.ts'

const ID = 'a0'.repeat(16)
const SEGMENT = `000000000001-${ID}.segment`
const CLOCK = { nowMs: () => 1_000 }

let root: string
let dataDir: string
let catalog: Catalog

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'millrace-back-up-'))
  dataDir = join(root, 'data')
  catalog = openCatalog({ dataDir })
  await migrateCatalog(catalog)
  mkdirSync(join(dataDir, 'journal'))
  writeFileSync(join(dataDir, 'journal', SEGMENT), record('event'))
})

afterEach(async () => {
  await catalog.destroy()
  rmSync(root, { recursive: true, force: true })
})

test('a segment that leaves the journal while ClickHouse is copied is in the journal copy', async () => {
  const clickhouse = createEngine(() => rmSync(join(dataDir, 'journal', SEGMENT)))
  await backUp({ dataDir, folder: join(root, 'backup'), catalog, clickhouse, clock: CLOCK })
  expect(readFileSync(join(root, 'backup', 'journal', SEGMENT))).toEqual(record('event'))
  expect(readFileSync(join(root, 'backup', 'clickhouse', 'part'), 'utf8')).toBe('rows')
  expect(readManifest(join(root, 'backup')).startedMs).toBe(1_000)
})

test('the catalog is copied before everything else', async () => {
  const clickhouse = createEngine(async () => void (await createFirstProject(catalog)))
  await backUp({ dataDir, folder: join(root, 'backup'), catalog, clickhouse, clock: CLOCK })
  expect(await listProjects(catalog)).toHaveLength(1)
  const copy = openCatalog({ dataDir: join(root, 'backup') })
  expect(await listProjects(copy)).toEqual([])
  await copy.destroy()
})

test('a failed backup leaves no files', async () => {
  const clickhouse = createEngine(() => {
    throw new Error('no space')
  })
  const folder = join(root, 'backups', 'one')
  await expect(backUp({ dataDir, folder, catalog, clickhouse, clock: CLOCK })).rejects.toThrow('no space')
  expect(readdirSync(join(root, 'backups'))).toEqual([])
  expect(() => readManifest(folder)).toThrow(BackupError)
})

test('a backup that does not fit on the disk is refused before anything is written, with the sizes', async () => {
  const clickhouse = createEngine(() => {
    throw new Error('the engine was asked')
  }, 2 ** 60)
  const folder = join(root, 'backups', 'one')
  await expect(backUp({ dataDir, folder, catalog, clickhouse, clock: CLOCK })).rejects.toThrow(
    /^a backup needs 1048576\.0 TiB on the disk of .*data, which has .* free; enlarge that disk or delete data$/,
  )
  expect(readdirSync(join(root, 'backups'))).toEqual([])
})

/** An engine that writes a backup of one file; `meanwhile` is what happens until it begins. */
function createEngine(meanwhile: () => void | Promise<void>, bytes = 4): ClickHouse {
  const engine = {
    exec: async ({ query }: { readonly query: string }) => {
      await meanwhile()
      const folder = /TO File\('([^']+)'\)/.exec(query)?.[1] ?? ''
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'part'), 'rows')
      return { stream: Readable.from([Buffer.from('{"id":"1"}')]) }
    },
    query: async ({ query }: { readonly query: string }) => ({
      json: async () =>
        query.includes('system.backups')
          ? [{ status: 'BACKUP_CREATED' }]
          : query.includes('system.parts')
            ? [{ bytes }]
            : [{ version: 1 }],
    }),
  }
  return engine as unknown as ClickHouse
}

function record(text: string): Buffer {
  const payload = Buffer.from(text)
  const header = Buffer.alloc(HEADER_BYTES)
  encodeHeader(header, { marker: recordMarker(ID), payload, rowCount: 1 })
  return Buffer.concat([header, payload])
}
