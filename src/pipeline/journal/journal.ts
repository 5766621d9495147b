import { monotonicMs } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { BufferPool } from './buffer-pool.ts'
import { Committer } from './committer.ts'
import { diskFiles, type JournalFiles } from './files.ts'
import { Quarantine, type QuarantinedBytes } from './quarantine.ts'
import { recoverSegments } from './recover.ts'
import { journalStopped, noRoom } from './refusals.ts'
import { recordBytes } from './scan.ts'
import type { SealedSegment } from './segment.ts'
import { SegmentPool } from './segment-pool.ts'
import { type ReadSegment, readSegment } from './segment-reader.ts'

/** Where a journal lives and what it promises. */
export interface JournalOptions {
  /** Nobody else writes in it while the journal is open. */
  readonly folder: string
  readonly quarantineFolder: string
  /** Records that may wait for ClickHouse; beyond, `append` refuses. */
  readonly bytesMax: number
  /** `always`: durable before `append` resolves. A period in ms: written before, and durable that much later. */
  readonly sync: 'always' | number
  readonly files?: JournalFiles
  readonly log: Logger
  /** A segment is one INSERT: these bound it. */
  readonly batchRowsMax: number
  readonly batchBytesMax: number
  readonly batchMs: number
}

/** Blocks that wait for the disk, all together: a disk that hangs must not fill the memory. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024

/** After the disk was full, requests are refused before their work is done for so long. */
const DISK_FULL_MS = 1000

/**
 * The log of acknowledged blocks that ClickHouse does not have yet. One fdatasync commits the blocks of all workers
 * that wait for it. The shipper takes sealed segments from it and gives them back or removes them.
 */
export class Journal {
  /** Room for segments and what is made of them. */
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

  /** Resolves with the first error of the disk after which nothing is acknowledged any more; the process should end. */
  get failed(): Promise<Error> {
    return this.#committer.failed
  }

  /** Bytes of records that ClickHouse does not have for certain. */
  get bytes(): number {
    return this.#sealedBytes + this.#committer.openBytes + this.#committer.waitingBytes
  }

  /** True when `append` would refuse, or just did because the disk was full. */
  get isFull(): boolean {
    const { hasFailed, isStalled, waitingBytes } = this.#committer
    if (hasFailed || isStalled || this.bytes >= this.#options.bytesMax || waitingBytes >= WAITING_BYTES_MAX)
      return true
    return monotonicMs() < this.#diskFullUntilMs
  }

  /** Rows that ClickHouse does not have for certain. */
  get rowCount(): number {
    const sealed = [...this.#sealed.values()].reduce((sum, { rowCount }) => sum + rowCount, 0)
    return sealed + this.#committer.openRows
  }

  /** Sealed segments that ClickHouse does not have for certain. */
  get segmentCount(): number {
    return this.#sealed.size
  }

  /** Age of the oldest record here; a record of an earlier process is as old as this one. */
  get oldestAgeSeconds(): number {
    const firstMs = this.#sealed.values().next().value?.firstMs ?? this.#committer.openSinceMs
    return firstMs === undefined ? 0 : (monotonicMs() - firstMs) / 1000
  }

  /** Records that may wait for ClickHouse. */
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
   * Resolves when the block is as safe as `sync` promises. Rejects with a {@link ServiceError}: `resource_exhausted`
   * when there is no room, `unavailable` when the journal failed or is closed, or the disk does not answer.
   */
  async append(block: Uint8Array, rowCount: number): Promise<void> {
    const { hasFailed, waitingBytes } = this.#committer
    const bytes = recordBytes(block)
    if (!hasFailed && this.bytes + bytes > this.#options.bytesMax) throw noRoom('journal_full')
    if (!hasFailed && waitingBytes > 0 && waitingBytes + bytes > WAITING_BYTES_MAX) throw noRoom('queue_full')
    await this.#committer.append({ bytes: block, rowCount })
  }

  /** Completes the segment that takes records now, after the appends that wait. */
  async seal(): Promise<void> {
    await this.#committer.seal()
  }

  /** Calls `listener` whenever a segment was sealed. */
  onSealed(listener: () => void): void {
    this.#onSealed = listener
  }

  /** Segments that nobody takes care of, oldest first. */
  waiting(): readonly SealedSegment[] {
    return [...this.#sealed.values()].filter(({ sequence }) => !this.#taken.has(sequence))
  }

  /** Marks a segment as under way. */
  take({ sequence }: SealedSegment): void {
    this.#taken.add(sequence)
    // Small segments are for low latency only; while others wait, the open one grows instead.
    if (this.#isSealOverdue && this.#taken.size === this.#sealed.size) this.#committer.requestSeal()
  }

  /** Undoes {@link take}. */
  giveBack({ sequence }: SealedSegment): void {
    this.#taken.delete(sequence)
  }

  /**
   * Reads a segment's records; damaged ones are set aside. Rejects as the disk does. The bytes are in {@link memory}: give
   * them back when nobody looks at them any more.
   */
  async read(segment: SealedSegment): Promise<ReadSegment> {
    const { memory } = this
    return await readSegment({ ...this.#options, quarantine: this.#quarantine, memory }, segment)
  }

  /** Sets a block of a segment aside, durably. False when the quarantine is full. */
  async setAside(block: QuarantinedBytes): Promise<boolean> {
    return await this.#quarantine.add(block, this.#options.log)
  }

  /** Forgets a segment that ClickHouse has. */
  async remove(segment: SealedSegment): Promise<void> {
    this.#sealed.delete(segment.sequence)
    this.#taken.delete(segment.sequence)
    this.#sealedBytes -= segment.bytes
    try {
      await this.#segments.retire(segment)
    } catch (error) {
      // It is sent again after a restart, and copies collapse.
      this.#options.log.warn({ err: error, file: segment.path }, 'a delivered segment could not be removed')
    }
  }

  /** Finishes the appends that wait and closes the files. What was not delivered is there for the next start. */
  async close(): Promise<void> {
    clearTimeout(this.#sealTimer)
    await this.#committer.close(journalStopped(new Error('the journal is closed')))
    clearTimeout(this.#sealTimer)
    await this.#segments.close()
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

/** Recovers what is in the folder and opens the journal for appends. Rejects when the folder cannot be used. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const all = { ...options, files: options.files ?? diskFiles }
  const quarantine = await Quarantine.open(all.files, options.quarantineFolder)
  const recovered = await recoverSegments({ ...all, quarantine })
  return new Journal(all, { quarantine, ...recovered })
}
