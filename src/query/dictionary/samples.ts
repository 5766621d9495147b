import type { ProjectId } from '../../contract/ids.ts'
import { isPropertyName, resolveEventProperty } from '../../domain/insights/property.ts'
import type { QueryRunner } from '../sql/select.ts'
import type { ListedName } from './name-list.ts'
import { compileSamples } from './names-sql.ts'

/** A property, and the kinds that carry it. */
export interface SampledProperty {
  readonly projectId: ProjectId
  readonly run: QueryRunner
  readonly name: string
  readonly carriers: readonly ListedName[]
}

/** Values of a property, from the kind that carried it last; none for a name that filters cannot express. */
export async function readSamples({ projectId, run, name, carriers }: SampledProperty): Promise<string[]> {
  const latest = carriers.reduce<ListedName | undefined>(
    (best, one) => ((one.seen?.lastMs ?? 0) > (best?.seen?.lastMs ?? -1) ? one : best),
    undefined,
  )
  if (!latest?.seen || !isPropertyName(name)) return []
  const of = { projectId, kind: latest.name, lastMs: latest.seen.lastMs }
  const rows = await run(compileSamples(resolveEventProperty(name), of))
  return rows.map(({ text }) => text)
}
