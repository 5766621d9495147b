import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createLogger } from '../../kernel/log.ts'
import { openClickHouse } from '../../store/clickhouse/client.ts'
import { diskFiles } from '../journal/files.ts'
import { journalFolders } from '../journal/journal-folders.ts'
import {
  listQuarantinedBlocks,
  Quarantine,
  type QuarantinedBlock,
  type QuarantineReason,
} from '../journal/quarantine.ts'
import { replayBlock } from './journal-inserts.ts'

const log = createLogger({ role: 'test', level: 'silent' })
const dataDir = mkdtempSync(join(tmpdir(), 'millrace-replay-'))
const SEGMENT = 'a1'.repeat(16)

afterAll(() => rmSync(dataDir, { recursive: true }))

async function setAside(offset: number, reason: QuarantineReason): Promise<QuarantinedBlock> {
  const quarantine = await Quarantine.open(diskFiles, journalFolders(dataDir, 'identify').quarantineFolder)
  const facts = { reason, error: 'code 117', rows: 1, segment: SEGMENT, offset }
  await quarantine.add({ ...facts, payload: Buffer.from('{}\n') }, log)
  const blocks = await listQuarantinedBlocks(dataDir, 'identify')
  const block = blocks.find(({ entry }) => entry.offset === offset)
  if (!block) throw new Error('the block is not listed')
  return block
}

test('a damaged part of a journal is refused before the store is opened', async () => {
  const block = await setAside(1, 'damaged')
  const replayed = await replayBlock(block, () => expect.unreachable('the store is opened'))
  expect(replayed).toEqual({ ok: false, error: expect.stringContaining('damaged part of the journal') })
})

test('a block that the store does not take stays in quarantine, with the reason as the error', async () => {
  const block = await setAside(2, 'rejected')
  const nowhere = openClickHouse(
    { url: 'http://127.0.0.1:1', database: 'default', username: '', password: '' },
    { application: 'test', connectionsMax: 1, requestTimeoutMs: 1000 },
  )
  const replayed = await replayBlock(block, () => nowhere)
  expect(replayed).toEqual({ ok: false, error: expect.stringContaining(`${SEGMENT}-2: `) })
  expect((await listQuarantinedBlocks(dataDir, 'identify')).map(({ entry }) => entry.offset)).toContain(2)
})

test('a journal without a quarantine has no blocks, and gets no folder', async () => {
  const other = join(dataDir, 'other')
  expect(await listQuarantinedBlocks(other, 'events')).toEqual([])
  expect(existsSync(other)).toBe(false)
})
