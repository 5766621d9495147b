import { LIMITS } from '../../kernel/limits.ts'

const MAX = LIMITS.stringCodePointsMax

/** A text as a property may hold it: trimmed, well-formed, cut to the limit; undefined when nothing is left. */
export function fitText(text: string): string | undefined {
  const fitting = cutText(text.trim()).toWellFormed()
  return fitting === '' ? undefined : fitting
}

/** The text up to the limit of code points; a surrogate pair is one and is never cut in two. */
export function cutText(text: string): string {
  if (text.length <= MAX) return text
  let end = 0
  for (let count = 0; count < MAX && end < text.length; count++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}
