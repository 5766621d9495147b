import type { MessageBounds } from './message-bounds.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The meaning of a byte outside strings; 0 is part of a number, a word or invalid JSON. */
const MEANING = { blank: 1, quote: 2, object: 3, array: 4, end: 5, comma: 6, colon: 7 } as const

const MEANINGS = createMeanings()

/**
 * Describes the first bound that JSON text exceeds, as a predicate that follows its name; `undefined` when it exceeds none, or
 * is not JSON, which the parser reports. Makes one pass over the bytes, without an allocation.
 */
export function findJsonExcess(bytes: Uint8Array, bounds: MessageBounds): string | undefined {
  const { depthMax, objectsMax, elementsMax, textBytesMax } = bounds
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let depth = 0
  let objects = 0
  let elements = 0
  for (let at = 0; at < bytes.length; at++) {
    switch (MEANINGS[bytes[at] ?? 0]) {
      case MEANING.quote: {
        const end = findTextEnd(bytes, view, at + 1)
        if (end - at - 1 > textBytesMax) return tooLong(bounds)
        at = end
        break
      }
      case MEANING.object:
        if (++objects > objectsMax) return tooManyObjects(bounds)
        if (++depth > depthMax) return tooDeep(bounds)
        if (++elements > elementsMax) return tooManyElements(bounds)
        break
      case MEANING.array:
        if (++depth > depthMax) return tooDeep(bounds)
        if (++elements > elementsMax) return tooManyElements(bounds)
        break
      case MEANING.end:
        depth--
        break
      case MEANING.comma:
        if (++elements > elementsMax) return tooManyElements(bounds)
        break
      case 0: {
        const end = findWordEnd(bytes, at + 1)
        if (end - at > textBytesMax) return tooLong(bounds)
        at = end - 1
        break
      }
    }
  }
  return undefined
}

/** Describes a message beyond {@link MessageBounds.depthMax}. */
export function tooDeep({ depthMax }: MessageBounds): string {
  return `is nested too deeply: ${depthMax} levels are the limit`
}

/** Describes a message beyond {@link MessageBounds.objectsMax}. */
export function tooManyObjects({ objectsMax }: MessageBounds): string {
  return `has too many objects: ${objectsMax} are the limit`
}

/** Describes a message beyond {@link MessageBounds.elementsMax}. */
export function tooManyElements({ elementsMax }: MessageBounds): string {
  return `has too many elements: ${elementsMax} are the limit`
}

/** Describes a message beyond {@link MessageBounds.textBytesMax}. */
export function tooLong({ textBytesMax }: MessageBounds): string {
  return `has a text or number that is too long: ${textBytesMax} bytes are the limit`
}

/**
 * The offset of the closing quote, or the end of the bytes. Tests four bytes at a time for quotes and backslashes: a borrow causes
 * false positives only above a true one, and the lowest one counts. Speed: `dialect/segment-15`.
 */
function findTextEnd(bytes: Uint8Array, view: DataView, start: number): number {
  const lastWord = bytes.length - 4
  let at = start
  while (at < bytes.length) {
    if (at <= lastWord) {
      const word = view.getInt32(at, true)
      const quote = word ^ 0x22222222
      const backslash = word ^ 0x5c5c5c5c
      const found = (((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash)) & 0x80808080
      if (found === 0) {
        at += 4
        continue
      }
      at += (31 - Math.clz32(found & -found)) >> 3
    }
    const byte = bytes[at]
    if (byte === QUOTE) return at
    at += byte === BACKSLASH ? 2 : 1
  }
  return at
}

function findWordEnd(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && MEANINGS[bytes[at] ?? 0] === 0) at++
  return at
}

function createMeanings(): Uint8Array {
  const meanings = new Uint8Array(256)
  const byCharacters = {
    ' \t\r\n': MEANING.blank,
    '"': MEANING.quote,
    '{': MEANING.object,
    '[': MEANING.array,
    '}]': MEANING.end,
    ',': MEANING.comma,
    ':': MEANING.colon,
  }
  for (const [characters, meaning] of Object.entries(byCharacters)) {
    for (const character of characters) meanings[character.charCodeAt(0)] = meaning
  }
  return meanings
}
