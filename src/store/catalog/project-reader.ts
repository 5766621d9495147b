import { LRUCache } from 'lru-cache'
import type { ProjectId } from '../../contract/ids.ts'
import type { Catalog } from './catalog.ts'
import { loadNameFacts, type NameFacts, NO_NAME_FACTS } from './name-facts.ts'

/** Project facts that queries need. */
export interface ProjectFacts {
  /** IANA name of the reporting time zone. */
  readonly reportingTimezone: string
  readonly names: NameFacts
}

/** Cached projects and names of their dictionaries. */
const CACHED_SIZE_MAX = 100_000

/** Milliseconds until a change to a project becomes visible. */
const CACHED_MS = 4000

/** Reads project facts through a short-lived cache, with one lookup per project in flight. */
export class ProjectReader {
  readonly #cache: LRUCache<ProjectId, ProjectFacts>

  constructor(catalog: Catalog) {
    this.#cache = new LRUCache({
      maxSize: CACHED_SIZE_MAX,
      sizeCalculation: ({ names }) => 10 + names.events.size + names.properties.size,
      ttl: CACHED_MS,
      fetchMethod: async (id) => await findFacts(catalog, id),
    })
  }

  /** The project's facts; a deleted project reports in UTC. Throws when the catalog is unreadable. */
  async read(id: ProjectId): Promise<ProjectFacts> {
    return (await this.#cache.fetch(id)) ?? { reportingTimezone: 'UTC', names: NO_NAME_FACTS }
  }
}

async function findFacts(catalog: Catalog, id: ProjectId): Promise<ProjectFacts | undefined> {
  const row = await catalog
    .selectFrom('projects')
    .select('reporting_timezone')
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { reportingTimezone: row.reporting_timezone, names: await loadNameFacts(catalog, id) }
}
