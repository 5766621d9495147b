import { monotonicMs } from '../../kernel/clock.ts'
import { readFreeBytes } from '../../kernel/disk-space.ts'
import type { Logger } from '../../kernel/log.ts'

/** Options of a reserve. */
export interface DiskReserveOptions {
  /** A folder of the disk. */
  readonly folder: string
  /** Free bytes below which the disk is short. */
  readonly bytesMin: number
  readonly log: Logger
  /** Free bytes of the disk of a folder. */
  readonly readFree?: (folder: string) => Promise<number>
  readonly nowMs?: () => number
}

/** Age of a reading: a fast disk takes less than a tenth of the smallest reserve in it. */
const FRESH_MS = 200

/** Repeated messages are this far apart: around the limit, the state changes with each segment. */
const LOG_MS = 60_000

const RESERVE_BYTES_MIN = 128 * 1024 ** 2

/** Segments of which each needs room for its INSERT while its file still exists: two that are sent, and as much for a merge. */
const RESERVED_SEGMENTS = 4

/** Free bytes that are kept for the store when the journal is on its disk. */
export function reserveBytes(batchBytesMax: number): number {
  return Math.max(RESERVE_BYTES_MIN, RESERVED_SEGMENTS * batchBytesMax)
}

/**
 * The last free bytes of a disk that the journal shares with the store. A journal that fills the disk leaves no room for the
 * INSERTs that would empty it, and none for the catalog. The disk is looked at when {@link isShort} is called, and not otherwise.
 */
export class DiskReserve {
  readonly #options: DiskReserveOptions & Required<Pick<DiskReserveOptions, 'readFree' | 'nowMs'>>
  #isShort = false
  #readAtMs = Number.NEGATIVE_INFINITY
  #isReading = false
  #loggedAtMs = Number.NEGATIVE_INFINITY
  #isLogged = false

  constructor(options: DiskReserveOptions) {
    this.#options = { readFree: readFreeBytes, nowMs: monotonicMs, ...options }
  }

  /** Whether less than the reserve was free at the last reading, which the call renews for later ones. */
  isShort(): boolean {
    const nowMs = this.#options.nowMs()
    if (!this.#isReading && nowMs - this.#readAtMs >= FRESH_MS) {
      this.#readAtMs = nowMs
      void this.#read()
    }
    return this.#isShort
  }

  async #read(): Promise<void> {
    const { readFree, folder, bytesMin } = this.#options
    this.#isReading = true
    try {
      this.#note((await readFree(folder)) < bytesMin)
    } catch {
      // A disk that cannot be read fails the writes of the journal, which reports it.
    } finally {
      this.#isReading = false
    }
  }

  #note(isShort: boolean): void {
    this.#isShort = isShort
    const { nowMs, log, folder, bytesMin } = this.#options
    if (isShort === this.#isLogged || nowMs() - this.#loggedAtMs < LOG_MS) return
    this.#isLogged = isShort
    this.#loggedAtMs = nowMs()
    const freeMiBMin = Math.round(bytesMin / 1024 ** 2)
    if (isShort)
      log.error(
        { folder, freeMiBMin },
        'the disk of the data folder is almost full: no events are accepted until there is room; enlarge the disk or delete data',
      )
    else log.info({ folder }, 'the disk of the data folder has room: events are accepted')
  }
}
