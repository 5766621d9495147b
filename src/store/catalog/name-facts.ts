import { createHash } from 'node:crypto'
import type { ProjectId } from '../../contract/ids.ts'
import type { Catalog } from './catalog.ts'

/** What questions and pickers need of a name's definition. */
export interface NameFact {
  /** Empty when people see the name itself. */
  readonly displayName: string
  readonly description: string
  readonly isHidden: boolean
}

/** The part of a project's dictionary that changes answers. */
export interface NameFacts {
  /** The kinds whose events count as those of another kind, by that kind, ascending. */
  readonly mergedKinds: ReadonlyMap<string, readonly string[]>
  readonly events: ReadonlyMap<string, NameFact>
  readonly properties: ReadonlyMap<string, NameFact>
  /** Changes with all of them. */
  readonly version: string
}

/** The facts of a project without a dictionary. */
export const NO_NAME_FACTS: NameFacts = {
  mergedKinds: new Map(),
  events: new Map(),
  properties: new Map(),
  version: '',
}

/** Reads the facts of a project; its definitions and merged kinds are limited in number. */
export async function loadNameFacts(catalog: Catalog, projectId: ProjectId): Promise<NameFacts> {
  const definitions = await catalog
    .selectFrom('name_definitions')
    .select(['type', 'name', 'display_name', 'description', 'state'])
    .where('project_id', '=', projectId)
    .orderBy('type')
    .orderBy('name')
    .execute()
  const merges = await loadMerges(catalog, projectId)
  if (definitions.length === 0 && merges.length === 0) return NO_NAME_FACTS
  const ofType = (type: 'event' | 'property'): NameFacts['events'] =>
    new Map(
      definitions
        .filter((row) => row.type === type)
        .map(({ name, display_name, description, state }) => [
          name,
          { displayName: display_name, description, isHidden: state === 'hidden' },
        ]),
    )
  return {
    mergedKinds: groupMerges(merges),
    events: ofType('event'),
    properties: ofType('property'),
    version: createHash('sha256')
      .update(JSON.stringify([definitions, merges]))
      .digest('base64'),
  }
}

/** An event kind, and the kind that it counts as. */
export interface Merge {
  readonly name: string
  readonly into_name: string
}

/** The merged kinds of a project, ascending. */
export async function loadMerges(catalog: Catalog, projectId: ProjectId): Promise<readonly Merge[]> {
  return await catalog
    .selectFrom('merged_names')
    .select(['name', 'into_name'])
    .where('project_id', '=', projectId)
    .orderBy('name')
    .execute()
}

/** The merged kinds by the kind that they count as. */
function groupMerges(merges: readonly Merge[]): ReadonlyMap<string, readonly string[]> {
  const grouped = Map.groupBy(merges, ({ into_name }) => into_name)
  return new Map([...grouped].map(([into, members]) => [into, members.map(({ name }) => name)]))
}
