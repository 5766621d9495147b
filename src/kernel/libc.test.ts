import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { trimHeap } from './libc.ts'
import { glibcVersion } from './machine.ts'
import { collectGarbage } from './memory/collect-garbage.ts'

/** Below the threshold of mmap, so that malloc keeps the pages of buffers that are freed between others. */
const BUFFER_BYTES = 100 * 1024
const BUFFER_COUNT = 1000
const KEPT_EVERY = 20

test.runIf(glibcVersion())('the free pages of malloc go back to the system', () => {
  const kept = keepFew()
  collectGarbage()
  const beforeKib = residentKib()
  trimHeap()
  const buffersKib = (BUFFER_COUNT * BUFFER_BYTES) / 1024
  expect(beforeKib - residentKib()).toBeGreaterThan(buffersKib / 2)
  expect(kept).toHaveLength(BUFFER_COUNT / KEPT_EVERY)
})

/** Fills many buffers and lets go of most, in a function of its own, after which nothing refers to them. */
function keepFew(): readonly Buffer[] {
  const buffers = Array.from({ length: BUFFER_COUNT }, () => Buffer.alloc(BUFFER_BYTES, 1))
  return buffers.filter((_, index) => index % KEPT_EVERY === 0)
}

function residentKib(): number {
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
}
