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

interface Place {
  readonly name: string
  readonly kind: 'cohorts.usedByDashboard' | 'cohorts.usedByCohort'
  readonly href: string
}

/** The dashboards and cohorts that refer to a cohort; nothing when there are none. */
export function UsedByCard(props: { readonly cohortId: string }): JSX.Element {
  const workspace = useWorkspace()
  const list = createCohortList()
  const projectId = (): string => workspace().project.id
  const boards = useQuery(() => ({
    queryKey: ['cohort-boards', projectId(), props.cohortId],
    queryFn: async (): Promise<readonly Place[]> => {
      const { dashboards } = await dashboardsClient.list({})
      const using = dashboards.filter((board) =>
        toJsonString(DashboardSchema, board).includes(props.cohortId),
      )
      return using.map(({ id, displayName }) => ({
        name: displayName,
        kind: 'cohorts.usedByDashboard',
        href: `/p/${projectId()}/dashboards/${id}`,
      }))
    },
  }))
  const cohorts = (): readonly Place[] =>
    (list.cohorts() ?? [])
      .filter((cohort) => cohort.id !== props.cohortId)
      .filter((cohort) => toJsonString(CohortSchema, cohort).includes(props.cohortId))
      .map(({ id, name }) => ({ name, kind: 'cohorts.usedByCohort', href: cohortHref(projectId(), id) }))
  const places = (): readonly Place[] => [...(boards.isSuccess ? boards.data : []), ...cohorts()]
  return (
    <Show when={places().length > 0}>
      <Card
        title={t('cohorts.usedBy')}
        padding="none"
        actions={<span class="cohorts-quiet">{t('cohorts.usedByPlaces', { count: places().length })}</span>}
      >
        <ul class="cohorts-places">
          <For each={places()}>
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
      </Card>
    </Show>
  )
}
