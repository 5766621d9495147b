import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { loadMerges, type Merge } from '../../store/catalog/name-facts.ts'
import type { QueryPorts } from '../calls/query-call.ts'
import type { QueryRunner } from '../sql/select.ts'
import { loadDefinitions } from './definition-store.ts'
import { loadIgnored } from './merge-store.ts'
import { joinNames, type ListedName, type NameParts } from './name-list.ts'
import { compileCounts, compileNames, type NamesQuery } from './names-sql.ts'

/** Dependencies of the dictionary. */
export interface DictionaryPorts extends QueryPorts {
  readonly catalog: Catalog
}

/** The dictionary of a project, as one call reads it. */
export interface Dictionary {
  readonly merges: readonly Merge[]
  /** The kinds; with a property, as its carriers: those that have no event with it are not seen. */
  listEvents(of?: Pick<NamesQuery, 'property'>): Promise<readonly ListedName[]>
  /** The properties; with kinds, those of their events. */
  listProperties(of?: Pick<NamesQuery, 'kinds'>): Promise<readonly ListedName[]>
  findEvent(name: string): Promise<ListedName | undefined>
  findProperty(name: string): Promise<ListedName | undefined>
  loadIgnored(projectId: ProjectId): Promise<ReadonlySet<string>>
}

/** Opens the dictionary of a project. */
export async function openDictionary(
  { catalog, clock }: Pick<DictionaryPorts, 'catalog' | 'clock'>,
  { projectId, run }: { readonly projectId: ProjectId; readonly run: QueryRunner },
): Promise<Dictionary> {
  const merges = await loadMerges(catalog, projectId)
  const read = async (query: NamesQuery): Promise<Pick<NameParts, 'seen' | 'counts'>> => {
    const [seen, counts] = await Promise.all([
      run(compileNames(query)),
      run(compileCounts({ ...query, nowMs: clock.nowMs() })),
    ])
    return { seen, counts }
  }
  const listEvents: Dictionary['listEvents'] = async (of = {}) =>
    joinNames({
      ...(await read({ projectId, by: 'kind', ...of })),
      definitions: await loadDefinitions(catalog, { projectId, type: 'event' }),
      others: merges.flatMap(({ name, into_name }) => [name, into_name]),
    })
  const listProperties: Dictionary['listProperties'] = async (of = {}) =>
    joinNames({
      ...(await read({ projectId, by: 'property', ...of })),
      definitions: await loadDefinitions(catalog, { projectId, type: 'property' }),
    })
  const findEvent = async (wanted: string): Promise<ListedName | undefined> => {
    const names = joinNames({
      ...(await read({ projectId, by: 'kind', kinds: [wanted] })),
      definitions: await loadDefinitions(catalog, { projectId, type: 'event' }),
      others: merges.flatMap(({ name, into_name }) => [name, into_name]),
    })
    return names.find(({ name }) => name === wanted)
  }
  const findProperty = async (wanted: string): Promise<ListedName | undefined> => {
    // The empty name stands for the kinds themselves.
    if (wanted === '') return undefined
    const names = joinNames({
      ...(await read({ projectId, by: 'property', property: wanted })),
      definitions: await loadDefinitions(catalog, { projectId, type: 'property' }),
    })
    return names.find(({ name }) => name === wanted)
  }
  return {
    merges,
    listEvents,
    listProperties,
    findEvent,
    findProperty,
    loadIgnored: async (id) => await loadIgnored(catalog, id),
  }
}

/** The project has no such name. */
export function nameNotFound(what: 'event kind' | 'property'): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'NAME_NOT_FOUND',
    message: `there is no ${what} with this name`,
  })
}
