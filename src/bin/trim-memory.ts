import { monotonicMs } from '../kernel/clock.ts'
import { collectGarbage } from '../kernel/collect-garbage.ts'
import type { Logger } from '../kernel/log.ts'
import { type ProcessTime, QuietPeriods } from '../kernel/quiet-periods.ts'
import { readMachineFacts } from '../store/embedded/platform.ts'

const LOOK_EVERY_MS = 30_000

const MIB = 1024 * 1024

/** Stops trimming. */
export type StopTrimming = () => void

/**
 * Returns the memory that this process does not need to the system, each time it is quiet after it has worked: `release` gives up
 * buffers that are kept for reuse and the garbage of other threads, then follow that of this thread and the free pages of malloc.
 */
export function trimMemoryWhenQuiet(log: Logger, release: () => Promise<void>): StopTrimming {
  const periods = new QuietPeriods(processTime())
  const timer = setInterval(() => {
    if (periods.begins(processTime())) void trimMemory(log, release)
  }, LOOK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function processTime(): ProcessTime {
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1000, nowMs: monotonicMs() }
}

/** Without glibc, or the library that calls it, the free pages stay with malloc. */
async function trimHeap(): Promise<void> {
  if (readMachineFacts().glibcVersion === undefined) return
  const libc = await import('../store/embedded/libc.ts')
  libc.trimHeap()
}

async function trimMemory(log: Logger, release: () => Promise<void>): Promise<void> {
  const before = process.memoryUsage.rss()
  // It fails when a thread ends meanwhile, and its memory goes with it.
  await release().catch(() => undefined)
  collectGarbage()
  await trimHeap().catch(() => undefined)
  const mib = (bytes: number): number => Math.round(bytes / MIB)
  log.debug({ beforeMib: mib(before), afterMib: mib(process.memoryUsage.rss()) }, 'memory trimmed')
}
