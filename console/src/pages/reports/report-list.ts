import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { ReportsService } from '@contract/millrace/reports/v1/reports_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { unwrap } from 'solid-js/store'
import { useWorkspace } from '../../context/workspace.ts'
import { dashboardsKey } from '../../dashboards/board-changes.tsx'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { queryClient } from '../../rpc/query-client.ts'
import './messages.ts'

/** Calls of the service of reports. */
export const reportsClient = clientOf(ReportsService)

const dashboardsClient = clientOf(DashboardsService)

/** The key of everything that is cached about the reports of a project. */
export function reportsKey(projectId: string): readonly string[] {
  return ['reports', projectId]
}

/** Reads reports again after a change. */
export async function refreshReports(projectId: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: reportsKey(projectId) })
}

/** What reports can show. */
export interface Contents {
  /** The overview under the empty id, and the dashboards of the project. */
  readonly options: () => readonly { readonly value: string; readonly label: string }[]
  /** Whether the dashboards are there, so that one that is missing was deleted. */
  readonly isLoaded: () => boolean
  readonly labelOf: (id: string) => string | undefined
}

/** The contents of the project that a report can show. */
export function useContents(): Contents {
  const workspace = useWorkspace()
  const listed = useQuery(() => ({
    queryKey: dashboardsKey(workspace().project.id),
    queryFn: async () => (await dashboardsClient.list({})).dashboards,
  }))
  const options = () => [
    { value: '', label: t('shell.overview') },
    ...(listed.isSuccess ? unwrap(listed.data) : []).map(({ id, displayName }) => ({
      value: id,
      label: displayName,
    })),
  ]
  const labelOf = (id: string): string | undefined => options().find(({ value }) => value === id)?.label
  return { options, isLoaded: () => listed.isSuccess, labelOf }
}
