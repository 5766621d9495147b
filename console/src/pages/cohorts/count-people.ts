import { fromJsonString, toJsonString } from '@bufbuild/protobuf'
import {
  type Cohort,
  type CohortDefinition,
  CohortDefinitionSchema,
} from '@contract/millrace/cohorts/v1/cohort_pb.js'
import { cohortsClient } from '../../cohorts/cohort-list.ts'

/** The people that are counted: those of a definition that is edited, or of a stored cohort. */
export type CountedPeople = { readonly definition: CohortDefinition } | { readonly cohort: Cohort }

/** The people as text, of which an equal one has the same answer. */
export function keyOfPeople(people: CountedPeople): string {
  if ('definition' in people) return toJsonString(CohortDefinitionSchema, people.definition)
  return `${people.cohort.id} ${people.cohort.updateTime?.seconds}`
}

/** A query that counts people, for all parts of the page that need the same number. */
export function countQuery(projectId: string, key: string) {
  return {
    queryKey: ['cohort-count', projectId, key],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
      Number((await cohortsClient.count({ of: ofKey(key) }, { signal })).users),
  }
}

function ofKey(key: string) {
  if (key.startsWith('{'))
    return { case: 'definition', value: fromJsonString(CohortDefinitionSchema, key) } as const
  return { case: 'cohortId', value: key.slice(0, key.indexOf(' ')) } as const
}
