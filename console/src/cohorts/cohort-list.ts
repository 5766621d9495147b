import type { Cohort } from '@contract/millrace/cohorts/v1/cohort_pb.js'
import { CohortsService } from '@contract/millrace/cohorts/v1/cohorts_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { type Accessor, createEffect } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { nameCohorts } from '../format/cohort-names.ts'
import { clientOf } from '../rpc/client.ts'

/** Calls of the service of cohorts. */
export const cohortsClient = clientOf(CohortsService)

/** The key of the cached list of a project. */
export function cohortsKey(projectId: string): readonly string[] {
  return ['cohorts', projectId]
}

/** The cohorts of the project. */
export interface CohortList {
  /** By name; `undefined` until they are read. */
  readonly cohorts: Accessor<readonly Cohort[] | undefined>
  readonly failure: Accessor<unknown>
  readonly reload: () => Promise<void>
}

/** Reads the cohorts of the project; labels of charts have their names from then on. */
export function createCohortList(isNeeded: Accessor<boolean> = () => true): CohortList {
  const workspace = useWorkspace()
  const list = useQuery(() => ({
    queryKey: cohortsKey(workspace().project.id),
    queryFn: async () => (await cohortsClient.list({})).cohorts,
    enabled: isNeeded(),
  }))
  const cohorts = (): readonly Cohort[] | undefined => (list.isSuccess ? list.data : undefined)
  createEffect(() => nameCohorts(cohorts() ?? []))
  return {
    cohorts,
    failure: () => (list.isError ? list.error : undefined),
    reload: async () => void (await list.refetch()),
  }
}
