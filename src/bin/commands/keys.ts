import { findProject } from '../../control/projects/operator-projects.ts'
import { systemClock } from '../../kernel/clock.ts'
import type { Settings } from '../../settings/settings.ts'
import {
  type ApiKeyKind,
  type ApiKeyRow,
  generateApiKey,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../store/catalog/api-keys.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { FatalError } from '../environment/fatal-error.ts'
import { withCatalog } from '../environment/with-catalog.ts'
import { expectNoMore } from './command-words.ts'

/** `millrace keys create|list|revoke`. Throws {@link FatalError} on wrong arguments. */
export async function runKeys(settings: Settings, [verb, ...words]: readonly string[]): Promise<void> {
  await withCatalog(settings, async (catalog) => {
    if (verb === 'list') await list(catalog, words)
    else if (verb === 'create') await create(catalog, words)
    else if (verb === 'revoke') await revoke(catalog, words)
    else throw new FatalError('keys needs create, list or revoke')
  })
}

async function list(catalog: Catalog, [project, ...more]: readonly string[]): Promise<void> {
  expectNoMore(more)
  const only = project === undefined ? undefined : (await findProject(catalog, project)).id
  for (const key of await listApiKeys(catalog)) {
    if (only !== undefined && key.projectId !== only) continue
    const { id, projectId, kind, masked, displayName } = key
    const name = [displayName, ...limitsOf(key)].join('  ').trim()
    process.stdout.write(`${id}  project ${projectId}  ${kind.padEnd(7)}  ${masked}  ${name}\n`)
  }
}

function limitsOf({ expiresMs, allowedAddresses }: ApiKeyRow): string[] {
  return [
    ...(expiresMs === undefined ? [] : [`until ${new Date(expiresMs).toISOString()}`]),
    ...(allowedAddresses.length === 0 ? [] : [`from ${allowedAddresses.join(', ')}`]),
  ]
}

async function create(
  catalog: Catalog,
  [project, kind, displayName, ...more]: readonly string[],
): Promise<void> {
  expectNoMore(more)
  if (project === undefined) throw new FatalError('keys create needs a project, and public or private')
  const { id: projectId } = await findProject(catalog, project)
  if (!isKind(kind)) throw new FatalError('the kind of a key must be public or private')
  const text = generateApiKey(kind)
  await insertApiKey(catalog, systemClock, {
    projectId,
    kind,
    displayName: displayName ?? '',
    text,
  })
  process.stdout.write(`${text}\n`)
}

async function revoke(catalog: Catalog, [id = '', ...more]: readonly string[]): Promise<void> {
  expectNoMore(more)
  if (!(await revokeApiKey(catalog, id)))
    throw new FatalError(`there is no key ${id}; see millrace keys list`)
}

function isKind(text: string | undefined): text is ApiKeyKind {
  return text === 'public' || text === 'private'
}
