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

/** What the committer works with and whom it tells. */
export interface CommitterOptions {
  readonly segments: SegmentPool
  readonly sync: 'always' | number
  readonly batchRowsMax: number
  readonly batchBytesMax: number
  readonly log: Logger
  /** A segment got its first record. */
  readonly onOpened: () => void
  readonly onSealed: (segment: SealedSegment) => void
  readonly onDiskFull: () => void
}

interface Waiting extends Block {
  readonly resolve: () => void
  readonly reject: (error: Error) => void
  /** Whoever appended it was told that the disk does not answer. */
  isGivenUp: boolean
}

/** Records of one commit: their buffers are one system call. */
const GROUP_RECORDS_MAX = 500

/** Connections are closed all the time: a file that finds no descriptor now finds one within two seconds, or not soon. */
const OPENING_TRIES = 20
const OPENING_PAUSE_MS = 100

/**
 * Writes blocks to the open segment, one group after the other: what arrives during one commit is the next group. All
 * work on the open segment happens in one loop, so nothing here runs twice at a time.
 */
export class Committer {
  readonly #options: CommitterOptions
  readonly #failure = Promise.withResolvers<Error>()
  readonly #stalls: StallDetector
  #failed: Error | undefined
  #stopped: Error | undefined
  /** Those of the commit that is under way come first. */
  #waiting: Waiting[] = []
  #waitingBytes = 0
  #committingCount = 0
  #open: OpenSegment | undefined
  #isSealRequested = false
  #isRunning = false
  #onIdle: (() => void)[] = []
  #syncTimer: NodeJS.Timeout | undefined
  #syncing: Promise<void> = Promise.resolve()

  constructor(options: CommitterOptions) {
    this.#options = options
    this.#stalls = new StallDetector({ subject: 'the disk of the journal', log: options.log })
  }

  /** Resolves with the error that ended all commits. */
  get failed(): Promise<Error> {
    return this.#failure.promise
  }

  /** Whether commits have ended for good. */
  get hasFailed(): boolean {
    return this.#failed !== undefined
  }

  /** Whether the disk does not answer now. */
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

  /** Bytes of records that are not committed yet. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** See `Journal.append`. */
  append(block: Block): Promise<void> {
    return new Promise((resolve, reject) => {
      const stopped = this.#failed ?? this.#stopped
      if (stopped) return reject(journalStopped(stopped))
      if (this.isStalled) return reject(noRoom('disk_stalled'))
      this.#waiting.push({ ...block, resolve, reject, isGivenUp: false })
      this.#waitingBytes += recordBytes(block.bytes)
      this.#start()
    })
  }

  /** Completes the open segment with the next commit. */
  requestSeal(): void {
    this.#isSealRequested = true
    this.#start()
  }

  /** Completes the open segment, after the appends that wait; resolves also when that failed. */
  async seal(): Promise<void> {
    await this.#untilIdle()
    this.requestSeal()
    await this.#untilIdle()
  }

