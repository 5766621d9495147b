import { monotonicMs } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { BufferPool } from './buffer-pool.ts'
import { Committer } from './committer.ts'
import type { DiskReserve } from './disk-reserve.ts'
import { diskFiles, type JournalFiles } from './files.ts'
import { Quarantine, type QuarantinedBytes } from './quarantine.ts'
import { recoverSegments } from './recover.ts'
import { journalStopped, noRoom } from './refusals.ts'
import { recordBytes } from './scan.ts'
import type { SealedSegment } from './segment.ts'
import { SegmentPool } from './segment-pool.ts'
import { type ReadSegment, readSegment } from './segment-reader.ts'

/** Options of a journal. */
export interface JournalOptions {
  /** Used by this journal alone while it is open. */
  readonly folder: string
  readonly quarantineFolder: string
  /** Limit of bytes not yet in ClickHouse; `append` rejects above it. */
  readonly bytesMax: number
  /** The reserve of a disk that the journal shares with the store; `append` rejects while it is short. */
  readonly reserve?: DiskReserve | undefined
  /** `always`: durable before `append` resolves. A number: written before, and synced within that number of milliseconds. */
  readonly sync: 'always' | number
  readonly files?: JournalFiles
  readonly log: Logger
  /** A segment is one INSERT: these limit it. */
  readonly batchRowsMax: number
  readonly batchBytesMax: number
  readonly batchMs: number
}

/** Limit of bytes that wait for the disk: a hanging disk must not fill the memory. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024

/** Time after the disk was full in which requests are rejected before they are processed. */
const DISK_FULL_MS = 1000

/**
 * The write-ahead log of acknowledged blocks until ClickHouse has them. One fdatasync commits the waiting blocks of all
 * workers. The shipper takes sealed segments, and returns or removes them.
 */
export class Journal {
  /** Buffers for segments and their INSERTs. */
  readonly memory = new BufferPool()
  readonly #options: JournalOptions & { readonly files: JournalFiles }
  readonly #quarantine: Quarantine
  readonly #segments: SegmentPool
  readonly #committer: Committer
  readonly #sealed = new Map<number, SealedSegment>()
  readonly #taken = new Set<number>()
  #sealedBytes = 0
  #sealTimer: NodeJS.Timeout | undefined
  #isSealOverdue = false
  #diskFullUntilMs = 0
  #onSealed: () => void = () => undefined

