import { join } from 'node:path'

/** Which segment of a folder a file is. */
export interface SegmentName {
  /** Grows from segment to segment, across restarts: the order of delivery. */
  readonly sequence: number
  /**
   * 128 random bits in hex, in the name of the file and in every record. It also names the
   * segment's INSERT: what is under it never changes once it was sent, so it names that content as a digest would, after
   * any restart, and costs nothing (SHA-256 over each segment: 0.5 to 1.5 GB/s).
   */
  readonly id: string
}

/** A segment that gets no more records and that ClickHouse does not have for certain. */
export interface SealedSegment extends SegmentName {
  readonly path: string
  /** Bytes of its records. */
  readonly bytes: number
  readonly rowCount: number
  /** Monotonic time of its first record, or of the start of the process for an older segment. */
  readonly firstMs: number
}

const SEGMENT_FILE = /^(\d{12})-([0-9a-f]{32})\.segment$/

/** Files that were segments and wait for their next use. */
export const SPARE_FILE = /^[0-9a-f]{32}\.spare$/

/** The path of a segment. */
export function segmentPath(folder: string, { sequence, id }: SegmentName): string {
  return join(folder, `${String(sequence).padStart(12, '0')}-${id}.segment`)
}

/** The path of a segment's file between two uses. */
export function sparePath(folder: string, id: string): string {
  return join(folder, `${id}.spare`)
}

/** Reads a file name; `undefined` when it is not a segment's. */
export function parseSegmentName(file: string): SegmentName | undefined {
  const [, sequence, id] = SEGMENT_FILE.exec(file) ?? []
  return sequence === undefined || id === undefined ? undefined : { sequence: Number(sequence), id }
}
