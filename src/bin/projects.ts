import { systemClock } from '../kernel/clock.ts'
import type { Settings } from '../settings/settings.ts'
import type { Catalog } from '../store/catalog/catalog.ts'
import {
  firstOrganisationId,
  insertProject,
  listProjects,
  type ProjectRow,
} from '../store/catalog/projects.ts'
import { expectNoMore } from './command-words.ts'
import { FatalError } from './fatal-error.ts'
import { withCatalog } from './with-catalog.ts'

/** `millrace projects create|list`. Throws {@link FatalError} on wrong arguments. */
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

/** Finds a project by id or name, by default the first one. Throws {@link FatalError}. */
export async function findProject(catalog: Catalog, text: string | undefined): Promise<ProjectRow> {
  const projects = await listProjects(catalog)
  if (text === undefined && projects[0]) return projects[0]
  const found = projects.filter(({ id, displayName }) => String(id) === text || displayName === text)
  if (found.length > 1) throw new FatalError(`${found.length} projects are named ${text}; use an id`)
  if (!found[0]) throw new FatalError(`there is no project ${text ?? 'yet'}; see millrace projects list`)
  return found[0]
}
