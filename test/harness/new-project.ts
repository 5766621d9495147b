import { systemClock } from '../../src/kernel/clock.ts'
import { generateApiKey, insertApiKey } from '../../src/store/catalog/api-keys.ts'
import { openCatalog } from '../../src/store/catalog/catalog.ts'
import { firstOrganisationId, insertProject } from '../../src/store/catalog/projects.ts'
import type { TestService } from './service.ts'

/** A project, and a private key of it. */
export interface NewProject {
  readonly id: string
  readonly key: string
}

/** Makes a project with a private key in the catalog of a running service; the commands that do so take a process each. */
export async function createProject(service: TestService, displayName: string): Promise<NewProject> {
  const catalog = openCatalog(service)
  try {
    const organisationId = await firstOrganisationId(catalog)
    if (organisationId === undefined) throw new Error('the service has no organisation')
    const projectId = await insertProject(catalog, systemClock, { organisationId, displayName })
    const key = generateApiKey('private')
    await insertApiKey(catalog, systemClock, { projectId, kind: 'private', displayName, text: key })
    return { id: String(projectId), key }
  } finally {
    await catalog.destroy()
  }
}
