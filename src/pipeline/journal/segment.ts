import { join } from 'node:path'

/** The parsed file name of a segment. */
export interface SegmentName {
  /** Increases from segment to segment, across restarts: the order of delivery. */
  readonly sequence: number
  /**
   * 128 random bits in hex, in the file name and in every record. Also the deduplication token of the segment's INSERT: the
   * content never changes once it was sent, so the id identifies it as a digest would, across restarts and at no cost
   * (SHA-256 of each segment: 0.5 to 1.5 GB/s).
   */
  readonly id: string
}

/** A segment that receives no more records and is not delivered yet. */
export interface SealedSegment extends SegmentName {
  readonly path: string
  /** Bytes of its records. */
  readonly bytes: number
  readonly rowCount: number
  /** Monotonic time of its first record, or of the start of the process for an older segment. */
  readonly firstMs: number
}

const SEGMENT_FILE = /^(\d{12})-([0-9a-f]{32})\.segment$/

/** Spare files: former segments, kept for reuse. */
export const SPARE_FILE = /^[0-9a-f]{32}\.spare$/

/** The path of a segment. */
export function segmentPath(folder: string, { sequence, id }: SegmentName): string {
  return join(folder, `${String(sequence).padStart(12, '0')}-${id}.segment`)
}

/** The path of a spare file. */
export function sparePath(folder: string, id: string): string {
  return join(folder, `${id}.spare`)
}

/** Parses a file name; `undefined` when it is not a segment's. */
export function parseSegmentName(file: string): SegmentName | undefined {
  const [, sequence, id] = SEGMENT_FILE.exec(file) ?? []
  return sequence === undefined || id === undefined ? undefined : { sequence: Number(sequence), id }
}
