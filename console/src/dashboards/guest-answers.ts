import {
  DashboardGuestsService,
  type SharedDashboard,
} from '@contract/millrace/dashboards/v1/dashboard_guests_service_pb.js'
import type { Account } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import { Failure } from '../rpc/failure.ts'
import { requestOfView, type ShareSource } from './shared-answers.ts'

const guestsClient = clientOf(DashboardGuestsService)

/** A dashboard that is shared with the signed-in guest, and the organisation of its project. */
export interface GuestBoard {
  readonly orgId: string
  readonly dashboard: SharedDashboard
}

/** The path of the page of a dashboard that is shared with the signed-in guest. */
export function pathOfGuestBoard({ orgId, dashboard }: GuestBoard): string {
  return `/shared/${orgId}/${dashboard.id}`
}

/** The query for the dashboards that are shared with an account. */
export function queryOfGuestBoards({ organisations }: Account) {
  const orgIds = organisations.filter(({ isLocked }) => !isLocked).map(({ org }) => org.id)
  return {
    queryKey: ['guest-boards', ...orgIds],
    queryFn: async () => await listGuestBoards(orgIds),
    // A member of a project may have shared another one.
    staleTime: 0,
  }
}

async function listGuestBoards(orgIds: readonly string[]): Promise<readonly GuestBoard[]> {
  const lists = await Promise.all(
    orgIds.map(async (orgId) => {
      const { dashboards } = await guestsClient.listShared({ orgId })
      return dashboards.map((dashboard) => ({ orgId, dashboard }))
    }),
  )
  return lists.flat()
}

/** The answers of a dashboard that is shared with the signed-in guest. */
export function sourceOfGuest({
  orgId,
  dashboardId,
}: {
  readonly orgId: string
  readonly dashboardId: string
}): ShareSource {
  return {
    key: ['guest-board', orgId, dashboardId],
    read: async (view, signal) => {
      const request = { orgId, dashboardId, ...requestOfView(view) }
      const { dashboard, timeZone, firstDate, cohortNames } = await guestsClient.queryShared(request, {
        signal,
      })
      if (!dashboard) throw new Failure({ code: 'not_found', message: t('dashboards.gone') })
      return { dashboard, timeZone, grant: '', cohortNames, ...(firstDate !== '' && { firstDate }) }
    },
  }
}

/** Whether the dashboard is not, or no longer, shared with the signed-in guest. */
export function isShareEnded(error: unknown): boolean {
  const { reason } = Failure.from(error)
  return reason === 'DASHBOARD_NOT_FOUND' || reason === 'ORG_NOT_A_MEMBER'
}
