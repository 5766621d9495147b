/** Reads numbers and returns the offset after them. Speed: `decode/json-batch-100`. */
export class NumberReader {
  /** The number that was read last. */
  value = 0

  /** Reads at most 15 digits with an optional minus; returns -1 for anything else. */
  readInteger(bytes: Uint8Array, start: number): number {
    const isNegative = bytes[start] === MINUS
    const first = isNegative ? start + 1 : start
    let value = 0
    let at = first
    for (; ; at++) {
      const digit = (bytes[at] ?? 0) - 0x30
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    const digits = at - first
    if (digits === 0 || digits > EXACT_DIGITS_MAX) return -1
    this.value = isNegative ? 0 - value : value
    return at
  }

  /** Reads a finite JSON number; returns -1 for anything else. */
  readDouble(bytes: Uint8Array, start: number): number {
    const isNegative = bytes[start] === MINUS
    const first = isNegative ? start + 1 : start
    let value = 0
    let at = first
    let point = -1
    for (; ; at++) {
      const digit = (bytes[at] ?? 0) - 0x30
      if (digit >= 0 && digit <= 9) value = value * 10 + digit
      else if (digit === DOT - 0x30 && point < 0) point = at
      else break
    }
    const next = bytes[at] ?? 0
    const wholeDigits = (point < 0 ? at : point) - first
    const fractionDigits = point < 0 ? 0 : at - point - 1
    // JSON has no `.5`, no `5.` and no `05`; with few digits and a small power of ten one division rounds correctly.
    const isPlain =
      wholeDigits > 0 &&
      (point < 0 || fractionDigits > 0) &&
      (wholeDigits === 1 || bytes[first] !== ZERO) &&
      wholeDigits + fractionDigits <= EXACT_DIGITS_MAX &&
      next !== LETTER_E &&
      next !== LETTER_E - 0x20
    if (!isPlain) return this.#readOddDouble(bytes, start)
    const magnitude = fractionDigits === 0 ? value : value / (POWERS_OF_TEN[fractionDigits] ?? 1)
    this.value = isNegative ? -magnitude : magnitude
    return at
  }

  #readOddDouble(bytes: Uint8Array, start: number): number {
    let end = start
    while (end - start < ODD_BYTES_MAX && NUMBER_BYTES.includes(bytes[end] ?? 0)) end++
    const text = Buffer.from(bytes.subarray(start, end)).toString('latin1')
    if (!JSON_NUMBER.test(text)) return -1
    this.value = Number(text)
    return Number.isFinite(this.value) ? end : -1
  }
}

const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const LETTER_E = 0x65

/** Any integer of this many digits is exact as a double. */
const EXACT_DIGITS_MAX = 15

const ODD_BYTES_MAX = 64
const NUMBER_BYTES = Buffer.from('0123456789+-.eE')
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

const POWERS_OF_TEN: Float64Array = Float64Array.from({ length: 16 }, (_, exponent) => 10 ** exponent)
