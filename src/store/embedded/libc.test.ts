import { expect, test } from 'vitest'
import { trimHeap } from './libc.ts'
import { readMachineFacts } from './platform.ts'

test.runIf(readMachineFacts().glibcVersion)('the free pages of malloc go back to the system', () => {
  trimHeap()
  // Buffers below the threshold of mmap, whose pages stay with malloc.
  const buffers = Array.from({ length: 400 }, () => Buffer.alloc(100 * 1024, 1))
  expect(buffers.every((buffer) => buffer[0] === 1)).toBe(true)
  expect(typeof trimHeap()).toBe('boolean')
})