  /** Use {@link openJournal}. */
  constructor(
    options: JournalOptions & { readonly files: JournalFiles },
    parts: { quarantine: Quarantine; segments: readonly SealedSegment[]; lastSequence: number },
  ) {
    this.#options = options
    this.#quarantine = parts.quarantine
    this.#segments = new SegmentPool(options.files, options.folder, parts.lastSequence)
    this.#committer = new Committer({
      ...options,
      segments: this.#segments,
      onOpened: () => this.#startSealTimer(),
      onSealed: (segment) => this.#addSealed(segment),
      onDiskFull: () => {
        this.#diskFullUntilMs = monotonicMs() + DISK_FULL_MS
      },
    })
    for (const segment of parts.segments) this.#addSealed(segment)
  }

  /** Resolves with the disk error that ended all acknowledgements; the process should exit. */
  get failed(): Promise<Error> {
    return this.#committer.failed
  }

  /** Bytes of undelivered records. */
  get bytes(): number {
    return this.#sealedBytes + this.#committer.openBytes + this.#committer.waitingBytes
  }

  /** Whether `append` would reject, or just did because the disk was full. */
  get isFull(): boolean {
    const { hasFailed, isStalled, waitingBytes } = this.#committer
    if (hasFailed || isStalled || this.bytes >= this.#options.bytesMax || waitingBytes >= WAITING_BYTES_MAX)
      return true
    return this.#isDiskShort || monotonicMs() < this.#diskFullUntilMs
  }

  /** Undelivered rows. */
  get rowCount(): number {
    const sealed = [...this.#sealed.values()].reduce((sum, { rowCount }) => sum + rowCount, 0)
    return sealed + this.#committer.openRows
  }

  /** Undelivered sealed segments. */
  get segmentCount(): number {
    return this.#sealed.size
  }

  /** Age of the oldest record; records of an earlier process count from the start of this one. */
  get oldestAgeSeconds(): number {
    const firstMs = this.#sealed.values().next().value?.firstMs ?? this.#committer.openSinceMs
    return firstMs === undefined ? 0 : (monotonicMs() - firstMs) / 1000
  }

  /** Limit of {@link bytes}. */
  get bytesMax(): number {
    return this.#options.bytesMax
  }

  /** Blocks and damaged ranges in quarantine. */
  get quarantinedBlocks(): number {
    return this.#quarantine.entryCount
  }

  /** Bytes in quarantine. */
  get quarantinedBytes(): number {
    return this.#quarantine.bytes
  }

  /**
   * Resolves when the block is written and, with `sync: 'always'`, durable. Rejects with a {@link ServiceError}:
   * `resource_exhausted` when the journal or the disk is full, `unavailable` when the journal failed, is closed, or stalls.
   */
  async append(block: Uint8Array, rowCount: number): Promise<void> {
    const { hasFailed, waitingBytes } = this.#committer
    const bytes = recordBytes(block)
    if (!hasFailed && this.bytes + bytes > this.#options.bytesMax) throw noRoom('journal_full')
    if (!hasFailed && this.#isDiskShort) throw noRoom('disk_full')
    if (!hasFailed && waitingBytes > 0 && waitingBytes + bytes > WAITING_BYTES_MAX) throw noRoom('queue_full')
    await this.#committer.append({ bytes: block, rowCount })
  }

  /** Seals the open segment after the queued appends. */
  async seal(): Promise<void> {
    await this.#committer.seal()
  }

  /** Sets the listener that is called when a segment is sealed. */
  onSealed(listener: () => void): void {
    this.#onSealed = listener
  }

  /** Sealed segments that are not taken, oldest first. */
  waiting(): readonly SealedSegment[] {
    return [...this.#sealed.values()].filter(({ sequence }) => !this.#taken.has(sequence))
  }

  /** Marks a segment as taken for delivery. */
  take({ sequence }: SealedSegment): void {
    this.#taken.add(sequence)
    // Small segments serve low latency only: while others wait, the open segment grows instead.
    if (this.#isSealOverdue && this.#taken.size === this.#sealed.size) this.#committer.requestSeal()
  }

  /** Undoes {@link take}. */
  giveBack({ sequence }: SealedSegment): void {
    this.#taken.delete(sequence)
  }

  /**
   * Reads a segment's records; damaged ones are quarantined. Rejects with disk errors. The bytes come from {@link memory}:
   * return them after use.
   */
  async read(segment: SealedSegment): Promise<ReadSegment> {
    const { memory } = this
    return await readSegment({ ...this.#options, quarantine: this.#quarantine, memory }, segment)
  }

  /** Quarantines a block of a segment, durably. Returns false when the quarantine is full. */
  async quarantine(block: QuarantinedBytes): Promise<boolean> {
    return await this.#quarantine.add(block, this.#options.log)
  }

  /** Removes a delivered segment. */
  async remove(segment: SealedSegment): Promise<void> {
    this.#sealed.delete(segment.sequence)
    this.#taken.delete(segment.sequence)
    this.#sealedBytes -= segment.bytes
    try {
      await this.#segments.retire(segment)
    } catch (error) {
      // The next start sends it again, and ClickHouse collapses the copies.
      this.#options.log.warn({ err: error, file: segment.path }, 'a delivered segment could not be removed')
    }
  }

  /** Finishes the queued appends and closes the files. The next start delivers the remaining segments. */
  async close(): Promise<void> {
    clearTimeout(this.#sealTimer)
    await this.#committer.close(journalStopped(new Error('the journal is closed')))
    clearTimeout(this.#sealTimer)
    await this.#segments.close()
  }

  get #isDiskShort(): boolean {
    return this.#options.reserve?.isShort() ?? false
  }

  #startSealTimer(): void {
    this.#isSealOverdue = false
    clearTimeout(this.#sealTimer)
    this.#sealTimer = setTimeout(() => {
      if (this.#taken.size === this.#sealed.size) this.#committer.requestSeal()
      else this.#isSealOverdue = true
    }, this.#options.batchMs)
  }

  #addSealed(segment: SealedSegment): void {
    clearTimeout(this.#sealTimer)
    this.#isSealOverdue = false
    this.#sealed.set(segment.sequence, segment)
    this.#sealedBytes += segment.bytes
    this.#onSealed()
  }
}

/** Recovers the segments in the folder and opens the journal for appends. Rejects when the folder is unusable. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const all = { ...options, files: options.files ?? diskFiles }
  const quarantine = await Quarantine.open(all.files, options.quarantineFolder)
  const recovered = await recoverSegments({ ...all, quarantine })
  return new Journal(all, { quarantine, ...recovered })
}
