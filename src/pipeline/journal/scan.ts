import { runAtOnce, type Steps } from '../../kernel/time-slices.ts'
import { HEADER_BYTES, isIntact, peekHeader, type RecordSpan, recordMarker } from './record.ts'

/** A damaged byte range between intact records. */
export interface Damage {
  readonly offset: number
  readonly end: number
  /** Rows of the damaged record, when its header is still readable. */
  readonly rowCount: number | undefined
}

/** The content of a segment. */
export interface Scan {
  readonly records: readonly RecordSpan[]
  readonly damages: readonly Damage[]
  /** End of the last intact record. */
  readonly end: number
  readonly isSealed: boolean
  /** A record with a header but an incomplete payload: its write was interrupted. */
  readonly torn: RecordSpan | undefined
}

/** Finds every intact record of a segment, without pauses: see {@link scanInSteps}. */
export function scanSegment(bytes: Buffer, segmentId: string): Scan {
  return runAtOnce(scanInSteps(bytes, segmentId))
}

/**
 * Finds every intact record of a segment. Other bytes between two of them are damage; bytes after the last are the torn tail
 * of an open segment, or from an earlier use of the file.
 */
export function* scanInSteps(bytes: Buffer, segmentId: string): Steps<Scan> {
  const marker = recordMarker(segmentId)
  const records: RecordSpan[] = []
  const damages: Damage[] = []
  let end = 0
  for (;;) {
    const next = peekHeader(bytes, { marker, offset: end })
    const found = next && isIntact(bytes, next) ? next : findIntact(bytes, marker, end)
    if (!found) return { records, damages, end, isSealed: false, torn: next }
    if (found.offset > end) damages.push({ offset: end, end: found.offset, rowCount: next?.rowCount })
    end = found.end
    if (found.isSeal) return { records, damages, end, isSealed: true, torn: undefined }
    records.push(found)
    yield
  }
}

function findIntact(bytes: Buffer, marker: Buffer, from: number): RecordSpan | undefined {
  for (let offset = bytes.indexOf(marker, from); offset >= 0; offset = bytes.indexOf(marker, offset + 1)) {
    const record = peekHeader(bytes, { marker, offset })
    if (record && isIntact(bytes, record)) return record
  }
  return undefined
}

/** Total rows of records. */
export function countRows(records: readonly RecordSpan[]): number {
  return records.reduce((sum, { rowCount }) => sum + rowCount, 0)
}

/** Bytes of a block's record. */
export function recordBytes(block: Uint8Array): number {
  return HEADER_BYTES + block.length
}
