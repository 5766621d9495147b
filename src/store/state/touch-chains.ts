import { randomFillSync } from 'node:crypto'
import { SESSION_IDLE_MS, type TouchChain } from './session-history.ts'
import type { SessionTouch } from './state-store.ts'
import { DAY_MS } from './utc-day.ts'

/** Bytes of a UUID. */
export const UUID_BYTES = 16

/** Random bytes are drawn for many ids at once: drawing 16 each time took a sixth of a task of new visitors. */
const pool = Buffer.alloc(UUID_BYTES * 256)
let poolOffset = pool.length

/**
 * Splits a visitor's events at gaps that close a session; each chain carries the id of the session that it may start.
 */
export function splitChains({ day, timesMs, idOfStart = randomUuidV7 }: SessionTouch): TouchChain[] {
  const dayStartMs = day * DAY_MS
  const chains: { candidate: Uint8Array; times: number[] }[] = []
  let previousMs = Number.NEGATIVE_INFINITY
  for (const timeMs of timesMs) {
    if (timeMs - previousMs > SESSION_IDLE_MS) chains.push({ candidate: idOfStart(timeMs), times: [] })
    chains.at(-1)?.times.push(timeMs - dayStartMs)
    previousMs = timeMs
  }
  return chains
}

/** A UUIDv7 (RFC 9562) of an instant in milliseconds since the Unix epoch, as 16 bytes; 74 bits are random. */
function randomUuidV7(timeMs: number): Uint8Array {
  if (poolOffset === pool.length) {
    randomFillSync(pool)
    poolOffset = 0
  }
  const bytes = Buffer.from(pool.subarray(poolOffset, poolOffset + UUID_BYTES))
  poolOffset += UUID_BYTES
  bytes.writeUIntBE(timeMs, 0, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes
}

/** The lower-case text of a 16-byte UUID. */
export function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, UUID_BYTES).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
