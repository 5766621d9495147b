import { asProjectId } from '../contract/ids.ts'
import { systemClock } from '../kernel/clock.ts'
import type { Settings } from '../kernel/settings.ts'
import {
  type ApiKeyKind,
  generateApiKey,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
} from '../store/catalog/api-keys.ts'
import type { Catalog } from '../store/catalog/catalog.ts'
import { listProjects } from '../store/catalog/projects.ts'
import { FatalError } from './fatal-error.ts'
import { withCatalog } from './with-catalog.ts'

/** `millrace keys create|list|revoke`. Throws {@link FatalError} on wrong words. */
export async function runKeys(settings: Settings, [verb, ...words]: readonly string[]): Promise<void> {
  await withCatalog(settings, async (catalog) => {
    if (verb === 'list') await list(catalog)
    else if (verb === 'create') await create(catalog, words)
    else if (verb === 'revoke') await revoke(catalog, words[0] ?? '')
    else throw new FatalError('keys takes create, list or revoke')
  })
}

async function list(catalog: Catalog): Promise<void> {
  for (const { id, projectId, kind, masked, displayName } of await listApiKeys(catalog)) {
    process.stdout.write(`${id}  project ${projectId}  ${kind.padEnd(7)}  ${masked}  ${displayName}\n`)
  }
}

async function create(catalog: Catalog, [project, kind, displayName]: readonly string[]): Promise<void> {
  const projectId = (await listProjects(catalog)).find(({ id }) => String(id) === project)?.id
  if (projectId === undefined)
    throw new FatalError(`there is no project ${project ?? ''}; see millrace projects list`)
  if (!isKind(kind)) throw new FatalError('a key is public or private')
  const text = generateApiKey(kind)
  await insertApiKey(catalog, systemClock, {
    projectId: asProjectId(projectId),
    kind,
    displayName: displayName ?? '',
    text,
  })
  process.stdout.write(`${text}\n`)
}

async function revoke(catalog: Catalog, id: string): Promise<void> {
  if (!(await revokeApiKey(catalog, id)))
    throw new FatalError(`there is no key ${id}; see millrace keys list`)
}

function isKind(text: string | undefined): text is ApiKeyKind {
  return text === 'public' || text === 'private'
}
