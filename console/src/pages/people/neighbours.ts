/** The people of the list that was shown last, in its order, by the addresses of their pages. */
let listed: readonly string[] = []

/** Keeps the people of a list for the pages that it leads to. */
export function keepNeighbours(hrefs: readonly string[]): void {
  listed = hrefs
}

/** The person after or before another one in the list that one came from. */
export function neighbourOf(href: string, by: 1 | -1): string | undefined {
  const at = listed.indexOf(href)
  return at < 0 ? undefined : listed[at + by]
}