  /** Refuses further appends, finishes those that wait, and leaves the open segment as it is, durable. */
  async close(reason: Error): Promise<void> {
    this.#stopped = reason
    await this.#untilIdle()
    clearTimeout(this.#syncTimer)
    await this.#syncing
    const open = this.#open
    this.#open = undefined
    if (!open) return
    if (!this.#failed && this.#options.sync !== 'always') await this.#guard(() => this.#sync(open))
    // What had to be durable is; a failed journal has said so.
    await open.close().catch(() => undefined)
  }

  async #untilIdle(): Promise<void> {
    if (this.#isRunning) await new Promise<void>((resolve) => this.#onIdle.push(resolve))
  }

  #start(): void {
    if (this.#isRunning || this.#failed) return
    this.#isRunning = true
    // The blocks of several workers that arrived together are one group.
    setImmediate(() => void this.#run())
  }

  async #run(): Promise<void> {
    while (!this.#failed && (this.#waiting.length > 0 || this.#isSealRequested)) {
      await this.#guard(() => this.#commit(this.#takeGroup()))
    }
    this.#isRunning = false
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  /** Any error that gets here leaves the file in a state that nobody knows: a failed fdatasync is never repeated. */
  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await this.#stalls.during(work, () => this.#refuseWaiting())
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #fail(error: Error): void {
    if (this.#failed) return
    this.#failed = error
    this.#options.log.fatal({ err: error }, 'the journal failed: no more events are acknowledged')
    refuseAll(this.#waiting.splice(0), () => journalStopped(error))
    this.#waitingBytes = 0
    this.#failure.resolve(error)
  }

  /** Lets nobody wait for a disk that does not answer. What is on its way to it stays, and may be in the journal later. */
  #refuseWaiting(): void {
    const unwritten = this.#waiting.splice(this.#committingCount)
    for (const { bytes } of unwritten) this.#waitingBytes -= recordBytes(bytes)
    refuseAll([...this.#waiting, ...unwritten], journalStalled)
    for (const block of this.#waiting) block.isGivenUp = true
  }

  /** As many of the blocks that wait as the open segment takes in one commit. */
  #takeGroup(): { readonly group: readonly Waiting[]; readonly isFull: boolean } {
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

  async #commit({ group, isFull }: { group: readonly Waiting[]; isFull: boolean }): Promise<void> {
    const seal = isFull || this.#isSealRequested
    if (group.length === 0 && this.openRows === 0) {
      this.#isSealRequested = false
      return
    }
    try {
      await this.#write(group, seal)
    } catch (error) {
      if (!isNoSpace(error) && !isNoDescriptor(error)) throw error
      this.#refuse(group, error)
      // The seal is a marker only: a full disk must not keep the segment from being delivered.
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
   * Writes a group; rejects with ENOSPC or EMFILE when it is not in the file, with anything else when that is not known. A
   * file that could not be opened took nothing, so that only opening is tried again for want of a descriptor.
   */
  async #write(group: readonly Waiting[], seal: boolean): Promise<void> {
    for (let isRetry = false; ; isRetry = true) {
      try {
        this.#open ??= await this.#takeSegment()
        const isFirst = this.#open.end === 0
        await this.#open.write(group, { seal })
        if (isFirst) this.#options.onOpened()
        return
      } catch (error) {
        if (!isNoSpace(error)) throw error
        await this.#cutBack()
        if (isRetry || !(await this.#options.segments.dropSpares())) throw error
      }
    }
  }

  async #takeSegment(): Promise<OpenSegment> {
    for (let triesLeft = OPENING_TRIES; ; triesLeft--) {
      try {
        return await this.#options.segments.take()
      } catch (error) {
        if (!isNoDescriptor(error) || triesLeft <= 1) throw error
        await sleep(OPENING_PAUSE_MS)
      }
    }
  }

  async #cutBack(): Promise<void> {
    try {
      await this.#open?.cutBack()
    } catch (error) {
      throw new Error('a write that did not fit could not be taken back', { cause: error })
    }
  }

  #settle(group: readonly Waiting[]): void {
    if (this.#failed) return
    this.#removeWaiting(group)
    for (const { resolve } of group) resolve()
  }

  #removeWaiting(group: readonly Waiting[]): void {
    this.#waiting.splice(0, group.length)
    this.#committingCount = 0
  }

  #refuse(group: readonly Waiting[], error: unknown): void {
    if (this.#failed) return
    this.#removeWaiting(group)
    for (const { bytes } of group) this.#waitingBytes -= recordBytes(bytes)
    this.#options.onDiskFull()
    const isFull = isNoSpace(error)
    const message = isFull
      ? 'the disk of the journal is full'
      : 'the journal can open no file: raise the limit of open files (ulimit -n)'
    if (group.length > 0) this.#options.log.error({ err: error }, message)
    refuseAll(group, () => noRoom(isFull ? 'disk_full' : 'no_descriptor', error))
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
      // Not even ENOSPC: the kernel may have dropped what it could not write.
      throw new Error('the journal could not be made durable', { cause: error })
    }
    syncSeconds.observe((monotonicMs() - startedMs) / 1000)
  }

  #startSyncTimer(): void {
    if (typeof this.#options.sync !== 'number') return
    this.#syncTimer ??= setTimeout(() => {
      this.#syncTimer = undefined
      // One after the other: a sync may take longer than the period, and a sealed file is closed after the last one.
      this.#syncing = this.#syncing.then(async () => await this.#guard(() => this.#syncOpen()))
    }, this.#options.sync)
  }
}

/** Refuses blocks that were not refused yet; each has an error of its own, which is counted. */
function refuseAll(blocks: readonly Waiting[], refusal: () => Error): void {
  for (const { isGivenUp, reject } of blocks) if (!isGivenUp) reject(refusal())
}
