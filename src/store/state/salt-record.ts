import { createHash, timingSafeEqual } from 'node:crypto'

/** Bytes of a day's salt. */
export const SALT_BYTES = 32

const FORMAT = 1
const CHECKSUM_BYTES = 8
const RECORD_BYTES = 1 + SALT_BYTES + CHECKSUM_BYTES

/**
 * A stored salt: a format byte, the salt, and a checksum over both and the day, so that a damaged salt, or one copied
 * from another day, is detected instead of splitting the day's visitors in two.
 */
export function encodeSalt(day: number, salt: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.of(FORMAT), salt])
  return Buffer.concat([body, checksum(day, body)])
}

/** The salt of a record, or `undefined` when the record is not a valid one for that day. */
export function decodeSalt(day: number, record: Uint8Array): Uint8Array | undefined {
  if (record.length !== RECORD_BYTES || record[0] !== FORMAT) return undefined
  const body = record.subarray(0, 1 + SALT_BYTES)
  if (!timingSafeEqual(checksum(day, body), record.subarray(1 + SALT_BYTES))) return undefined
  return Uint8Array.from(record.subarray(1, 1 + SALT_BYTES))
}

function checksum(day: number, body: Uint8Array): Buffer {
  return createHash('sha256')
    .update(`millrace salt ${day}\0`)
    .update(body)
    .digest()
    .subarray(0, CHECKSUM_BYTES)
}
