import { systemClock } from '../../src/kernel/clock.ts'
import { generateApiKey, insertApiKey } from '../../src/store/catalog/api-keys.ts'
import { openCatalog } from '../../src/store/catalog/catalog.ts'
import { firstOrganisationId, insertProject } from '../../src/store/catalog/projects.ts'
import { startOnWorld } from '../rig/twenty-tiles.ts'
import { Teardown } from '../teardown.ts'

/** The projects of a folder. */
export interface Projects {
  readonly ids: readonly number[]
  /** A public key of each. */
  readonly keys: readonly string[]
}

/** Starts the service on a folder, which creates the first project, and creates the others in its catalog. */
export async function createProjects(folder: string, count: number): Promise<Projects> {
  const teardown = new Teardown()
  try {
    const { publicKey } = await startOnWorld(teardown, folder)
    const catalog = openCatalog({ dataDir: folder, databaseUrl: undefined })
    teardown.defer(async () => await catalog.destroy())
    const organisationId = await firstOrganisationId(catalog)
    if (organisationId === undefined) throw new Error('the service has no organisation')
    const [ids, keys] = [[1], [publicKey]]
    while (ids.length < count) {
      const displayName = `Project ${ids.length + 1}`
      const projectId = await insertProject(catalog, systemClock, { organisationId, displayName })
      const text = generateApiKey('public')
      await insertApiKey(catalog, systemClock, { projectId, kind: 'public', displayName, text })
      ids.push(projectId)
      keys.push(text)
    }
    return { ids, keys }
  } finally {
    await teardown.run()
  }
}
