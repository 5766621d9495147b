/** Tags of an insight, and characters of one. */
const TAGS_MAX = 20
const TAG_LENGTH_MAX = 50

/** The tags of a text with commas between them: each once, in any case. */
export function parseTags(text: string): string[] {
  const tags = new Map<string, string>()
  for (const part of text.split(',')) {
    const tag = [...part.trim()].slice(0, TAG_LENGTH_MAX).join('').trim()
    if (tag !== '' && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag)
  }
  return [...tags.values()].slice(0, TAGS_MAX)
}
