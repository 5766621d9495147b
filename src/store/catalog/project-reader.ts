import { LRUCache } from 'lru-cache'
import type { ProjectId } from '../../contract/ids.ts'
import type { Catalog } from './catalog.ts'

/** What questions need to know about their project. */
export interface ProjectFacts {
  /** IANA name of the time zone that reports are in. */
  readonly reportingTimezone: string
}

const CACHED_PROJECTS_MAX = 10_000

/** Milliseconds until a change of a project is seen. */
const CACHED_MS = 4000

/** Reads facts about projects through a short cache, with one look-up per project under way. */
export class ProjectReader {
  readonly #cache: LRUCache<ProjectId, ProjectFacts>

  constructor(catalog: Catalog) {
    this.#cache = new LRUCache({
      max: CACHED_PROJECTS_MAX,
      ttl: CACHED_MS,
      fetchMethod: async (id) => await findFacts(catalog, id),
    })
  }

  /** The project's facts; a project that is gone reports in UTC. Throws when the catalog cannot be read. */
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
