import { type DescMessage, type MessageShape, toJsonString } from '@bufbuild/protobuf'
import { DashboardSchema } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { AlertSchema } from '@contract/millrace/alerts/v1/alert_pb.js'
import { AlertsService } from '@contract/millrace/alerts/v1/alerts_service_pb.js'
import { CohortSchema } from '@contract/millrace/cohorts/v1/cohort_pb.js'
import { SavedInsightSchema } from '@contract/millrace/library/v1/saved_insight_pb.js'
import { SavedInsightsService } from '@contract/millrace/library/v1/saved_insights_service_pb.js'
import { ReportSchema, ReportsService } from '@contract/millrace/reports/v1/reports_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { For, type JSX, Show } from 'solid-js'
import { createCohortList } from '../../cohorts/cohort-list.ts'
import { reportsHref } from '../../context/report-address.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { savedHref } from '../../library/saved-insights.ts'
import { clientOf } from '../../rpc/client.ts'
import { Card } from '../../ui/card.tsx'
import { alertsHref } from '../alerts/alert-list.ts'
import { cohortHref } from './cohort-address.ts'

const clients = {
  dashboards: clientOf(DashboardsService),
  insights: clientOf(SavedInsightsService),
  alerts: clientOf(AlertsService),
  reports: clientOf(ReportsService),
}

/** Pages of a list that are searched for a cohort: more places than people look through. */
const PAGES_MAX = 20
const PAGE_SIZE = 100

/** A page that refers to a cohort. */
export interface Place {
  readonly name: string
  readonly kind:
    | 'cohorts.usedByDashboard'
    | 'cohorts.usedByCohort'
    | 'cohorts.usedByInsight'
    | 'cohorts.usedByAlert'
    | 'cohorts.usedByReport'
  readonly href: string
}

/** The cohorts, dashboards, saved insights, alerts and reports that refer to a cohort. */
export function createPlaces(cohortId: () => string): () => readonly Place[] {
  const workspace = useWorkspace()
  const list = createCohortList()
  const projectId = (): string => workspace().project.id
  const found = useQuery(() => ({
    queryKey: ['cohort-places', projectId(), cohortId()],
    queryFn: async () => await findPlaces(projectId(), cohortId()),
  }))
  const cohorts = (): readonly Place[] =>
    (list.cohorts() ?? [])
      .filter((cohort) => cohort.id !== cohortId())
      .filter((cohort) => toJsonString(CohortSchema, cohort).includes(cohortId()))
      .map(({ id, name }) => ({ name, kind: 'cohorts.usedByCohort', href: cohortHref(projectId(), id) }))
  return () => [...(found.isSuccess ? found.data : []), ...cohorts()]
}

/** The places outside of cohorts. Messages contain the random id only where they refer to the cohort. */
async function findPlaces(projectId: string, cohortId: string): Promise<readonly Place[]> {
  const [{ dashboards }, insights, alerts, { reports }] = await Promise.all([
    clients.dashboards.list({}),
    readPages(async (page) => {
      const answer = await clients.insights.list(page)
      return { items: answer.insights, nextPageToken: answer.nextPageToken }
    }),
    readPages(async (page) => {
      const answer = await clients.alerts.list(page)
      return { items: answer.alerts, nextPageToken: answer.nextPageToken }
    }),
    clients.reports.list({}),
  ])
  const refers = <S extends DescMessage>(schema: S, message: MessageShape<S>): boolean =>
    toJsonString(schema, message).includes(cohortId)
  return [
    ...dashboards
      .filter((board) => refers(DashboardSchema, board))
      .map(({ id, displayName: name }): Place => {
        return { name, kind: 'cohorts.usedByDashboard', href: `/p/${projectId}/dashboards/${id}` }
      }),
    ...insights
      .filter((insight) => refers(SavedInsightSchema, insight))
      .map(({ id, content }): Place => {
        return { name: content?.name ?? '', kind: 'cohorts.usedByInsight', href: savedHref(projectId, id) }
      }),
    ...alerts
      .filter((alert) => refers(AlertSchema, alert))
      .map(({ id, content }): Place => {
        return { name: content?.name ?? '', kind: 'cohorts.usedByAlert', href: alertsHref(projectId, id) }
      }),
    ...reports
      .filter((report) => refers(ReportSchema, report))
      .map(({ id, name }): Place => {
        return { name, kind: 'cohorts.usedByReport', href: reportsHref(projectId, id) }
      }),
  ]
}

interface ListPage<T> {
  readonly items: readonly T[]
  readonly nextPageToken: string
}

/** The items of all pages of a list. */
async function readPages<T>(
  read: (page: { readonly pageSize: number; readonly pageToken: string }) => Promise<ListPage<T>>,
): Promise<readonly T[]> {
  const all: T[] = []
  let pageToken = ''
  for (let page = 0; page < PAGES_MAX; page++) {
    const { items, nextPageToken } = await read({ pageSize: PAGE_SIZE, pageToken })
    all.push(...items)
    if (nextPageToken === '') break
    pageToken = nextPageToken
  }
  return all
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
