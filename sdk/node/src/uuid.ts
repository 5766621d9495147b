import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 4096
const UUID_BYTES = 16
const pool = Buffer.alloc(POOL_BYTES)
let used = POOL_BYTES

/** A UUIDv7: its text sorts by time. */
export function createUuid(): string {
  if (used === POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = pool.subarray(used, used + UUID_BYTES)
  used += UUID_BYTES
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
