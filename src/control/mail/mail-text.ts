const NAME_CHARACTERS_MAX = 100

/** A name that users choose, for a subject or a sentence: short, and without line breaks. */
export function toOneLine(name: string): string {
  return name
    .replaceAll(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, NAME_CHARACTERS_MAX)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as it stands in HTML, also in an attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
