import type { Catalog } from '../store/catalog/catalog.ts'
import { listProjects, type ProjectRow } from '../store/catalog/projects.ts'
import { FatalError } from './fatal-error.ts'

/** The project with an id or a name, or the first one without either. Throws {@link FatalError}. */
export async function findProject(catalog: Catalog, text: string | undefined): Promise<ProjectRow> {
  const projects = await listProjects(catalog)
  if (text === undefined && projects[0]) return projects[0]
  const found = projects.filter(({ id, displayName }) => String(id) === text || displayName === text)
  if (found.length > 1) throw new FatalError(`${found.length} projects are named ${text}; use an id`)
  if (!found[0]) throw new FatalError(`there is no project ${text ?? 'yet'}; see millrace projects list`)
  return found[0]
}
