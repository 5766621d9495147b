import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { type Outline, readOutline } from './markdown.ts'

/** Order and titles, as docs/site/pages.json has them. */
export interface SiteMap {
  readonly title: string
  readonly sections: readonly SectionMap[]
  /** Titles of pages whose own heading is too long for the navigation, by path. */
  readonly titles: Readonly<Record<string, string>>
  /** Addresses of pages that do not follow from their path, by path. */
  readonly addresses: Readonly<Record<string, string>>
}

/** A section of the navigation: pages in order, or every page of a folder that no other section has. */
export type SectionMap = { readonly title: string } & (
  | { readonly pages: readonly string[] }
  | { readonly folder: string }
)

/** A page of the site. */
export interface Page extends Outline {
  /** Path of its source from the root of the repository. */
  readonly path: string
  /** Address from the root of the site, without a leading slash or an extension. */
  readonly address: string
  readonly title: string
}

/** A section with its pages. */
export interface Section {
  readonly title: string
  readonly pages: readonly Page[]
}

/** The whole site, and what is wrong with its links. */
export interface Site {
  readonly title: string
  readonly sections: readonly Section[]
  /** Links to files or anchors that are not there, a line each. */
  readonly broken: readonly string[]
}

const EXTERNAL = /^[a-z][a-z+.-]*:/i

/** Reads and renders every page of a repository. */
export function readSite(root: string): Site {
  const map: SiteMap = JSON.parse(readFileSync(join(root, 'docs', 'site', 'pages.json'), 'utf8'))
  const sections = listSections(root, map)
  const paths = sections.flatMap((section) => section.paths)
  const pages = new Map(paths.map((path) => [path, readPage({ root, path, map })]))
  const links = [...pages.values()].flatMap((page) => page.targets.map((target) => readLink(page, target)))
  return {
    title: map.title,
    sections: sections.map(({ title, paths }) => ({
      title,
      pages: paths.flatMap((path) => pages.get(path) ?? []),
    })),
    broken: links.flatMap((link) => describeFault(link, { root, pages })),
  }
}

interface SectionPaths {
  readonly title: string
  readonly paths: readonly string[]
}

/** Pages by section. A page that the map names and that does not exist yet is left out; links to it are broken. */
function listSections(root: string, { sections }: SiteMap): readonly SectionPaths[] {
  const named = new Set(sections.flatMap((section) => ('pages' in section ? section.pages : [])))
  return sections
    .map((section) => {
      if ('pages' in section)
        return { title: section.title, paths: section.pages.filter((path) => existsSync(join(root, path))) }
      const paths = listMarkdown(root, section.folder).filter((path) => !named.has(path))
      return { title: section.title, paths }
    })
    .filter(({ paths }) => paths.length > 0)
}

/** Markdown files of a folder itself. */
function listMarkdown(root: string, folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return []
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'))
  return names.sort().map((name) => posix.join(folder, name))
}

interface PageSource {
  readonly root: string
  readonly path: string
  readonly map: SiteMap
}

function readPage({ root, path, map }: PageSource): Page {
  const outline = readOutline(readFileSync(join(root, path), 'utf8'))
  const [heading] = outline.headings
  if (heading?.level !== 1) throw new Error(`${path} does not begin with a heading of level 1`)
  const address =
    map.addresses[path] ??
    path
      .replace(/^docs\//, '')
      .replace(/\.md$/, '')
      .toLowerCase()
  return { ...outline, path, address, title: map.titles[path] ?? heading.text }
}

interface Link {
  readonly page: Page
  readonly target: string
  /** Path from the root of the repository; empty for another site. */
  readonly file: string
  readonly anchor: string | undefined
}

function readLink(page: Page, target: string): Link {
  if (EXTERNAL.test(target)) return { page, target, file: '', anchor: undefined }
  const [file, anchor] = splitTarget(page.path, target)
  return { page, target, file, anchor }
}

function splitTarget(path: string, target: string): readonly [file: string, anchor: string | undefined] {
  const [file = '', anchor] = decodeURI(target).split('#', 2)
  return [file === '' ? path : posix.join(posix.dirname(path), file), anchor]
}

function describeFault(
  { page, target, file, anchor }: Link,
  { root, pages }: { readonly root: string; readonly pages: ReadonlyMap<string, Page> },
): readonly string[] {
  if (file === '') return []
  const fault = `${page.path}: ${target}`
  if (file.startsWith('..') || !existsSync(join(root, file))) return [`${fault} is not there`]
  if (anchor === undefined) return []
  const headings = pages.get(file)?.headings ?? []
  if (statSync(join(root, file)).isFile() && headings.some((heading) => heading.anchor === anchor)) return []
  return [`${fault} has no such heading`]
}
