/** Copies `length` bytes by words; overwrites up to three bytes beyond the target, which must exist. */
export function copyWords(from: DataView, start: number, to: DataView, at: number, length: number): void {
  for (let offset = 0; offset < length; offset += 4) {
    to.setInt32(at + offset, from.getInt32(start + offset, true), true)
  }
}

/**
 * Copies the first `length` bytes of a view to `at`. V8 copies to and from shared memory byte by byte where the two ends
 * are aligned differently, at a tenth of the speed; so does `Buffer.copy`, except for a part of a buffer, which Node.js moves itself.
 * Speed: `task/browser-json-100`, `pool/json-batch-100`.
 */
export function copyBytes(from: Uint8Array, length: number, to: Uint8Array, at: number): void {
  if (length === 0) return
  const last = length - 1
  Buffer.prototype.copy.call(from, to, at, 0, last)
  to[at + last] = from[last] ?? 0
}
