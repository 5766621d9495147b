import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isDiskFull, isOneDisk, readFreeBytes, readFreeBytesSync } from './disk-space.ts'

test('two folders are on one disk, and a missing folder is on none', () => {
  expect(isOneDisk(tmpdir(), tmpdir())).toBe(true)
  expect(isOneDisk(tmpdir(), '/proc')).toBe(false)
  expect(isOneDisk(tmpdir(), join(tmpdir(), 'millrace-is-not-here'))).toBe(false)
})

test('a disk has free bytes, and a missing folder has none to tell of', async () => {
  expect(await readFreeBytes(tmpdir())).toBeGreaterThan(0)
  expect(readFreeBytesSync(tmpdir())).toBeGreaterThan(0)
  await expect(readFreeBytes(join(tmpdir(), 'millrace-is-not-here'))).rejects.toThrow('ENOENT')
})

test.each([
  ['ENOSPC: no space left on device, write', true],
  ['filesystem error: in create_directories: No space left on device ["/data/store"]', true],
  ['Cannot reserve 36.50 MiB, not enough space. ', true],
  ['database or disk is full', true],
  ['EACCES: permission denied', false],
])('%s: %s', (message, expected) => {
  expect(isDiskFull(new Error(message))).toBe(expected)
})
