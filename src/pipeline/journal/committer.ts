import { monotonicMs, sleep } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { StallDetector } from '../../kernel/stall-detector.ts'
import { isNoDescriptor, isNoSpace } from './files.ts'
import { syncSeconds } from './journal-metrics.ts'
import type { Block, OpenSegment } from './open-segment.ts'
import { journalStalled, journalStopped, noRoom } from './refusals.ts'
import { recordBytes } from './scan.ts'
import type { SealedSegment } from './segment.ts'
import type { SegmentPool } from './segment-pool.ts'

/** Options and callbacks of a committer. */
export interface CommitterOptions {
  readonly segments: SegmentPool
  readonly folder: string
  readonly sync: 'always' | number
  readonly batchRowsMax: number
  readonly batchBytesMax: number
  readonly log: Logger
  /** Called when a segment has its first record. */
  readonly onOpened: () => void
  readonly onSealed: (segment: SealedSegment) => void
  readonly onDiskFull: () => void
}

interface QueuedBlock extends Block {
  readonly resolve: () => void
  readonly reject: (error: Error) => void
  /** Its append was already rejected because the disk stalls. */
  isRejected: boolean
}

/** Records per commit: their buffers are written with one system call. */
const GROUP_RECORDS_MAX = 500

/** Attempts to open a file without a free descriptor. Connections close all the time: one is free within two seconds, or not soon. */
const OPEN_ATTEMPTS = 20
const OPEN_RETRY_MS = 100

/** Repeated messages about rejected groups are this far apart. */
const REJECTION_LOG_MS = 60_000

/**
 * Group commit: writes blocks to the open segment in groups, each of the blocks that arrived during the previous commit. One
 * loop does all work on the open segment, so no two operations overlap.
 */
export class Committer {
  readonly #options: CommitterOptions
  readonly #failure = Promise.withResolvers<Error>()
  readonly #stalls: StallDetector
  #failed: Error | undefined
  #stopped: Error | undefined
  /** Blocks of the running commit come first. */
  #waiting: QueuedBlock[] = []
  #waitingBytes = 0
  #committingCount = 0
  #open: OpenSegment | undefined
  #isSealRequested = false
  #isRunning = false
  #onIdle: (() => void)[] = []
  #syncTimer: NodeJS.Timeout | undefined
  #syncing: Promise<void> = Promise.resolve()
  #rejectionLoggedMs = Number.NEGATIVE_INFINITY

  constructor(options: CommitterOptions) {
    this.#options = options
    this.#stalls = new StallDetector({ subject: 'the disk of the journal', log: options.log })
  }

  /** Resolves with the error that ended all commits for good. */
  get failed(): Promise<Error> {
    return this.#failure.promise
  }

  /** Whether commits have ended for good. */
  get hasFailed(): boolean {
    return this.#failed !== undefined
  }

  /** Whether the disk stalls now. */
  get isStalled(): boolean {
    return this.#stalls.stalledCount > 0
  }

  /** Bytes of the open segment's records. */
  get openBytes(): number {
    return this.#open?.end ?? 0
  }

  /** Rows of the open segment's records. */
  get openRows(): number {
    return this.#open?.rowCount ?? 0
  }

  /** Monotonic time of the open segment's first record. */
  get openSinceMs(): number | undefined {
    return this.#open?.firstMs
  }

  /** Bytes of records that wait for their commit. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** See `Journal.append`. */
  append(block: Block): Promise<void> {
    return new Promise((resolve, reject) => {
      const stopped = this.#failed ?? this.#stopped
      if (stopped) return reject(journalStopped(stopped))
      if (this.isStalled) return reject(noRoom('disk_stalled'))
      this.#waiting.push({ ...block, resolve, reject, isRejected: false })
      this.#waitingBytes += recordBytes(block.bytes)
      this.#start()
    })
  }

  /** Seals the open segment with the next commit. */
  requestSeal(): void {
    this.#isSealRequested = true
    this.#start()
  }

