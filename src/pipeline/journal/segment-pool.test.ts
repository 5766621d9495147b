import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { waitFor } from '../../../test/harness/wait.ts'
import { diskFiles } from './files.ts'
import { SegmentPool } from './segment-pool.ts'

const IDLE_MS = 10_000

let folder: string
let pool: SegmentPool

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pool-'))
  pool = new SegmentPool(diskFiles, folder, 0)
})

afterEach(async () => {
  vi.useRealTimers()
  await pool.close()
  rmSync(folder, { recursive: true })
})

/** One use of a file: a record of so many bytes that all hold the letter, delivered. */
async function use(letter: string, byteCount: number): Promise<void> {
  const segment = await pool.take()
  await segment.write([{ bytes: Buffer.alloc(byteCount, letter), rowCount: 1 }], { seal: true })
  await segment.close()
  await pool.retire(segment.sealed())
}

function holds(letters: string): boolean {
  return readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(letters))
}

test('the file of a delivered segment is reused', async () => {
  await use('a', 1000)
  await pool.take().then((segment) => segment.close())
  const next = await pool.take()
  await next.close()
  expect(readFileSync(next.path).includes('aaaa')).toBe(true)
})

test('bytes of an earlier use beyond a shorter one are truncated at the next delivery', async () => {
  await use('a', 100_000)
  for (let turn = 0; turn < 12; turn++) await use('b', 100)
  expect(holds('aaaa')).toBe(false)
  expect(holds('bbbb')).toBe(true)
})

test('when the journal is idle, no file contains delivered rows', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await use('a', 1000)
  await use('b', 1000)
  await use('c', 1000)
  await vi.advanceTimersByTimeAsync(IDLE_MS)
  vi.useRealTimers()
  await waitFor('empty files', () => (['aaaa', 'bbbb', 'cccc'].some(holds) ? undefined : true))
  await use('d', 1000)
  expect(holds('dddd')).toBe(true)
})

test('a closed pool leaves no files', async () => {
  await use('a', 1000)
  await pool.close()
  expect(readdirSync(folder)).toEqual([])
})

test('a file that is taken while its name becomes durable is not truncated after its first record', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const cuts: number[] = []
  let named: Promise<void> = Promise.resolve()
  const slow = new SegmentPool(
    {
      ...diskFiles,
      create: async (path) => {
        const file = await diskFiles.create(path)
        return { ...file, truncate: async (length) => void cuts.push(length) }
      },
      syncFolder: async () => await named,
    },
    folder,
    0,
  )
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = await slow.take()
  // The one ahead is still on its way when it is asked for.
  named = promise
  const taking = slow.take()
  await first.write([{ bytes: Buffer.from('a'), rowCount: 1 }], { seal: true })
  await slow.retire(first.sealed())
  await vi.advanceTimersByTimeAsync(IDLE_MS)
  resolve()
  const second = await taking
  expect(cuts).toEqual([])
  await Promise.all([first, second].map((segment) => segment.close()))
  await slow.close()
})
