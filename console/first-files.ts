import { fileURLToPath } from 'node:url'

const source = (path: string): string => fileURLToPath(new URL(`src/${path}`, import.meta.url))

/** The modules of the first page, whose own folder goes with them. */
const FIRST = [source('main.tsx'), source('pages/overview/overview-page.tsx')]
const OVERVIEW = source('pages/overview/')

/** The entry module of charts over time. */
const CHART = [source('charts/time-series.tsx')]

/** The icons of browsers and systems, which the first page loads after its own. */
const FURTHER_ICONS = [source('ui/further-icon.tsx')]

interface Graph {
  readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null
}

/** The modules that load with some others. */
function closureOf(entries: readonly string[], graph: Graph): ReadonlySet<string> {
  const found = new Set<string>()
  const waiting = [...entries]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue
    found.add(id)
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
  }
  return found
}

/** Names a file for the modules that load with some others, except those of a folder. */
function nameFile(name: string, entries: readonly string[], except?: string) {
  let found: ReadonlySet<string> | undefined
  return (id: string, graph: Graph): string | null => {
    found ??= closureOf(entries, graph)
    return found.has(id) && (except === undefined || !id.startsWith(except)) ? name : null
  }
}

/**
 * What the first page loads in any case is one file, and what its chart adds is another. The bundler alone would make a file
 * for each set of pages that share a module, dozens of them. The first page comes first, so that it holds what both load. The
 * icons that other pages share are a file too, for each of them takes less than its request; the first page loads none of them. So are
 * the messages of dashboards, which the first page asks for its starred ones.
 */
export const FILE_GROUPS = [
  { name: nameFile('first', FIRST, OVERVIEW), priority: 2 },
  { name: nameFile('chart', CHART), priority: 1 },
  { name: nameFile('further-icons', FURTHER_ICONS), priority: 1 },
  {
    name: 'dashboard-messages',
    test: /gen\/dashboard\/dashboards\/v1\/\w*dashboards?(?:_service)?_pb/,
    priority: 1,
  },
  { name: 'icons', test: /lucide-solid/, minShareCount: 2 },
]
