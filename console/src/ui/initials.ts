const COLOR_COUNT = 6

/** The initials of a name or an email address: at most two letters; empty when it has none. */
export function initialsOf(name: string): string {
  const words = name.replace(/@.*$/, '').match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')][0] ?? '',
  )
  return letters.join('').toLocaleUpperCase()
}

/** The colour of a person, from 1: the same id always has the same one. */
export function avatarColor(id: string): number {
  let hash = 0
  for (let at = 0; at < id.length; at += 1) hash = (Math.imul(hash, 31) + id.charCodeAt(at)) >>> 0
  return (hash % COLOR_COUNT) + 1
}
