import { AlertsService } from '@contract/millrace/alerts/v1/alerts_service_pb.js'
import { clientOf } from '../../rpc/client.ts'
import { queryClient } from '../../rpc/query-client.ts'

/** Calls of the service of alerts. */
export const alertsClient = clientOf(AlertsService)

/** The key of everything that is cached about the alerts of a project. */
export function alertsKey(projectId: string): readonly string[] {
  return ['alerts', projectId]
}

/** The address of the list, or of one alert. */
export function alertsHref(projectId: string, id = ''): string {
  const list = `/p/${projectId}/alerts`
  return id === '' ? list : `${list}/${id}`
}

/** The rest of the address of a new alert. */
export const NEW_ALERT = 'new'

/** The address of a new alert on a saved insight, or on a query in proto JSON. */
export function newAlertHref(
  projectId: string,
  on: { readonly insight: string } | { readonly spec: string; readonly name: string },
): string {
  return `${alertsHref(projectId, NEW_ALERT)}?${new URLSearchParams({ ...on })}`
}

/** Reads alerts again after a change. */
export async function refreshAlerts(projectId: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: alertsKey(projectId) })
}
