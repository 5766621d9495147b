/** A path of the console: `/p/<project>/<section>/<rest>`. */
export interface Route<Section extends string> {
  /** Empty for a path that names no project. */
  readonly projectId: string
  /** `undefined` for an address that the console does not have. */
  readonly section: Section | undefined
  readonly rest: string
}

const PROJECT_PATH = /^\/p\/([^/]+)(?:\/([^/]*))?(?:\/(.*))?$/
/** The sign-in page leads to the landing page of a person who is signed in. */
const LANDING_PATHS: readonly string[] = ['/', '/sign-in']
/** Frames of other sites have a separate address, because the console is never in one. */
const SHARE_PATH = /^\/(?:share|embed)\/([\w-]+)\/?$/

/** Parses the path of a page; a path without a section leads to the first of `sections`. */
export function parseRoute<Section extends string>(
  path: string,
  sections: readonly [Section, ...Section[]],
): Route<Section> {
  if (LANDING_PATHS.includes(path)) return { projectId: '', section: sections[0], rest: '' }
  const [, projectId = '', name = '', rest = ''] = PROJECT_PATH.exec(path) ?? []
  const known = sections.find((section) => section === name)
  const section = projectId !== '' && name === '' ? sections[0] : known
  return { projectId, section, rest: decode(rest) }
}

/** The share of the path of a public dashboard; `undefined` for other paths. */
export function parseSharePath(path: string): string | undefined {
  return SHARE_PATH.exec(path)?.[1]
}

/** Readers of the parameters of an address, by name: `undefined` for a text that the parameter does not have. */
export type ParameterReaders = Readonly<Record<string, (text: string) => unknown>>

/** Whether an address has a parameter that its reader cannot read, so that the page is not that of the sender. */
export function hasUnreadable(query: URLSearchParams, readers: ParameterReaders): boolean {
  return Object.entries(readers).some(([name, read]) =>
    query.getAll(name).some((text) => text !== '' && read(text) === undefined),
  )
}

/** A malformed escape is taken literally. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
