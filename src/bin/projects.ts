import { systemClock } from '../kernel/clock.ts'
import type { Settings } from '../settings/settings.ts'
import { firstOrganisationId, insertProject, listProjects } from '../store/catalog/projects.ts'
import { expectNoMore } from './command-words.ts'
import { FatalError } from './fatal-error.ts'
import { withCatalog } from './with-catalog.ts'

/** `millrace projects create|list`. Throws {@link FatalError} on wrong words. */
export async function runProjects(settings: Settings, [verb, ...words]: readonly string[]): Promise<void> {
  await withCatalog(settings, async (catalog) => {
    if (verb === 'list') {
      expectNoMore(words)
      for (const project of await listProjects(catalog))
        process.stdout.write(`${project.id}  ${project.displayName}\n`)
      return
    }
    const [displayName, ...more] = words
    expectNoMore(more)
    if (verb !== 'create' || !displayName) throw new FatalError('projects needs list, or create with a name')
    const organisationId = await firstOrganisationId(catalog)
    if (organisationId === undefined)
      throw new FatalError('there is no organisation yet; start the service once')
    const names = (await listProjects(catalog)).map((project) => project.displayName)
    if (names.includes(displayName)) throw new FatalError(`the project ${displayName} already exists`)
    process.stdout.write(`${await insertProject(catalog, systemClock, { organisationId, displayName })}\n`)
  })
}
