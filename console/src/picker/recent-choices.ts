/** Choices that are kept for a project. */
const CHOICES_MAX = 12

/** Longer names are not worth their room. */
const KEY_CHARACTERS_MAX = 300

function storageKey(projectId: string): string {
  return `millrace:recent:${projectId}`
}

/** The keys of recently chosen entries of a project, latest first; none where the browser keeps nothing. */
export function readRecent(projectId: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey(projectId)) ?? '[]')
    if (!Array.isArray(kept)) return []
    return kept.filter((key): key is string => typeof key === 'string').slice(0, CHOICES_MAX)
  } catch {
    return []
  }
}

/** The keys after one of them was chosen again. */
export function addRecent(kept: readonly string[], key: string): readonly string[] {
  if (key.length > KEY_CHARACTERS_MAX) return kept
  return [key, ...kept.filter((other) => other !== key)].slice(0, CHOICES_MAX)
}

/** Keeps the keys for later visits. */
export function writeRecent(projectId: string, kept: readonly string[]): void {
  try {
    localStorage.setItem(storageKey(projectId), JSON.stringify(kept))
  } catch {
    // Storage can be full or switched off: the list of recent choices then lasts as long as the page.
  }
}
