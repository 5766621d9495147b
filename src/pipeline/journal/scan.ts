import { runAtOnce, type Steps } from '../../kernel/time-slices.ts'
import { HEADER_BYTES, isIntact, peekHeader, type RecordPlace, recordMarker } from './record.ts'

/** Bytes between intact records that are no record. */
export interface Damage {
  readonly offset: number
  readonly end: number
  /** Rows of the one record that began here, when its header can still be read. */
  readonly rowCount: number | undefined
}

/** What the bytes of a segment hold. */
export interface Scan {
  readonly records: readonly RecordPlace[]
  readonly damages: readonly Damage[]
  /** End of the last intact record. */
  readonly end: number
  readonly isSealed: boolean
  /** A record whose header is there and whose payload is not: it was being written when the process ended. */
  readonly torn: RecordPlace | undefined
}

/** Finds every intact record of a segment at once: see {@link scanInSteps}. */
export function scanSegment(bytes: Buffer, segmentId: string): Scan {
  return runAtOnce(scanInSteps(bytes, segmentId))
}

/**
 * Finds every intact record of a segment. What lies between two of them is damage; what lies after the last is the
 * torn tail of an open segment, or left over from an earlier use of the file.
 */
export function* scanInSteps(bytes: Buffer, segmentId: string): Steps<Scan> {
  const marker = recordMarker(segmentId)
  const records: RecordPlace[] = []
  const damages: Damage[] = []
  let end = 0
  for (;;) {
    const here = peekHeader(bytes, { marker, offset: end })
    const found = here && isIntact(bytes, here) ? here : findIntact(bytes, marker, end)
    if (!found) return { records, damages, end, isSealed: false, torn: here }
    if (found.offset > end) damages.push({ offset: end, end: found.offset, rowCount: here?.rowCount })
    end = found.end
    if (found.isSeal) return { records, damages, end, isSealed: true, torn: undefined }
    records.push(found)
    yield
  }
}

function findIntact(bytes: Buffer, marker: Buffer, from: number): RecordPlace | undefined {
  for (let offset = bytes.indexOf(marker, from); offset >= 0; offset = bytes.indexOf(marker, offset + 1)) {
    const record = peekHeader(bytes, { marker, offset })
    if (record && isIntact(bytes, record)) return record
  }
  return undefined
}

/** Rows of records, all together. */
export function countRows(records: readonly RecordPlace[]): number {
  return records.reduce((sum, { rowCount }) => sum + rowCount, 0)
}

/** Bytes that a block takes in a segment. */
export function recordBytes(block: Uint8Array): number {
  return HEADER_BYTES + block.length
}
