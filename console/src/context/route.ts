/** A path of the console: `/p/<project>/<section>/<rest>`. */
export interface Route<Section extends string> {
  /** Empty for a path that names no project. */
  readonly projectId: string
  readonly section: Section
  readonly rest: string
}

const PROJECT_PATH = /^\/p\/([^/]+)(?:\/([^/]*))?(?:\/(.*))?$/
const SHARE_PATH = /^\/share\/([\w-]+)\/?$/

/** Parses the path of a page; a section that is not one of `sections` is the first of them. */
export function parseRoute<Section extends string>(
  path: string,
  sections: readonly [Section, ...Section[]],
): Route<Section> {
  const [, projectId = '', name = '', rest = ''] = PROJECT_PATH.exec(path) ?? []
  const section = sections.find((known) => known === name) ?? sections[0]
  return { projectId, section, rest: decode(rest) }
}

/** The share of the path of a public dashboard; `undefined` for other paths. */
export function parseSharePath(path: string): string | undefined {
  return SHARE_PATH.exec(path)?.[1]
}

/** A malformed escape is taken literally. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
