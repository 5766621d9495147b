import { monotonicMs } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { ClickHouse, InsertRows } from '../../store/clickhouse/client.ts'
import { startStatementSpan } from '../../store/clickhouse/statement-span.ts'
import { hasCode } from '../journal/files.ts'
import type { Journal } from '../journal/journal.ts'
import { insertedRows, insertSeconds, inserts } from '../journal/journal-metrics.ts'
import { entryId } from '../journal/quarantine.ts'
import type { RecordSpan } from '../journal/record.ts'
import { countRows } from '../journal/scan.ts'
import type { SealedSegment } from '../journal/segment.ts'
import type { ReadSegment } from '../journal/segment-reader.ts'
import { isRejection } from './rejections.ts'

/** Converts the payloads of a segment's records to the blocks of an INSERT, in memory from `allocate`. */
export type ToBlocks = (
  payloads: readonly Buffer[],
  allocate: (byteCount: number) => Buffer,
) => Promise<readonly Buffer[]>

/** The INSERT for the records of a journal. */
export interface JournalInsert {
  readonly toBlocks: ToBlocks
  readonly insert: (clickhouse: ClickHouse, rows: InsertRows) => Promise<void>
}

/** Options of a delivery. */
export interface DeliveryOptions extends JournalInsert {
  readonly journal: Pick<Journal, 'read' | 'quarantine' | 'memory'>
  readonly clickhouse: ClickHouse
  readonly log: Logger
  /** Aborts running INSERTs. */
  readonly signal: AbortSignal
}

/** The body of an INSERT, and its buffers. */
interface NativeBlocks {
  readonly blocks: readonly Buffer[]
  readonly taken: readonly Buffer[]
  readonly rowCount: number
}

/** A segment as one INSERT, or its records, to be inserted one by one. */
type PreparedSegment = { readonly whole: NativeBlocks } | { readonly read: ReadSegment }

/** `done`: every row is in ClickHouse or quarantined. `stopped`: the signal aborted the attempt. */
export type DeliveryOutcome = 'done' | 'failed' | 'stopped'

/** Rejections of a whole segment before its blocks are inserted one by one: bytes may also be corrupted in transit. */
const REJECTIONS_MAX = 3

/** Inserts one segment into ClickHouse: as a whole, or block by block after ClickHouse rejected it. */
export class Delivery {
  readonly #options: DeliveryOptions
  readonly #rejections = new Map<number, number>()
  /** Resolves when the preparation that was started last ends. */
  #preparing: Promise<unknown> = Promise.resolve()

  constructor(options: DeliveryOptions) {
    this.#options = options
  }

  /** One attempt. Never rejects. */
  async deliver(segment: SealedSegment): Promise<DeliveryOutcome> {
    const prepared = await this.#prepareAlone(segment)
    if (prepared === 'failed' || prepared === 'gone') return prepared === 'gone' ? 'done' : 'failed'
    try {
      if ('read' in prepared) await this.#insertEach(segment, prepared.read)
      else if (prepared.whole.rowCount > 0) await this.#insert(prepared.whole, segment.id)
      this.#rejections.delete(segment.sequence)
      return 'done'
    } catch (error) {
      return this.#options.signal.aborted ? 'stopped' : this.#fail(segment, error)
    }
  }

  /** Serialised, because a segment is in memory twice while it is prepared. */
  async #prepareAlone(segment: SealedSegment): Promise<PreparedSegment | 'failed' | 'gone'> {
    const prepared = this.#preparing.then(async () => await this.#prepare(segment))
    this.#preparing = prepared.then(() => undefined)
    return await prepared
  }

  /** Never rejects. */
  async #prepare(segment: SealedSegment): Promise<PreparedSegment | 'failed' | 'gone'> {
    const read = await this.#read(segment)
    if (read === 'failed' || read === 'gone') return read
    if ((this.#rejections.get(segment.sequence) ?? 0) >= REJECTIONS_MAX) return { read }
    try {
      const { bytes, scan } = read
      const payloads = scan.records.map(({ payloadStart, end }) => bytes.subarray(payloadStart, end))
      const whole = await this.#toBlocks(payloads, countRows(scan.records))
      this.#options.journal.memory.give(bytes)
      return { whole }
    } catch (error) {
      return this.#fail(segment, error)
    }
  }

  async #read(segment: SealedSegment): Promise<ReadSegment | 'failed' | 'gone'> {
    const facts = { segment: segment.id, rows: segment.rowCount }
    try {
      return await this.#options.journal.read(segment)
    } catch (error) {
      const isGone = hasCode(error, 'ENOENT')
      const message = isGone
        ? 'a segment is gone from the disk: its rows are lost'
        : 'a segment cannot be read'
      this.#options.log.error({ err: error, ...facts }, message)
      return isGone ? 'gone' : 'failed'
    }
  }

  #fail(segment: SealedSegment, error: unknown): 'failed' {
    if (isRejection(error)) {
      this.#rejections.set(segment.sequence, (this.#rejections.get(segment.sequence) ?? 0) + 1)
    }
    const facts = { err: error, segment: segment.id, rows: segment.rowCount }
    this.#options.log.warn(facts, 'ClickHouse did not take a segment; retrying')
    return 'failed'
  }

  /**
   * Inserts the blocks of a rejected segment one by one. Rows of an earlier attempt are copies, which collapse; the token of a
   * block is its position in the segment, which never changes.
   */
  async #insertEach(segment: SealedSegment, { bytes, scan }: ReadSegment): Promise<void> {
    for (const record of scan.records) {
      const block = bytes.subarray(record.payloadStart, record.end)
      try {
        const blocks = await this.#toBlocks([block], record.rowCount)
        await this.#insert(blocks, entryId(segment.id, record.offset))
      } catch (error) {
        if (!isRejection(error)) throw error
        await this.#quarantine(segment, { record, block, error })
      }
    }
  }

  async #quarantine(
    segment: SealedSegment,
    { record, block, error }: { record: RecordSpan; block: Buffer; error: unknown },
  ): Promise<void> {
    const isStored = await this.#options.journal.quarantine({
      reason: 'rejected',
      error: String(error),
      rows: record.rowCount,
      segment: segment.id,
      offset: record.offset,
      payload: block,
    })
    if (!isStored) throw new Error('the quarantine is full', { cause: error })
  }

  async #toBlocks(payloads: readonly Buffer[], rowCount: number): Promise<NativeBlocks> {
    const { journal, toBlocks } = this.#options
    const taken: Buffer[] = []
    const blocks = await toBlocks(payloads, (byteCount) => {
      const memory = journal.memory.take(byteCount)
      taken.push(memory)
      return memory
    })
    return { blocks, taken, rowCount }
  }

  async #insert({ blocks, taken, rowCount }: NativeBlocks, id: string): Promise<void> {
    const { clickhouse, signal, journal } = this.#options
    const startedMs = monotonicMs()
    const span = startStatementSpan('INSERT')
    try {
      await this.#options.insert(clickhouse, { blocks, id, signal })
      // Not after a failure: a write may still use the buffers.
      for (const memory of taken) journal.memory.give(memory)
      inserts.inc({ outcome: 'taken' })
      insertedRows.inc(rowCount)
      span?.set({ 'db.operation.batch.size': rowCount })
      span?.end('ok')
    } catch (error) {
      const outcome = isRejection(error) ? 'rejected' : 'failed'
      inserts.inc({ outcome })
      span?.end(outcome)
      throw error
    } finally {
      insertSeconds.observe((monotonicMs() - startedMs) / 1000)
    }
  }
}
