import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import { createLogger } from '../../kernel/log.ts'
import { diskFiles } from '../../pipeline/journal/files.ts'
import { openJournal } from '../../pipeline/journal/journal.ts'
import { JOURNAL_NAMES, journalFolders } from '../../pipeline/journal/journal-folders.ts'
import { Quarantine } from '../../pipeline/journal/quarantine.ts'
import { openLeftovers } from './leftovers.ts'

const log = createLogger({ role: 'test', level: 'silent' })
const WAIT_MS = 50
let root: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'millrace-leftovers-'))
})

afterAll(() => rmSync(root, { recursive: true }))

describe.each(JOURNAL_NAMES)('the journal of %s', (name) => {
  test('counts as undelivered while rows wait', async () => {
    const dataDir = join(root, name)
    const folders = journalFolders(dataDir, name)
    mkdirSync(folders.folder, { recursive: true })
    const journal = await openJournal({
      ...folders,
      bytesMax: 1024 ** 2,
      sync: 'always',
      batchRowsMax: 1,
      batchBytesMax: 1024,
      batchMs: 1,
      log,
    })
    const { untilDelivered } = openLeftovers(dataDir, log, WAIT_MS)
    const never = new AbortController().signal
    expect(await untilDelivered(never)).toBe(true)
    await journal.append(Buffer.from('row'), 1)
    expect(await untilDelivered(never)).toBe(false)
    await journal.close()
  })
})

test('rows of the erased user leave both quarantines, and others stay', async () => {
  const dataDir = join(root, 'quarantines')
  const { quarantineFolder } = journalFolders(dataDir, 'identify')
  const quarantine = await Quarantine.open(diskFiles, quarantineFolder)
  const rows = ['ann', 'bob'].map((id) => `${JSON.stringify({ project: 1, external_id: id })}\n`)
  const facts = { reason: 'rejected', error: 'e', rows: 2, segment: 'ab'.repeat(16), offset: 0 } as const
  await quarantine.add({ ...facts, payload: Buffer.from(rows.join('')) }, log)
  const erased = await openLeftovers(dataDir, log).erase({
    projectId: asProjectId(1),
    externalId: 'ann',
    findErased: async (ids) => new Set(ids.filter((id) => id === 'ann')),
  })
  expect(erased).toBe(1)
  const left = readFileSync(join(quarantineFolder, `${'ab'.repeat(16)}-0.block`), 'utf8')
  expect(left).toBe(rows[1])
})
