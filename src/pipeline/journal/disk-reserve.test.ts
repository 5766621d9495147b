import { expect, test, vi } from 'vitest'
import { FakeDisk } from '../../../test/harness/fake-disk.ts'
import { createLogger } from '../../kernel/log.ts'
import { DiskReserve, reserveBytes } from './disk-reserve.ts'
import { openJournal } from './journal.ts'

const MIB = 1024 ** 2

/** A reserve of 100 bytes of a disk and a clock that the test moves. */
function makeReserve() {
  const log = createLogger({ role: 'test', level: 'silent' })
  const lines: string[] = []
  vi.spyOn(log, 'error').mockImplementation((_, message) => void lines.push(`error: ${message}`))
  vi.spyOn(log, 'info').mockImplementation((_, message) => void lines.push(`info: ${message}`))
  const disk = { free: 100, nowMs: 0, reads: 0 }
  const reserve = new DiskReserve({
    folder: '/data',
    bytesMin: 100,
    log,
    nowMs: () => disk.nowMs,
    readFree: async () => {
      disk.reads++
      return disk.free
    },
  })
  /** Whether the disk is short once it has been looked at again. */
  const look = async (free: number, afterMs = 1000): Promise<boolean> => {
    disk.free = free
    disk.nowMs += afterMs
    reserve.isShort()
    await Promise.resolve()
    await new Promise(setImmediate)
    return reserve.isShort()
  }
  return { reserve, disk, lines, look, log }
}

test('a disk is short below its reserve, and no longer once there is room', async () => {
  const { look } = makeReserve()
  expect([await look(100), await look(99), await look(100)]).toEqual([false, true, false])
})

test('many questions at once look at the disk once', async () => {
  const { reserve, disk, look } = makeReserve()
  for (let count = 0; count < 1000; count++) reserve.isShort()
  expect(disk.reads).toBe(1)
  await look(99, 150)
  expect(disk.reads).toBe(1)
})

test('a disk that is short again and again is logged once a minute, with what to do', async () => {
  const { look, lines } = makeReserve()
  for (let count = 0; count < 20; count++) await look(count % 2 === 0 ? 99 : 100)
  expect(lines).toEqual([expect.stringMatching(/^error: .*enlarge the disk or delete data$/)])
  await look(100, 60_000)
  expect(lines.slice(1)).toEqual([expect.stringMatching(/^info: .*events are accepted$/)])
})

test('a journal accepts nothing while the disk is short, keeps what it has, and goes on by itself', async () => {
  const { reserve, look, log } = makeReserve()
  const journal = await openJournal({
    folder: '/j',
    quarantineFolder: '/q',
    bytesMax: 1e9,
    reserve,
    sync: 'always',
    files: new FakeDisk(),
    log,
    batchRowsMax: 1000,
    batchBytesMax: 1e6,
    batchMs: 1e6,
  })
  await journal.append(Buffer.from('kept'), 1)
  await look(99)
  expect(journal.isFull).toBe(true)
  await expect(journal.append(Buffer.from('refused'), 1)).rejects.toMatchObject({
    code: 'resource_exhausted',
    retryAfterSeconds: 1,
  })
  expect(journal.rowCount).toBe(1)
  await look(100)
  expect(journal.isFull).toBe(false)
  await journal.append(Buffer.from('later'), 1)
  expect(journal.rowCount).toBe(2)
  await journal.close()
})

test('the reserve has room for the INSERTs of the segments that are being sent', () => {
  expect(reserveBytes(64 * 1024)).toBe(128 * MIB)
  expect(reserveBytes(256 * MIB)).toBe(1024 * MIB)
})
