import { systemClock } from '../../src/kernel/clock.ts'
import { generateApiKey, insertApiKey } from '../../src/store/catalog/api-keys.ts'
import { openCatalog } from '../../src/store/catalog/catalog.ts'
import { firstOrganisationId, insertProject } from '../../src/store/catalog/projects.ts'
import type { TestService } from './service.ts'

/** A project, and its keys. */
export interface NewProject {
  readonly id: string
  /** The private key. */
  readonly key: string
  readonly publicKey: string
}

/** Makes a project with a key of each kind in the catalog of a running service; the commands that do so take a process each. */
export async function createProject(service: TestService, displayName: string): Promise<NewProject> {
  const catalog = openCatalog(service)
  try {
    const organisationId = await firstOrganisationId(catalog)
    if (organisationId === undefined) throw new Error('the service has no organisation')
    const projectId = await insertProject(catalog, systemClock, { organisationId, displayName })
    const key = generateApiKey('private')
    await insertApiKey(catalog, systemClock, { projectId, kind: 'private', displayName, text: key })
    const publicKey = generateApiKey('public')
    await insertApiKey(catalog, systemClock, { projectId, kind: 'public', displayName, text: publicKey })
    return { id: String(projectId), key, publicKey }
  } finally {
    await catalog.destroy()
  }
}
