import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { createLogger } from '../../kernel/log.ts'
import { parseSettings, type Settings } from '../../settings/settings.ts'
import type { Patient } from './check.ts'
import { checkDataFolder, checkDisk, checkOpenFiles, checkSync, judgeMemory } from './machine.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'millrace-doctor-'))

afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true })
})

function patient(fields: Partial<Settings>): Patient {
  const settings = parseSettings({ SERVICE_DATA_DIR: dataDir })
  if (!settings.ok) throw new Error(settings.error)
  return {
    settings: { ...settings.value, ...fields },
    clock: systemClock,
    log: createLogger({ role: 'test', level: 'silent' }),
    isServed: false,
    clickhouse: { status: 'absent' },
    redis: undefined,
  }
}

test('less free space than the journal may need is a warning', async () => {
  expect(await checkDisk(patient({ journalBytesMax: 1 }))).toMatchObject({ status: 'ok' })
  expect(await checkDisk(patient({ journalBytesMax: Number.MAX_SAFE_INTEGER }))).toEqual({
    status: 'warn',
    text: expect.stringContaining('SERVICE_JOURNAL_MAX_BYTES'),
  })
})

test.each([
  [
    'less than a gibibyte',
    {},
    512,
    'warn',
    '512.0 MiB, less than 1.0 GiB: the store may refuse heavy queries',
  ],
  [
    'less for the store than one statement may use',
    {},
    1024,
    'warn',
    'SERVICE_QUERY_MAX_MEMORY_BYTES=268435456',
  ],
  ['with the setting that was proposed', { queryMemoryBytesMax: 268_435_456 }, 1024, 'ok', 'up to 614.4 MiB'],
  ['enough', {}, 8192, 'ok', '8.0 GiB, of which the store uses up to 4.8 GiB'],
  ['a store on another machine', { clickhouseUrl: 'http://store:8123/d' }, 512, 'ok', '512.0 MiB'],
])('memory: %s', (_, fields, mebibytes, status, text) => {
  const finding = judgeMemory(patient(fields).settings, mebibytes * 1024 * 1024)
  expect(finding).toEqual({ status, text: expect.stringContaining(text) })
})

test('the number of connections is reported, and a low limit is a warning', async () => {
  const { status, text } = await checkOpenFiles(patient({ http2: 'on' }))
  const [files = 0, connections = 0] = [...text.matchAll(/\d+/g)].map(Number)
  expect(connections).toBeLessThan(files)
  expect(status).toBe(files < 8192 ? 'warn' : 'ok')
})

test('the sync check measures the disk and leaves no file', async () => {
  expect((await checkSync(patient({}))).text).toMatch(
    /^a sync takes \d+\.\d ms, the slowest of 20 \d+\.\d ms/,
  )
  expect(readdirSync(dataDir)).toEqual([])
})

test('a data folder that is a file, or below one, fails', async () => {
  const file = join(import.meta.dirname, 'machine.test.ts')
  expect(await checkDataFolder(patient({ dataDir: '/dev/null' }))).toMatchObject({ status: 'fail' })
  expect(await checkDataFolder(patient({ dataDir: join(file, 'data') }))).toMatchObject({ status: 'fail' })
})
