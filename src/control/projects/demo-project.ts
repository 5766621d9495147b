import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { MembershipKey } from '../organisations/membership.ts'
import { deleteProject } from './delete-project.ts'
import { createProject, type Project } from './projects.ts'

/** Stores generated traffic in a project that has none yet. Rejects when it could not be stored as a whole. */
export type FillDemo = (projectId: ProjectId) => Promise<void>

/** Dependencies of demo projects. */
export interface DemoPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly fillDemo: FillDemo
}

/**
 * Creates a project and fills it with generated traffic; requires an admin. A project that cannot be filled is deleted again.
 * Throws `failed_precondition` for a second one of an organisation.
 */
export async function createDemoProject(
  { catalog, clock, fillDemo }: DemoPorts,
  settings: MembershipKey & { readonly displayName: string; readonly reportingTimezone: string },
): Promise<Project> {
  const project = await createProject(catalog, clock, { ...settings, isDemo: true })
  try {
    await fillDemo(project.id)
    return project
  } catch (error) {
    await deleteProject(catalog, clock, project.id)
    if (error instanceof ServiceError) throw error
    throw new ServiceError({
      code: 'unavailable',
      reason: 'STORE_UNAVAILABLE',
      message: 'the demo data could not be stored; try again',
      cause: error,
      retryAfterSeconds: 1,
    })
  }
}
