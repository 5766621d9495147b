import type { MessageBounds } from './message-bounds.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** What a byte outside of a text means: 0 is a part of a number or a word, or of something that is no JSON. */
const MEANING = { blank: 1, quote: 2, object: 3, array: 4, end: 5, comma: 6, colon: 7 } as const

const MEANINGS = createMeanings()

/**
 * What of JSON text is beyond its bounds, in words that follow its name; `undefined` when nothing is, or when it is no JSON,
 * which its parser tells. One pass over the bytes, without an allocation.
 */
export function findJsonExcess(bytes: Uint8Array, bounds: MessageBounds): string | undefined {
  const { depthMax, objectsMax, elementsMax, textBytesMax } = bounds
  let depth = 0
  let objects = 0
  let elements = 0
  for (let at = 0; at < bytes.length; at++) {
    switch (MEANINGS[bytes[at] ?? 0]) {
      case MEANING.quote: {
        const end = findTextEnd(bytes, at + 1)
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

/** Words for a bound that is passed: {@link MessageBounds.depthMax}. */
export function tooDeep({ depthMax }: MessageBounds): string {
  return `is nested too deeply: ${depthMax} levels are the limit`
}

/** Words for a bound that is passed: {@link MessageBounds.objectsMax}. */
export function tooManyObjects({ objectsMax }: MessageBounds): string {
  return `has too many objects: ${objectsMax} are the limit`
}

/** Words for a bound that is passed: {@link MessageBounds.elementsMax}. */
export function tooManyElements({ elementsMax }: MessageBounds): string {
  return `has too many elements: ${elementsMax} are the limit`
}

/** Words for a bound that is passed: {@link MessageBounds.textBytesMax}. */
export function tooLong({ textBytesMax }: MessageBounds): string {
  return `has a text or number that is too long: ${textBytesMax} bytes are the limit`
}

/** Where the closing quote is, or the end of the bytes. */
function findTextEnd(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length) {
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