  /** Seals the open segment after the queued appends; also resolves when that fails. */
  async seal(): Promise<void> {
    await this.#untilIdle()
    this.requestSeal()
    await this.#untilIdle()
  }

  /** Rejects further appends, finishes the queued ones, and leaves the open segment durable but unsealed. */
  async close(reason: Error): Promise<void> {
    this.#stopped = reason
    await this.#untilIdle()
    clearTimeout(this.#syncTimer)
    await this.#syncing
    const open = this.#open
    this.#open = undefined
    if (!open) return
    if (!this.#failed && this.#options.sync !== 'always') await this.#guard(() => this.#sync(open))
    // All promised records are durable by now, or the journal has failed already.
    await open.close().catch(() => undefined)
  }

  async #untilIdle(): Promise<void> {
    if (this.#isRunning) await new Promise<void>((resolve) => this.#onIdle.push(resolve))
  }

  #start(): void {
    if (this.#isRunning || this.#failed) return
    this.#isRunning = true
    // Blocks of several workers that arrive together make one group.
    setImmediate(() => void this.#run())
  }

  async #run(): Promise<void> {
    while (!this.#failed && (this.#waiting.length > 0 || this.#isSealRequested)) {
      await this.#guard(() => this.#commit(this.#takeGroup()))
    }
    this.#isRunning = false
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  /** Any error here leaves the file in an unknown state: a failed fdatasync is never retried. */
  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await this.#stalls.during(work, () => this.#rejectQueued())
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #fail(error: Error): void {
    if (this.#failed) return
    this.#failed = error
    this.#options.log.fatal({ err: error }, 'the journal failed: no more events are acknowledged')
    rejectAll(this.#waiting.splice(0), () => journalStopped(error))
    this.#waitingBytes = 0
    this.#failure.resolve(error)
  }

  /** Rejects all appends while the disk stalls. Blocks of the running commit may still become part of the journal. */
  #rejectQueued(): void {
    const unwritten = this.#waiting.splice(this.#committingCount)
    for (const { bytes } of unwritten) this.#waitingBytes -= recordBytes(bytes)
    rejectAll([...this.#waiting, ...unwritten], journalStalled)
    for (const block of this.#waiting) block.isRejected = true
  }

  /** The queued blocks that fit in the open segment and in one commit. */
  #takeGroup(): { readonly group: readonly QueuedBlock[]; readonly isFull: boolean } {
    const { batchRowsMax, batchBytesMax } = this.#options
    let rows = this.openRows
    let bytes = this.openBytes
    let isFull = false
    let count = 0
    for (const block of this.#waiting) {
      count++
      rows += block.rowCount
      bytes += recordBytes(block.bytes)
      isFull = rows >= batchRowsMax || bytes >= batchBytesMax
      if (isFull || count === GROUP_RECORDS_MAX) break
    }
    this.#committingCount = count
    return { group: this.#waiting.slice(0, count), isFull }
  }

  async #commit({ group, isFull }: { group: readonly QueuedBlock[]; isFull: boolean }): Promise<void> {
    const seal = isFull || this.#isSealRequested
    if (group.length === 0 && this.openRows === 0) {
      this.#isSealRequested = false
      return
    }
    try {
      await this.#write(group, seal)
    } catch (error) {
      if (!isNoSpace(error) && !isNoDescriptor(error)) throw error
      this.#rejectGroup(group, error)
      // The seal is only a marker: a full disk must not prevent the segment's delivery.
      if (!this.#isSealRequested || this.openRows === 0) return
      await this.#syncOpen()
      return await this.#finishSegment()
    }
    if (!this.#failed) for (const { bytes } of group) this.#waitingBytes -= recordBytes(bytes)
    if (this.#options.sync === 'always' || seal) await this.#syncOpen()
    else this.#startSyncTimer()
    this.#settle(group)
    if (seal) await this.#finishSegment()
  }

  /**
   * Writes a group. Rejects with ENOSPC or EMFILE when the group is certainly not in the file, and with another error when that
   * is unknown. Only opening a file is retried when there is no descriptor, because nothing is written before.
   */
  async #write(group: readonly QueuedBlock[], seal: boolean): Promise<void> {
    for (let isRetry = false; ; isRetry = true) {
      try {
        this.#open ??= await this.#takeSegment()
        const isFirst = this.#open.end === 0
        await this.#open.write(group, { seal })
        if (isFirst) this.#options.onOpened()
        return
      } catch (error) {
        if (!isNoSpace(error)) throw error
        await this.#truncate()
        if (isRetry || !(await this.#options.segments.dropSpares())) throw error
      }
    }
  }

  async #takeSegment(): Promise<OpenSegment> {
    for (let attemptsLeft = OPEN_ATTEMPTS; ; attemptsLeft--) {
      try {
        return await this.#options.segments.take()
      } catch (error) {
        if (!isNoDescriptor(error) || attemptsLeft <= 1) throw error
        await sleep(OPEN_RETRY_MS)
      }
    }
  }

  async #truncate(): Promise<void> {
    try {
      await this.#open?.truncate()
    } catch (error) {
      throw new Error('a partial write could not be truncated', { cause: error })
    }
  }

  #settle(group: readonly QueuedBlock[]): void {
    if (this.#failed) return
    this.#dequeue(group)
    for (const { resolve } of group) resolve()
  }

  #dequeue(group: readonly QueuedBlock[]): void {
    this.#waiting.splice(0, group.length)
    this.#committingCount = 0
  }

  #rejectGroup(group: readonly QueuedBlock[], error: unknown): void {
    if (this.#failed) return
    this.#dequeue(group)
    for (const { bytes } of group) this.#waitingBytes -= recordBytes(bytes)
    this.#options.onDiskFull()
    const isFull = isNoSpace(error)
    if (group.length > 0) this.#logRejection(isFull)
    rejectAll(group, () => noRoom(isFull ? 'disk_full' : 'no_descriptor', error))
  }

  /** Clients retry every second, for as long as the cause lasts. */
  #logRejection(isFull: boolean): void {
    const nowMs = monotonicMs()
    if (nowMs - this.#rejectionLoggedMs < REJECTION_LOG_MS) return
    this.#rejectionLoggedMs = nowMs
    const { log, folder } = this.#options
    const message = isFull
      ? 'the disk of the journal is full: no events are accepted until there is room; enlarge the disk or delete data'
      : 'the journal cannot open a file: raise the limit of open files (ulimit -n)'
    log.error({ folder }, message)
  }

  async #finishSegment(): Promise<void> {
    const open = this.#open
    if (!open) return
    this.#isSealRequested = false
    clearTimeout(this.#syncTimer)
    this.#syncTimer = undefined
    await this.#syncing
    if (this.#failed) return
    this.#open = undefined
    this.#options.onSealed(open.sealed())
    await open.close()
  }

  async #syncOpen(): Promise<void> {
    if (this.#open) await this.#sync(this.#open)
  }

  async #sync(segment: OpenSegment): Promise<void> {
    const startedMs = monotonicMs()
    try {
      await segment.sync()
    } catch (error) {
      // Not even ENOSPC is retried: the kernel may have dropped the pages that it could not write.
      throw new Error('the journal could not be synced', { cause: error })
    }
    syncSeconds.observe((monotonicMs() - startedMs) / 1000)
  }

  #startSyncTimer(): void {
    if (typeof this.#options.sync !== 'number') return
    this.#syncTimer ??= setTimeout(() => {
      this.#syncTimer = undefined
      // Chained: a sync may take longer than the period, and a sealed file is closed after its last sync.
      this.#syncing = this.#syncing.then(async () => await this.#guard(() => this.#syncOpen()))
    }, this.#options.sync)
  }
}

/** Rejects blocks that were not rejected yet; each with its own error, because errors are counted. */
function rejectAll(blocks: readonly QueuedBlock[], createError: () => Error): void {
  for (const { isRejected, reject } of blocks) if (!isRejected) reject(createError())
}
