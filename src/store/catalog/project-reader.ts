import { LRUCache } from 'lru-cache'
import type { ProjectId } from '../../contract/ids.ts'
import type { Catalog } from './catalog.ts'

/** Project facts that queries need. */
export interface ProjectFacts {
  /** IANA name of the reporting time zone. */
  readonly reportingTimezone: string
}

const CACHED_PROJECTS_MAX = 10_000

/** Milliseconds until a change to a project becomes visible. */
const CACHED_MS = 4000

/** Reads project facts through a short-lived cache, with one lookup per project in flight. */
export class ProjectReader {
  readonly #cache: LRUCache<ProjectId, ProjectFacts>

  constructor(catalog: Catalog) {
    this.#cache = new LRUCache({
      max: CACHED_PROJECTS_MAX,
      ttl: CACHED_MS,
      fetchMethod: async (id) => await findFacts(catalog, id),
    })
  }

  /** The project's facts; a deleted project reports in UTC. Throws when the catalog is unreadable. */
  async read(id: ProjectId): Promise<ProjectFacts> {
    return (await this.#cache.fetch(id)) ?? { reportingTimezone: 'UTC' }
  }
}

async function findFacts(catalog: Catalog, id: ProjectId): Promise<ProjectFacts | undefined> {
  const row = await catalog
    .selectFrom('projects')
    .select('reporting_timezone')
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { reportingTimezone: row.reporting_timezone }
}
