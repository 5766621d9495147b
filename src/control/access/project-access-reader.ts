import { LRUCache } from 'lru-cache'
import type { ProjectAccess } from '../../access/caller.ts'
import { asOrganisationId, type CustomerId, type OrganisationId, type ProjectId } from '../../contract/ids.ts'
import { opensProject, type Role, roleInProject } from '../../contract/role.ts'
import { entriesUpTo } from '../../kernel/cache-limit.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { selectProjectFor } from '../../store/catalog/project-roles.ts'
import { notAMember, projectClosed, projectNotFound } from './access-errors.ts'

const CACHED_MAX = 20_000

/** Milliseconds until a change by another process takes effect. */
const CACHED_MS = 4000

/** A customer and the project of a call. */
export interface ProjectAccessKey {
  readonly customerId: CustomerId
  readonly projectId: ProjectId
}

/** A customer's access to a project. */
export interface FoundAccess extends ProjectAccess {
  /** Whether the organisation of the project requires a second factor of its members. */
  readonly isSecondFactorRequired: boolean
  /** Whether the customer has one. */
  readonly hasSecondFactor: boolean
}

interface Found {
  /** The owner of the project; `undefined` for an unknown project. */
  readonly organisationId: OrganisationId | undefined
  /** The role in the project; `undefined` for a customer outside of the organisation. */
  readonly role: Role | undefined
  readonly isSecondFactorRequired: boolean
  readonly hasSecondFactor: boolean
}

/** Looks up the roles of customers in projects, through a short-lived cache. */
export class ProjectAccessReader {
  readonly #catalog: Catalog
  readonly #cache = new LRUCache<string, Found>({ ...entriesUpTo(CACHED_MAX), ttl: CACHED_MS })
  #generation = 0

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /** The customer's access to the project. Throws `not_found` and `permission_denied`. */
  async read(key: ProjectAccessKey): Promise<FoundAccess> {
    const { organisationId, role, ...factor } = await this.#find(key)
    if (organisationId === undefined) throw projectNotFound()
    if (role === undefined) throw notAMember()
    if (!opensProject(role)) throw projectClosed()
    return { projectId: key.projectId, organisationId, role, ...factor }
  }

  /** Clears the cache, so that this process reads its own writes. */
  forget(): void {
    // A lookup in flight may have read the old row: its result must not be cached.
    this.#generation++
    this.#cache.clear()
  }

  async #find(key: ProjectAccessKey): Promise<Found> {
    const name = `${key.projectId}/${key.customerId}`
    const cached = this.#cache.get(name)
    if (cached) return cached
    const generation = this.#generation
    const found = await findAccess(this.#catalog, key)
    if (generation === this.#generation) this.#cache.set(name, found)
    return found
  }
}

const UNKNOWN: Found = {
  organisationId: undefined,
  role: undefined,
  isSecondFactorRequired: false,
  hasSecondFactor: false,
}

async function findAccess(catalog: Catalog, key: ProjectAccessKey): Promise<Found> {
  const row = await selectProjectFor(catalog, key).select('projects.organisation_id').executeTakeFirst()
  if (!row) return UNKNOWN
  return {
    organisationId: asOrganisationId(row.organisation_id),
    role:
      row.role === null
        ? undefined
        : roleInProject({ inOrganisation: row.role, ofProject: row.project_role }),
    isSecondFactorRequired: row.second_factor_required === 1,
    hasSecondFactor: row.has_factor === 1,
  }
}
