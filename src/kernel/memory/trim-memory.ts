import { monotonicMs } from '../clock.ts'
import { glibcVersion } from '../machine.ts'
import { collectGarbage } from './collect-garbage.ts'
import { type ProcessTime, QuietPeriods } from './quiet-periods.ts'

/** What a process does besides, each time it trims its memory. */
export type TrimOptions = {
  /** Gives up buffers that are kept for reuse, and the garbage of other threads. */
  readonly release?: () => Promise<void>
  /** Receives the resident memory before and after. */
  readonly onTrimmed?: (resident: { readonly beforeMib: number; readonly afterMib: number }) => void
}

/** Stops trimming. */
export type StopTrimming = () => void

const LOOK_EVERY_MS = 30_000

const MIB = 1024 * 1024

/**
 * Returns the memory that this process does not need to the system, each time it is quiet after it has worked: buffers, garbage, the
 * free pages of malloc, and the pages of the program and its libraries, most of which only the start or the work has used.
 * Resolves when it has loaded what it needs, so that a process can confine itself afterwards.
 */
export async function trimMemoryWhenQuiet(options: TrimOptions = {}): Promise<StopTrimming> {
  const returnPages = await loadReturnPages()
  const periods = new QuietPeriods(processTime())
  const timer = setInterval(() => {
    if (periods.begins(processTime())) void trimMemory(options, returnPages)
  }, LOOK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Without glibc, or the library that calls it, the pages stay. */
async function loadReturnPages(): Promise<() => void> {
  const stay = (): void => undefined
  if (glibcVersion() === undefined) return stay
  return await import('./return-pages.ts').then(
    ({ returnPages }) => returnPages,
    () => stay,
  )
}

function processTime(): ProcessTime {
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1000, nowMs: monotonicMs() }
}

async function trimMemory({ release, onTrimmed }: TrimOptions, returnPages: () => void): Promise<void> {
  const beforeMib = residentMib()
  // It fails when a thread ends meanwhile, and its memory goes with it.
  await release?.().catch(() => undefined)
  collectGarbage()
  returnPages()
  onTrimmed?.({ beforeMib, afterMib: residentMib() })
}

function residentMib(): number {
  return Math.round(process.memoryUsage.rss() / MIB)
}
