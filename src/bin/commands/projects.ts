import { createOperatorProject } from '../../control/projects/operator-projects.ts'
import { systemClock } from '../../kernel/clock.ts'
import type { Settings } from '../../settings/settings.ts'
import { listProjects } from '../../store/catalog/projects.ts'
import { FatalError } from '../environment/fatal-error.ts'
import { withCatalog } from '../environment/with-catalog.ts'
import { expectNoMore } from './command-words.ts'

/** `millrace projects create|list`. Throws {@link FatalError} on wrong arguments. */
export async function runProjects(settings: Settings, [verb, ...words]: readonly string[]): Promise<void> {
  await withCatalog(settings, async (catalog) => {
    if (verb === 'list') {
      expectNoMore(words)
      for (const project of await listProjects(catalog))
        process.stdout.write(`${project.id}  ${project.displayName}  ${project.organisationId}\n`)
      return
    }
    const [displayName, ...more] = words
    expectNoMore(more)
    if (verb !== 'create' || !displayName?.trim())
      throw new FatalError('projects needs list, or create with a name')
    process.stdout.write(`${await createOperatorProject(catalog, systemClock, displayName)}\n`)
  })
}
