/** The names by which a list is searched. */
export interface Named {
  readonly label: string
  /** Its frequency; more frequent names come first. */
  readonly count?: number | undefined
}

/** An entry that matches a text, and the part of its label that does. */
export interface NameMatch<Entry extends Named> {
  readonly entry: Entry
  /** Half-open range of characters of the label; empty when nothing was typed. */
  readonly from: number
  readonly to: number
}

/** Characters that make no difference in names. */
const IGNORED = /[\s_-]/

interface Folded {
  readonly text: string
  /** The position in the label of each character of the text. */
  readonly positions: readonly number[]
}

function fold(label: string): Folded {
  const positions: number[] = []
  let text = ''
  for (let at = 0; at < label.length; at += 1) {
    const character = label.charAt(at)
    if (IGNORED.test(character)) continue
    const lower = character.toLowerCase()
    text += lower
    for (let unit = 0; unit < lower.length; unit += 1) positions.push(at)
  }
  return { text, positions }
}

/**
 * The entries whose label contains a text, without regard to case, `_`, `-` and spaces: those that start with it first,
 * then by count, else in their order.
 */
export function matchNames<Entry extends Named>(
  entries: readonly Entry[],
  typed: string,
): readonly NameMatch<Entry>[] {
  const wanted = fold(typed).text
  if (wanted === '') return entries.map((entry) => ({ entry, from: 0, to: 0 }))
  const found = entries.flatMap((entry) => {
    const { text, positions } = fold(entry.label)
    const at = text.indexOf(wanted)
    if (at === -1) return []
    const from = positions[at] ?? 0
    const to = (positions[at + wanted.length - 1] ?? from) + 1
    return [{ match: { entry, from, to }, isPrefix: at === 0 }]
  })
  return found
    .sort((a, b) => Number(b.isPrefix) - Number(a.isPrefix) || countOf(b) - countOf(a))
    .map(({ match }) => match)
}

function countOf({ match }: { readonly match: NameMatch<Named> }): number {
  return match.entry.count ?? 0
}

/** Whether a name is the same without regard to case and outer spaces. */
export function isSameName(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase()
}
