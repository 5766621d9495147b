import { toJsonString } from '@bufbuild/protobuf'
import { DashboardSchema } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { CohortSchema } from '@contract/millrace/cohorts/v1/cohort_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { For, type JSX, Show } from 'solid-js'
import { createCohortList } from '../../cohorts/cohort-list.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { Card } from '../../ui/card.tsx'
import { cohortHref } from './cohort-address.ts'

const dashboardsClient = clientOf(DashboardsService)

/** A page that refers to a cohort. */
export interface Place {
  readonly name: string
  readonly kind: 'cohorts.usedByDashboard' | 'cohorts.usedByCohort'
  readonly href: string
}

/** The dashboards and cohorts that refer to a cohort. */
export function createPlaces(cohortId: () => string): () => readonly Place[] {
  const workspace = useWorkspace()
  const list = createCohortList()
  const projectId = (): string => workspace().project.id
  const boards = useQuery(() => ({
    queryKey: ['cohort-boards', projectId(), cohortId()],
    queryFn: async (): Promise<readonly Place[]> => {
      const { dashboards } = await dashboardsClient.list({})
      const using = dashboards.filter((board) => toJsonString(DashboardSchema, board).includes(cohortId()))
      return using.map(({ id, displayName }) => ({
        name: displayName,
        kind: 'cohorts.usedByDashboard',
        href: `/p/${projectId()}/dashboards/${id}`,
      }))
    },
  }))
  const cohorts = (): readonly Place[] =>
    (list.cohorts() ?? [])
      .filter((cohort) => cohort.id !== cohortId())
      .filter((cohort) => toJsonString(CohortSchema, cohort).includes(cohortId()))
      .map(({ id, name }) => ({ name, kind: 'cohorts.usedByCohort', href: cohortHref(projectId(), id) }))
  return () => [...(boards.isSuccess ? boards.data : []), ...cohorts()]
}

/** The places that use a cohort; nothing when there are none. */
export function UsedByCard(props: { readonly places: readonly Place[] }): JSX.Element {
  return (
    <Show when={props.places.length > 0}>
      <Card
        title={t('cohorts.usedBy')}
        padding="none"
        actions={
          <span class="cohorts-quiet">{t('cohorts.usedByPlaces', { count: props.places.length })}</span>
        }
      >
        <PlaceList places={props.places} />
      </Card>
    </Show>
  )
}

/** Places as links. */
export function PlaceList(props: { readonly places: readonly Place[] }): JSX.Element {
  return (
    <ul class="cohorts-places">
      <For each={props.places}>
        {({ name, kind, href }) => (
          <li>
            <a href={href}>
              <bdi>{name}</bdi>
            </a>
            <span class="cohorts-quiet">{t(kind)}</span>
          </li>
        )}
      </For>
    </ul>
  )
}
