import { siteOf } from './site.ts'
import { OTHER_HOSTS, SOURCE_HOSTS, SOURCE_NAMES, type SourceKind } from './source-tables.ts'

const KINDS = Object.keys(SOURCE_HOSTS) as SourceKind[]
const NAME_LENGTH_MIN = 3
/** Labels of the longest host in the tables: further labels of a host are ignored. */
const LABELS_MAX = 6

/** Maps known hosts of no kind to `undefined`. */
const KIND_BY_HOST: ReadonlyMap<string, SourceKind | undefined> = new Map([
  ...KINDS.flatMap((kind) => words(SOURCE_HOSTS[kind]).map((host) => [host, kind] as const)),
  ...words(OTHER_HOSTS).map((host) => [host, undefined] as const),
])

const KIND_BY_NAME: ReadonlyMap<string, SourceKind> = new Map([
  ...KINDS.flatMap((kind) => hostNames(kind).map((name) => [name, kind] as const)),
  ...KINDS.flatMap((kind) => words(SOURCE_NAMES[kind]).map((name) => [name, kind] as const)),
])

function words(table: string): readonly string[] {
  return table.trim().split(/\s+/)
}

/** Names of sites. Names of hosts below a site, and of two letters, are too ambiguous. */
function hostNames(kind: SourceKind): readonly string[] {
  return words(SOURCE_HOSTS[kind]).flatMap((host) => {
    const [name = '', ...rest] = host.split('.')
    return rest.length === 1 && name.length >= NAME_LENGTH_MIN ? [name] : []
  })
}

/** The kind of a host, by the longest matching name in the tables. */
export function kindOfHost(hostname: string): SourceKind | undefined {
  const site = siteOf(hostname)
  const brand = `${site.slice(0, site.indexOf('.') + 1)}*`
  for (let name = lastLabels(hostname); name !== ''; name = name.slice(name.indexOf('.') + 1)) {
    if (KIND_BY_HOST.has(name)) return KIND_BY_HOST.get(name)
    const branded = name.endsWith(site) ? name.slice(0, -site.length) + brand : name
    if (KIND_BY_HOST.has(branded)) return KIND_BY_HOST.get(branded)
    if (!name.includes('.')) break
  }
  return undefined
}

function lastLabels(hostname: string): string {
  let start = hostname.length
  for (let count = 0; count < LABELS_MAX && start !== -1; count++)
    start = hostname.lastIndexOf('.', start - 1)
  return start === -1 ? hostname : hostname.slice(start + 1)
}

/** The kind of a campaign's source, in lower case: a name or a host. */
export function kindOfSource(source: string): SourceKind | undefined {
  return KIND_BY_NAME.get(source) ?? (source.includes('.') ? kindOfHost(source) : undefined)
}
