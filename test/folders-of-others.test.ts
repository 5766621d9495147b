import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ended, runMillrace } from './harness/service.ts'
import { canMount, mountDisk, unmountDisk } from './harness/small-disk.ts'
import { freePort } from './harness/wait.ts'

/** Root may do everything: where it runs the tests, the commands are run as nobody. */
const ANOTHER = process.getuid?.() === 0 ? { uid: 65_534 } : {}
const canRunAsAnother = (await runMillrace(['help'], {}, ANOTHER)).code === 0

const ID = `${'c2'.repeat(16)}-0`
const ENTRY = { id: ID, reason: 'rejected', error: 'no', rows: 1, bytes: 1, segment: '', offset: 0, time: '' }

let dataDir: string

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'millrace-of-another-'))
  const quarantine = join(dataDir, 'quarantine')
  mkdirSync(quarantine)
  writeFileSync(join(quarantine, `${ID}.json`), JSON.stringify(ENTRY))
  writeFileSync(join(quarantine, `${ID}.block`), '-')
  for (const folder of [quarantine, dataDir]) chmodSync(folder, 0o555)
})

afterAll(() => {
  for (const folder of [dataDir, join(dataDir, 'quarantine')]) chmodSync(folder, 0o755)
  rmSync(dataDir, { recursive: true, force: true })
})

async function run(words: readonly string[], extra: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return await runMillrace(words, { SERVICE_DATA_DIR: dataDir, ...extra }, ANOTHER)
}

/** Stores without a server. */
async function serversElsewhere(): Promise<Readonly<Record<string, string>>> {
  return {
    SERVICE_DATABASE_URL: `postgres://millrace@127.0.0.1:${await freePort()}/millrace`,
    SERVICE_CLICKHOUSE_URL: `http://127.0.0.1:${await freePort()}`,
  }
}

describe.skipIf(!canRunAsAnother)('in a data folder that this user can only read', () => {
  test.each([
    { words: ['keys', 'list'] },
    { words: ['projects', 'list'] },
    { words: ['migrate'] },
    { words: ['backup', '/nowhere'] },
    { words: ['export'] },
    { words: ['quarantine', 'replay', ID] },
  ])('what would write is refused: $words', async ({ words }) => {
    const { code, stderr } = await run(words)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^millrace: this user cannot write to .*of-another-\S+ \(EACCES\); .*\n$/)
  })

  test.each([
    { words: ['keys', 'list'] },
    { words: ['projects', 'list'] },
    { words: ['migrate'] },
    { words: ['export'] },
  ])('what needs nothing of it is not: $words', async ({ words }) => {
    const { code, stderr } = await run(words, await serversElsewhere())
    expect(code).toBe(1)
    expect(stderr).toMatch(/^millrace: cannot use the catalog of SERVICE_DATABASE_URL: .*\n$/)
  })

  test('quarantine is looked at', async () => {
    expect(await run(['quarantine', 'list'])).toMatchObject({ code: 0, stdout: expect.stringContaining(ID) })
    expect(await run(['quarantine', 'show', ID])).toMatchObject({ code: 0, stderr: '' })
  })

  test('quarantine of files that are not for this user is one line', async () => {
    const path = join(dataDir, 'quarantine', `${ID}.json`)
    chmodSync(path, 0o000)
    const { code, stderr } = await run(['quarantine', 'list'])
    chmodSync(path, 0o644)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^millrace: this user cannot read .*quarantine \(EACCES\); .*\n$/)
  })
})

describe.runIf(canMount())('on a file system that is read-only', () => {
  let disk: string

  beforeAll(() => {
    disk = mkdtempSync(join(tmpdir(), 'millrace-read-only-'))
    if (!mountDisk(disk, 1, 'ro')) throw new Error('the disk could not be mounted')
  })

  afterAll(() => {
    unmountDisk(disk)
    rmSync(disk, { recursive: true, force: true })
  })

  test.each([
    { words: ['start'], folder: 'new' },
    { words: ['keys', 'list'], folder: '' },
    { words: ['backup', '/nowhere'], folder: '' },
  ])('$words names the cause', async ({ words, folder }) => {
    const { code, stderr } = await runMillrace(words, { SERVICE_DATA_DIR: join(disk, folder) })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^millrace: cannot write to .*; its file system is read-only: .*\n$/)
  })
})
