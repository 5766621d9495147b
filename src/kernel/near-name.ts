/** More edits than these make another name. */
const EDITS_MAX = 3

/** One edit in so many characters is a slip: `strat` is a misspelt `start`, and `stop` is not. */
const CHARACTERS_PER_EDIT = 2.5

/** The name that a misspelt one stands for: the one with the fewest edits between them; undefined where none is near. */
export function findNearName(misspelt: string, names: readonly string[]): string | undefined {
  let near: string | undefined
  let fewest = Math.min(EDITS_MAX, Math.floor(misspelt.length / CHARACTERS_PER_EDIT)) + 1
  for (const name of names) {
    const edits = countEdits(misspelt, name)
    if (edits >= fewest) continue
    fewest = edits
    near = name
  }
  return near
}

/** The Levenshtein distance of two texts: characters to insert, delete or replace. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 0; column < to.length; column += 1) {
      const replaced = (row[column] ?? 0) + (character === to[column] ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
