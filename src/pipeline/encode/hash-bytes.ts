/** A hash of bytes for tables that bound their probes; reads up to three bytes beyond them. */
export function hashBytes(view: DataView, start: number, length: number, seed: number): number {
  const whole = length & ~3
  let hash = seed
  for (let offset = 0; offset < whole; offset += 4) {
    hash = Math.imul(hash ^ view.getInt32(start + offset, true), 0x9e3779b1)
  }
  const rest = length & 3
  if (rest !== 0) {
    const word = view.getInt32(start + whole, true) & ((1 << (rest * 8)) - 1)
    hash = Math.imul(hash ^ word, 0x9e3779b1)
  }
  hash = Math.imul(hash ^ (hash >>> 15) ^ length, 0x85ebca6b)
  return (hash ^ (hash >>> 13)) & 0x7fff_ffff
}

/** Whether `length` bytes of two views are the same; reads up to three bytes beyond them. */
export function isSame(
  left: DataView,
  leftStart: number,
  right: DataView,
  rightStart: number,
  length: number,
): boolean {
  const whole = length & ~3
  for (let offset = 0; offset < whole; offset += 4) {
    if (left.getInt32(leftStart + offset, true) !== right.getInt32(rightStart + offset, true)) return false
  }
  const rest = length & 3
  if (rest === 0) return true
  const mask = (1 << (rest * 8)) - 1
  const difference = left.getInt32(leftStart + whole, true) ^ right.getInt32(rightStart + whole, true)
  return (difference & mask) === 0
}
