import { monotonicMs } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { ClickHouse, NativeInsert } from '../../store/clickhouse/client.ts'
import { startStatementSpan } from '../../store/clickhouse/statement-span.ts'
import { hasCode } from '../journal/files.ts'
import type { Journal } from '../journal/journal.ts'
import { insertedRows, insertSeconds, inserts } from '../journal/journal-metrics.ts'
import { entryId } from '../journal/quarantine.ts'
import type { RecordPlace } from '../journal/record.ts'
import { countRows } from '../journal/scan.ts'
import type { SealedSegment } from '../journal/segment.ts'
import type { ReadSegment } from '../journal/segment-reader.ts'
import { isRejection } from './rejections.ts'

/** Copies the payloads of a segment's records into the Native blocks of an INSERT, in memory that `allocate` gives. */
export type ToBlocks = (
  payloads: readonly Buffer[],
  allocate: (byteCount: number) => Buffer,
) => Promise<readonly Buffer[]>

/** What a delivery works with. */
export interface DeliveryOptions {
  readonly journal: Pick<Journal, 'read' | 'setAside' | 'memory'>
  readonly clickhouse: ClickHouse
  readonly log: Logger
  readonly insert: (clickhouse: ClickHouse, insert: NativeInsert) => Promise<void>
  readonly toBlocks: ToBlocks
  /** Ends what is under way. */
  readonly signal: AbortSignal
}

/** The body of an INSERT, and the memory that it is in. */
interface NativeBlocks {
  readonly blocks: readonly Buffer[]
  readonly taken: readonly Buffer[]
  readonly rowCount: number
}

/** The INSERT that a segment is, or what was read of it, when its blocks go one by one. */
type PreparedSegment = { readonly whole: NativeBlocks } | { readonly read: ReadSegment }

/** `done`: every row is in ClickHouse or in quarantine. `stopped`: the signal came first. */
export type DeliveryOutcome = 'done' | 'failed' | 'stopped'

/** So often a segment is refused as a whole before its blocks are tried one by one: bytes may break on the way, too. */
const REJECTIONS_MAX = 3

/** Brings one segment to ClickHouse: whole, or block by block when ClickHouse refuses the data. */
export class Delivery {
  readonly #options: DeliveryOptions
  readonly #rejections = new Map<number, number>()
  /** Ends with the last preparation that was begun. */
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

  /** One at a time: while it is prepared, a segment is in memory twice. */
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
    this.#options.log.warn(facts, 'ClickHouse did not take a segment; it is sent again')
    return 'failed'
  }

  /**
   * Sends the blocks of a refused INSERT one by one. What it may have left behind are copies, which collapse; the place of
   * a block in its segment, which names it, never changes.
   */
  async #insertEach(segment: SealedSegment, { bytes, scan }: ReadSegment): Promise<void> {
    for (const record of scan.records) {
      const block = bytes.subarray(record.payloadStart, record.end)
      try {
        const blocks = await this.#toBlocks([block], record.rowCount)
        await this.#insert(blocks, entryId(segment.id, record.offset))
      } catch (error) {
        if (!isRejection(error)) throw error
        await this.#setAside(segment, { record, block, error })
      }
    }
  }

  async #setAside(
    segment: SealedSegment,
    { record, block, error }: { record: RecordPlace; block: Buffer; error: unknown },
  ): Promise<void> {
    const isKept = await this.#options.journal.setAside({
      reason: 'rejected',
      error: String(error),
      rows: record.rowCount,
      segment: segment.id,
      offset: record.offset,
      payload: block,
    })
    if (!isKept) throw new Error('the quarantine is full', { cause: error })
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
      await this.#options.insert(clickhouse, { table: 'events', blocks, id, signal })
      // After a failure they may still be on their way.
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
