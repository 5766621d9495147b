import type { ProjectId } from '../../src/contract/ids.ts'
import type { ProjectContext } from '../../src/domain/insights/insight-context.ts'
import { toSet } from '../../src/query/cohorts/cohort-reader.ts'
import type { Cohort } from '../../src/query/cohorts/cohort-store.ts'
import type { ReferenceWorld } from './model.ts'

/** The project of a loaded world, with the rules of its cohorts at the instant of the world. */
export function projectOf(
  { timeZone, cohorts = [], nowMs = 0 }: ReferenceWorld,
  projectId: ProjectId,
): ProjectContext & { readonly cohorts: NonNullable<ProjectContext['cohorts']> } {
  const projectTimeZone = timeZone || 'UTC'
  const stored = cohorts.map(
    ({ id, definition }): Cohort => ({
      id,
      name: id,
      description: '',
      definition,
      createdBy: '',
      revision: 1,
      createdMs: 0,
      updatedMs: 0,
    }),
  )
  return { projectId, projectTimeZone, cohorts: toSet(stored).rulesAt({ nowMs, timeZone: projectTimeZone }) }
}
