/** A defect to plant: the tests that it names must fail. */
export interface Mutation {
  /** The visible effect of the defect. */
  readonly breaks: string
  /** Code that occurs once in `src`, `console/src` and `sdk/browser/src`, so that a file that moves takes its mutations along. */
  readonly search: string
  readonly replace: string
  /** Fast tests, one of which has to fail; each by as much of its path's end as is unique. */
  readonly tests: readonly string[]
}

/** A file by its path from the root of the repository. */
export interface SourceText {
  readonly path: string
  readonly text: string
}

/** The one path with this end. Throws when there is none, or more than one. */
export function findPath(paths: readonly string[], end: string): string {
  return findOnly(
    paths.filter((path) => `/${path}`.endsWith(`/${end}`)),
    `file ${end}`,
  )
}

/** The file that holds the code of a mutation, with the mutation in it. Throws when the code does not occur exactly once. */
export function plant(sources: readonly SourceText[], { search, replace }: Mutation): SourceText {
  const found = sources.flatMap(({ path, text }) => {
    const pieces = text.split(search)
    return pieces.slice(1).map((_, index) => ({
      path,
      text: pieces.slice(0, index + 1).join(search) + replace + pieces.slice(index + 1).join(search),
    }))
  })
  return findOnly(found, `code "${search}"`)
}

function findOnly<T>(found: readonly T[], wanted: string): T {
  const [only] = found
  if (only === undefined || found.length > 1)
    throw new Error(`there are ${found.length} of ${wanted}: update test/mutations/mutations.ts`)
  return only
}
